#include "cli/parse.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>

#include "cli/command_table.h"
#include "cli/options.h"
#include "cli/suggestion.h"

namespace workctl::cli {

namespace {

bool looks_like_option(std::string_view word) { return word.size() > 1 && word.front() == '-'; }

bool is_long(std::string_view word) { return word.size() > 2 && word.starts_with("--"); }

bool takes_value(const Option& option) { return option.kind != ValueKind::kFlag; }

/// A long option's name, without `=VALUE`.
std::string_view long_name(std::string_view word) { return word.substr(0, word.find('=')); }

const Option* find_option(std::span<const Option* const> options, std::string_view name) {
  const auto found =
      std::ranges::find_if(options, [&](const Option* option) { return option->name == name; });
  return found == options.end() ? nullptr : *found;
}

const Option* find_letter(std::span<const Option* const> options, char letter) {
  const auto found =
      std::ranges::find_if(options, [&](const Option* option) { return option->letter == letter; });
  return found == options.end() ? nullptr : *found;
}

/// The option of `word` whose value is the word after it; null when there is none.
const Option* awaits_value(std::string_view word, std::span<const Option* const> options) {
  if (is_long(word)) {
    const Option* option = find_option(options, word);
    return option != nullptr && takes_value(*option) ? option : nullptr;
  }
  // Letters may stand together: in `-qo` the last one takes a value, in `-ojson` it has it already.
  for (std::size_t i = 1; looks_like_option(word) && i < word.size(); ++i) {
    const Option* option = find_letter(options, word[i]);
    if (option == nullptr) return nullptr;
    if (takes_value(*option)) return i + 1 == word.size() ? option : nullptr;
  }
  return nullptr;
}

std::unexpected<Error> unknown_option(std::string_view word, std::span<const Option* const> options,
                                      std::string_view otherwise) {
  std::vector<std::string_view> names;
  for (const Option* option : options) names.push_back(option->name);
  const std::string_view name = long_name(word);
  return failure(errc::kInvalidInput, fmt::format("unknown option {}", name),
                 suggestion(name, names, otherwise));
}

/// Index of the command's name: the first word that is neither a global option nor the value of
/// one.
Result<std::size_t> locate_command(std::span<const std::string> words) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (!looks_like_option(word)) return i;
    if (word == "--") break;
    const bool known = is_long(word) ? find_option(kGlobalOptions, long_name(word)) != nullptr
                                     : find_letter(kGlobalOptions, word[1]) != nullptr;
    if (!known)
      return unknown_option(word, kGlobalOptions, "options of a command follow the command's name");
    if (awaits_value(word, kGlobalOptions) != nullptr) ++i;
  }
  return words.size();
}

/// The words before `--` in the form that the parsing library reads without surprises: it would
/// take the word after `--reason=` for its value, and silently accept `--quiet=no`.
struct Prepared {
  std::vector<std::string> words{};
  std::vector<std::string> after_dashes{};
};

Result<Prepared> prepare(std::span<const std::string> words,
                         std::span<const Option* const> options) {
  Prepared prepared;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (word == "--") {
      const auto rest = words.subspan(i + 1);
      prepared.after_dashes.assign(rest.begin(), rest.end());
      break;
    }
    const std::string_view name = long_name(word);
    const Option* option = is_long(word) ? find_option(options, name) : nullptr;
    const bool has_value = name.size() != word.size();
    if (option != nullptr && has_value && !takes_value(*option))
      return failure(errc::kInvalidInput, fmt::format("option {} takes no value", name));
    if (option != nullptr && has_value) {
      prepared.words.emplace_back(name);
      prepared.words.push_back(word.substr(name.size() + 1));
      continue;
    }
    prepared.words.push_back(word);
    if (const Option* waiting = awaits_value(word, options)) {
      if (i + 1 == words.size() || words[i + 1] == "--")
        return failure(errc::kInvalidInput,
                       fmt::format("option {} needs a value: {} {}", waiting->name, waiting->name,
                                   waiting->value_name));
      prepared.words.push_back(words[++i]);
    }
  }
  return prepared;
}

/// What the library made of the words: texts of each option, and what belongs to none.
struct Assigned {
  std::vector<Given> given{};
  std::vector<std::string> rest{};
};

Result<Assigned> assign(std::vector<std::string> words, std::span<const Option* const> options) {
  try {
    CLI::App app;
    app.set_help_flag();
    app.allow_extras();
    std::vector<CLI::Option*> targets;
    for (const Option* option : options) {
      const std::string name = option->letter != 0
                                   ? fmt::format("-{},{}", option->letter, option->name)
                                   : std::string(option->name);
      // Values are only collected here; the library's conversions (octal, vectors in brackets) are
      // never asked for.
      targets.push_back(
          takes_value(*option)
              ? app.add_option(name, CLI::callback_t([](const auto&) { return true; }))
                    ->expected(1)
                    ->allow_extra_args(false)
                    ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
              : app.add_flag(name));
    }
    std::ranges::reverse(words);
    app.parse(std::move(words));
    Assigned assigned;
    for (std::size_t i = 0; i < targets.size(); ++i) {
      const Option* option = options[i];
      const std::vector<std::string>& texts = targets[i]->results();
      if (texts.size() > 1 && takes_value(*option) && !option->repeatable)
        return failure(errc::kInvalidInput,
                       fmt::format("option {} is given more than once", option->name));
      for (const std::string& text : texts)
        assigned.given.push_back({option, takes_value(*option) ? text : std::string()});
    }
    assigned.rest = app.remaining();
    return assigned;
  } catch (const CLI::Error& error) {
    return failure(errc::kInvalidInput, error.what());
  }
}

Result<void> place(const std::vector<std::string>& words, const Command& command,
                   std::vector<Given>& given) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    const auto& positionals = command.positionals;
    const bool repeats = !positionals.empty() && positionals.back()->repeatable;
    if (i >= positionals.size() && !repeats)
      return failure(errc::kInvalidInput, fmt::format("unexpected argument \"{}\"", words[i]),
                     fmt::format("see workctl {} --help", command.name));
    given.push_back({positionals[std::min(i, positionals.size() - 1)], words[i]});
  }
  return {};
}

}  // namespace

Result<CommandLine> parse_command_line(std::span<const std::string> words) {
  WORKCTL_TRY(const std::size_t at, locate_command(words));
  CommandLine line;
  std::vector<const Option*> options(std::begin(kGlobalOptions), std::end(kGlobalOptions));
  std::vector<std::string> others(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(at));
  if (at < words.size()) {
    WORKCTL_TRY(line.command, find_command(words[at]));
    options.insert(options.end(), line.command->options.begin(), line.command->options.end());
    others.insert(others.end(), words.begin() + static_cast<std::ptrdiff_t>(at) + 1, words.end());
  }

  WORKCTL_TRY(Prepared prepared, prepare(others, options));
  WORKCTL_TRY(Assigned assigned, assign(std::move(prepared.words), options));
  for (const std::string& word : assigned.rest)
    if (looks_like_option(word) && line.command != nullptr)
      return unknown_option(word, options,
                            fmt::format("see workctl {} --help", line.command->name));
  line.given = std::move(assigned.given);
  if (line.command != nullptr) {
    std::vector<std::string> positionals = std::move(assigned.rest);
    std::ranges::move(prepared.after_dashes, std::back_inserter(positionals));
    WORKCTL_CHECK(place(positionals, *line.command, line.given));
  }
  return line;
}

const Command* named_command(std::span<const std::string> words) {
  const Result<std::size_t> at = locate_command(words);
  if (!at || *at == words.size()) return nullptr;
  return find_command(words[*at]).value_or(nullptr);
}

std::string_view requested_format(std::span<const std::string> words) {
  std::string_view format;
  for (std::size_t i = 0; i < words.size() && words[i] != "--"; ++i) {
    const std::string_view word = words[i];
    if (word.starts_with("--format=")) format = word.substr(9);
    if (word.starts_with("-o") && word.size() > 2) format = word.substr(2);
    if ((word == "-o" || word == "--format") && i + 1 < words.size()) format = words[i + 1];
  }
  return format;
}

}  // namespace workctl::cli
