#include "cli/context.h"

#include <fmt/format.h>

#include "workctl/base/time_text.h"
#include "workctl/store/local_engine.h"

namespace workctl::cli {

Result<void> Context::open() {
  engine_.reset();
  IndexUse index{.use = settings_.use_index};
  if (settings_.use_index) {
    index.progress = [this](std::uint64_t done, std::uint64_t total) {
      if (!index_progress_) index_progress_.reset(new Progress(output_.shows_progress()));
      index_progress_->update("make the index", done, total);
      if (done >= total) index_progress_.reset();
    };
  }
  WORKCTL_TRY(engine_, open_local_engine(settings_.store_path, journal_options(), index));
  return {};
}

Journal::Options Context::journal_options() {
  return {.notice = [this](const std::string& sentence) { notice(sentence); }};
}

Result<std::unique_ptr<Session>> Context::begin() {
  if (engine_ == nullptr) WORKCTL_CHECK(open());
  WORKCTL_TRY(std::unique_ptr<Session> session, engine_->begin(settings_.lock_timeout));
  constexpr Instant kStepMax = 60;
  const Instant last = session->last_commit_at();
  if (!clock_checked_ && now() < last - kStepMax)
    notice(fmt::format(
        "the clock says {}, {} before the last commit ({}): leases last longer than "
        "they were meant to",
        format_instant(now()), format_duration_ms(static_cast<std::uint64_t>(last - now()) * 1000),
        format_instant(last)));
  clock_checked_ = true;
  return session;
}

Result<std::string> default_store_path(const char* state_home, const char* home) {
  // A relative path in XDG_STATE_HOME is to be ignored, says the XDG base directory specification.
  if (state_home != nullptr && *state_home == '/') return std::string(state_home) + "/workctl";
  if (home != nullptr && *home != '\0') return std::string(home) + "/.local/state/workctl";
  return failure(errc::kInvalidInput, "no store named, and HOME is not set",
                 "give --store DIR or set WORKCTL_STORE");
}

}  // namespace workctl::cli
