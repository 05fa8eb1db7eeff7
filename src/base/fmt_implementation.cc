// The part of fmt that is not templates, compiled once.
//
// Debian ships fmt's code in its headers and in a shared library, and nothing to link statically.
// With FMT_HEADER_ONLY every file that formats anything compiles all of it again, which makes such
// a file take several times as long; without it, the headers declare what is defined here.

#include <fmt/format-inl.h>

FMT_BEGIN_NAMESPACE
namespace detail {
template FMT_API void vformat_to(buffer<char>&, string_view,
                                 basic_format_args<buffer_context<char>>, locale_ref);
template FMT_API auto thousands_sep_impl<char>(locale_ref) -> thousands_sep_result<char>;
template FMT_API auto decimal_point_impl<char>(locale_ref) -> char;
}  // namespace detail
FMT_END_NAMESPACE
