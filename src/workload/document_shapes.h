#pragma once

/// The members of the documents that the workload layer reads and writes (contract sections 1 and
/// 7).

#include "workload/shape.h"

namespace workctl {

/// A stored workload.
extern const Shape kWorkloadShape;
/// A create request.
extern const Shape kRequestShape;
/// The whole of a grant, as a store that wants trust demands it.
extern const Shape kSignedGrantShape;
/// A public key that a store trusts.
extern const Shape kTrustedKeyShape;
/// The setting that says which grants a store takes.
extern const Shape kTrustShape;

}  // namespace workctl
