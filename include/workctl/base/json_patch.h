#pragma once

/// The difference between two JSON values, as RFC 6902 writes it.
///
/// The library's own comparison is not used: it holds 1 and 1.0 to be equal, so that a document
/// could come back with other hashes than it was stored with.

#include "workctl/base/json.h"

namespace workctl {

/// A patch (an array of `add`, `remove` and `replace`) that turns `from` into `to` exactly, in the
/// sense of `same_value`. Empty when they are the same. Elements appended to an array cost what
/// they hold, not what the array holds.
Json make_patch(const Json& from, const Json& to);

/// Applies any RFC 6902 patch in place. `kInvalidInput` when it does not fit; `target` is then
/// unspecified.
Result<void> apply_patch(Json& target, const Json& patch);

}  // namespace workctl
