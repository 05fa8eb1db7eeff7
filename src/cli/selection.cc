#include "cli/selection.h"

namespace workctl::cli {

ListFilter selection(const Arguments& arguments) {
  return {.tenant = arguments.optional_text(kOfTenant),
          .application = arguments.optional_text(kOfApplication),
          .definition = arguments.optional_text(kOfDefinition),
          .states = arguments.text_set(kInState)};
}

}  // namespace workctl::cli
