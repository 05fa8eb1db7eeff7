#include "workctl/workload/contract_code.h"

#include <algorithm>
#include <array>

#include "workctl/journal/journal.h"
#include "workctl/workload/workload.h"

namespace workctl {
namespace {

constexpr std::array kStorageTrouble{
    errc::kIoFailure,      errc::kStoreNotFound, errc::kStoreBusy,
    errc::kStoreDamaged,   errc::kStoreTooNew,   errc::kStoreUnsafe,
    errc::kOutcomeUnknown, errc::kTooLarge,      errc::kDocumentUnreadable};

}  // namespace

std::string_view contract_code(ErrorCode code) {
  const bool trouble = std::ranges::find(kStorageTrouble, code) != kStorageTrouble.end();
  return trouble ? "WORKLOAD_STORAGE_FAILURE" : code.name;
}

}  // namespace workctl
