#include "workctl/workload/store_digest.h"

#include "workctl/base/digest.h"

namespace workctl {

Result<std::optional<Json>> versioned_document(View& view, const std::string& id) {
  WORKCTL_TRY(auto stored, view.get(kWorkloads, id));
  if (!stored) return std::nullopt;
  stored->document["__version"] = stored->version;
  return std::move(stored->document);
}

Result<std::string> store_digest(View& view) {
  WORKCTL_TRY(const auto ids, view.keys(kWorkloads));
  Sha256 digest;
  digest.update("{");
  std::string text;
  for (const std::string& id : ids) {
    WORKCTL_TRY(const auto document, versioned_document(view, id));
    if (!document) continue;
    text = text.empty() ? "" : ",";
    append_json_string(id, text);
    text += ':';
    append_canonical_text(*document, text);
    digest.update(text);
  }
  digest.update("}");
  return digest.finish();
}

}  // namespace workctl
