#pragma once

/// The rules of one workload once more, as plain numbers and names, written from the contract and
/// not from the code: what a random walk holds the operations against.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "workctl/base/clock.h"

namespace workctl {

/// What an operation is expected to answer: the code of a refusal, or this.
inline constexpr const char* kAgreed = "not refused";

struct ModelFence {
  std::string worker;
  std::uint64_t token = 0;
  Instant now = 0;
};

class WalkModel {
 public:
  struct Policy {
    std::uint64_t max_attempts = 3;
    std::uint64_t initial_delay_s = 0;
    std::uint64_t max_delay_s = 0;
    bool exponential = false;
    std::vector<std::string> retry_on{};
  };

  explicit WalkModel(Policy rules) : policy(std::move(rules)) {}

  std::string claim(const std::string& worker, bool capable, Instant now, Instant lease_s);
  std::string start(const ModelFence& fence);
  std::string heartbeat(const ModelFence& fence, Instant extend_s);
  std::string checkpoint(const ModelFence& fence);
  std::string complete(const ModelFence& fence, const std::string& result_id);
  std::string fail(const ModelFence& fence, const std::string& kind);
  std::string confirm_cancel(const ModelFence& fence);
  std::string cancel();
  std::string time_out(Instant now);
  std::string retry(Instant now);
  /// Whether it was recovered.
  bool recover(Instant now);
  bool ready(bool capable, Instant now) const;

  struct Claim {
    std::string worker;
    std::uint64_t token;
    Instant ends_at;
  };

  Policy policy;
  std::string state = "READY";
  std::uint64_t events = 1;
  std::uint64_t token = 0;
  std::uint64_t claims = 0;
  std::uint64_t retries = 0;
  std::uint64_t rearms = 0;
  std::uint64_t checkpoints = 0;
  std::optional<Instant> eligible_at{};
  std::optional<Claim> held{};
  std::optional<std::string> result{};
  std::vector<std::string> attempts{};

 private:
  std::string fenced(const ModelFence& fence) const;
  bool retries_on(const std::string& kind) const;
  bool spent() const { return claims >= policy.max_attempts + rearms; }
  void move(const char* to);
};

}  // namespace workctl
