#pragma once

/// Pieces of text for people. None lets a control character of the data through.

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "cli/answer.h"
#include "workctl/base/json.h"

namespace workctl::cli {

/// A member of an object: text as it is, anything else as JSON; `-` where it is absent or null.
std::string member_text(const Json& object, std::string_view member);

/// An instant of a document as RFC 3339; `-` for null.
std::string instant_text(const Json& instant);

/// A state, coloured by how it stands with the work.
std::string state_text(std::string_view state, const Style& style);

/// `text` in bold where colours are wanted.
std::string heading(std::string_view text, const Style& style);

/// Columns that `text` takes on a terminal, one a Unicode scalar.
std::size_t columns(std::string_view text);

/// Cuts `text` to `width` columns, ending it in `...` where something is lost.
std::string shortened(const std::string& text, std::size_t width);

/// One column of a table, and what gives where the terminal is too narrow.
struct Column {
  enum class Fit { kWhole, kShortened, kDropped };
  std::string_view title;
  Fit fit = Fit::kWhole;
};

/// Rows under titles, in columns two spaces apart. With a width, columns that may be are
/// shortened, and then those that may be are dropped, from the right, until the lines fit. Cells of
/// the column `STATE` are coloured.
std::string table(const std::vector<Column>& columns,
                  const std::vector<std::vector<std::string>>& rows, const Style& style);

/// `text` broken at spaces into lines of at most `width` columns, each line after the first behind
/// `indent` spaces more. Newlines stay; lines that begin with a space stay as they are.
std::string wrapped(std::string_view text, std::size_t width, std::size_t indent);

/// `1 workload`, `2 workloads`.
std::string counted(std::uint64_t count, std::string_view noun);

}  // namespace workctl::cli
