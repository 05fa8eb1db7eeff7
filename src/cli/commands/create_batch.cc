#include "cli/commands/create_batch.h"

#include <fmt/format.h>

#include "cli/commands/create_options.h"
#include "cli/commands/create_request.h"
#include "cli/exit_codes.h"
#include "cli/line_reader.h"

namespace workctl::cli::create {

namespace {

constexpr std::size_t kChunkLines = 1000;
constexpr std::uint64_t kChunkBytes = 8U << 20;
/// What `--atomic` takes: its documents have to fit one line of the log, and are larger than
/// requests.
constexpr std::uint64_t kAtomicBytesMax = kLineBytesMax / 2;

struct Item {
  std::uint64_t line;
  Result<Json> outcome;  ///< the request, then what became of it
};

class Batch {
 public:
  Batch(const Arguments& arguments, Context& context, int descriptor)
      : arguments_(arguments),
        context_(context),
        reader_(descriptor, kInputBytesMax),
        atomic_(arguments.has(kAtomic)) {}

  Result<Answer> run() {
    for (;;) {
      WORKCTL_TRY(std::vector<Item> chunk, read_chunk());
      if (chunk.empty()) break;
      WORKCTL_CHECK(create_chunk(chunk));
      for (const Item& item : chunk) report(item);
      if (!context_.output().flush()) break;  // nobody listens; what is durable stays
    }
    return Answer{.value = {{"lines", lines_},
                            {"created", created_},
                            {"existing", existing_},
                            {"refused", refused_}},
                  .items = std::vector<Json>(),
                  .exit_status = exit_status_};
  }

 private:
  /// Waits for one line, then takes what is there without waiting, up to a chunk. Of an atomic
  /// batch, everything.
  Result<std::vector<Item>> read_chunk() {
    std::vector<Item> chunk;
    std::uint64_t bytes = 0;
    while (chunk.empty() || atomic_ ||
           (chunk.size() < kChunkLines && bytes < kChunkBytes && reader_.ready())) {
      WORKCTL_TRY(const std::optional<LineReader::Line> line, reader_.next());
      if (!line) break;
      bytes += line->bytes;
      if (atomic_ && bytes > kAtomicBytesMax)
        return failure(
            errc::kTooLarge,
            fmt::format("--atomic: the requests take more than {} bytes, the limit of one "
                        "commit",
                        kAtomicBytesMax));
      chunk.push_back({line->number, parse_line(*line, kInputBytesMax)});
    }
    return chunk;
  }

  /// Puts in the place of each request what became of it. Fails when the chunk could not be stored.
  Result<void> create_chunk(std::vector<Item>& chunk) {
    WORKCTL_TRY(const std::unique_ptr<Session> session, context_.begin());
    const Instant now = context_.now();
    RequestMaker maker(arguments_, context_, *session, now);
    Authority authority(*session);
    const Item* failed = nullptr;
    for (Item& item : chunk) {
      if (item.outcome) item.outcome = create_line(maker, authority, *std::move(item.outcome), now);
      if (!item.outcome && failed == nullptr) failed = &item;
    }
    if (atomic_ && failed != nullptr) {
      refuse_others(chunk, *failed);
      return {};
    }
    Result<void> committed = session->commit();
    if (!committed && lines_ > 0)
      committed.error().message += fmt::format(
          "; the lines before line {} are done, nothing from "
          "there on is acknowledged",
          chunk.front().line);
    return committed;
  }

  static Result<Json> create_line(RequestMaker& maker, Authority& authority, Json document,
                                  Instant now) {
    WORKCTL_TRY(CreateRequest request, maker.make(std::move(document)));
    return create_one(authority, std::move(request), now);
  }

  static void refuse_others(std::vector<Item>& chunk, const Item& failed) {
    const std::string message = fmt::format(
        "not created: line {} was refused, and --atomic creates all or nothing", failed.line);
    for (Item& item : chunk)
      if (item.outcome) item.outcome = failure(errc::kNotCommitted, message);
  }

  void report(const Item& item) {
    ++lines_;
    if (!item.outcome) {
      ++refused_;
      // In an atomic batch the first refusal is the reason of all that follow it, and precede it.
      const bool reason = item.outcome.error().code != errc::kNotCommitted;
      if (exit_status_ == kExitDone && reason)
        exit_status_ = exit_status(item.outcome.error().code);
      context_.output().refused_item(item.line, item.outcome.error());
      return;
    }
    Json answer = *item.outcome;
    ++(answer.at("created").get<bool>() ? created_ : existing_);
    answer["line"] = item.line;
    context_.output().item(std::move(answer));
  }

  const Arguments& arguments_;
  Context& context_;
  LineReader reader_;
  bool atomic_;
  std::uint64_t lines_ = 0;
  std::uint64_t created_ = 0;
  std::uint64_t existing_ = 0;
  std::uint64_t refused_ = 0;
  int exit_status_ = kExitDone;
};

}  // namespace

Result<Json> create_one(Authority& authority, CreateRequest request, Instant now) {
  const std::string key = request.members().at("idempotency_key").get<std::string>();
  WORKCTL_TRY(Json answer, authority.create(std::move(request), now));
  answer["idempotency_key"] = key;
  // New work is READY, in its first version; only what was there already needs to be looked up.
  answer["state"] = state_name(State::kReady);
  answer["__version"] = 1;
  if (!answer.at("created").get<bool>()) {
    WORKCTL_TRY(const StoredDocument stored,
                authority.get(answer.at("workload_id").get<std::string>()));
    answer["state"] = stored.document.at("state");
    answer["__version"] = stored.version;
  }
  return answer;
}

Result<Answer> run_batch(const Arguments& arguments, Context& context) {
  if (context.output().format() == Format::kEnvironment)
    return failure(errc::kInvalidInput, "--batch makes many workloads: -o env does not suit it");
  WORKCTL_TRY(const int descriptor, context.input().open(arguments.text(kBatch), kBatch.name));
  return Batch(arguments, context, descriptor).run();
}

std::string describe_batch(const Json& summary) {
  return fmt::format(
      "{} created, {} there already, {} refused\n", summary.at("created").get<std::uint64_t>(),
      summary.at("existing").get<std::uint64_t>(), summary.at("refused").get<std::uint64_t>());
}

}  // namespace workctl::cli::create
