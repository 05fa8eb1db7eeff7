#pragma once

/// What is known of the terminals behind the standard streams.

#include <cstddef>
#include <string_view>

namespace workctl::cli {

bool is_terminal(int descriptor);

/// Columns of the terminal behind `descriptor`; 0 where there is none.
std::size_t terminal_width(int descriptor);

/// Whether text on `descriptor` is to be coloured: `when` is `auto`, `always` or `never`.
bool wants_color(std::string_view when, int descriptor);

/// Makes sure that 0, 1 and 2 are open, so that no file of the store can take their place. A
/// standard output that was closed refuses to be written to.
void open_standard_streams();

}  // namespace workctl::cli
