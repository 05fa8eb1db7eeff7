#include "store/transaction_text.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "workctl/base/digest.h"
#include "workctl/base/json_patch.h"
#include "workctl/base/random.h"
#include "workctl/journal/journal.h"

namespace workctl {

TransactionText::TransactionText(std::uint64_t revision, Instant at)
    : revision_(revision), at_(at), transaction_("tx_" + random_hex(16)) {}

Result<void> TransactionText::add(const DocumentWrite& write, std::uint64_t version,
                                  const Json* before) {
  Body body{.collection = write.collection,
            .key = write.key,
            .version = version,
            .form = WriteForm::kDocument,
            .text = write.document ? canonical_text(*write.document) : "null"};
  if (body.text.size() > kDocumentBytesMax) {
    return failure(errc::kTooLarge,
                   fmt::format("\"{}\" would be a document of {} bytes, over the limit of {} bytes",
                               write.key, body.text.size(), kDocumentBytesMax));
  }
  if (write.audit.is_object()) {
    Json audit = write.audit;
    audit["transaction"] = transaction_;
    audit["base_revision"] = revision_ - 1;
    audit["revision"] = revision_;
    if (write.document) audit["source_digest"] = sha256_hex(body.text);
    if (!audit_.empty()) audit_ += ',';
    append_canonical_text(audit, audit_);
  }
  if (before != nullptr && write.document) {
    std::string patch = canonical_text(make_patch(*before, *write.document));
    if (patch.size() < body.text.size()) {
      body.form = WriteForm::kPatch;
      body.text = std::move(patch);
    }
  }
  bodies_.push_back(std::move(body));
  return {};
}

std::uint64_t TransactionText::bytes_max() const {
  // Names and keys can grow six times when they are escaped; what stands around them is far below
  // 256.
  std::uint64_t bytes = 256 + audit_.size();
  for (const Body& body : bodies_) {
    bytes += 256 + 6 * (body.collection.size() + body.key.size()) + body.text.size();
  }
  return bytes;
}

void TransactionText::append_to(CommitLine& line) const {
  std::vector<WriteText> writes;
  writes.reserve(bodies_.size());
  for (const Body& body : bodies_) {
    writes.push_back({body.collection, body.key, body.version, body.form, body.text});
  }
  line.add(revision_, transaction_, at_, writes, "[" + audit_ + "]");
}

}  // namespace workctl
