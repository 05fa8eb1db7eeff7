// What one command costs, as a ratio to a process that only locks, appends 700 bytes, syncs and
// exits.
//
// usage: command_latency WORKCTL FLOOR [ROUNDS [STORED]]
// Every timed command is paired with a run of the floor just before it, so that a machine whose
// speed drifts slows both.

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "bench/process.h"

namespace {

using workctl::bench::median;
using workctl::bench::Run;

struct Series {
  std::vector<double> command;
  std::vector<double> ratio;
};

std::string value_of(const std::string& assignments, const std::string& name) {
  const std::size_t at = assignments.find(name + "='");
  if (at == std::string::npos) return {};
  const std::size_t begin = at + name.size() + 2;
  return assignments.substr(begin, assignments.find('\'', begin) - begin);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  const std::string workctl = argv[1];
  const std::string floor = argv[2];
  const int rounds = argc > 3 ? std::atoi(argv[3]) : 200;
  const int stored = argc > 4 ? std::atoi(argv[4]) : 0;

  char folder[] = "/tmp/workctl-bench-XXXXXX";
  if (::mkdtemp(folder) == nullptr) return 1;
  const std::string store = std::string(folder) + "/store";
  const auto workctl_run = [&](std::vector<std::string> words) {
    words.insert(words.begin(), {workctl, "--store", store});
    Run result = workctl::bench::run(words);
    if (result.status != 0) {
      std::fprintf(stderr, "workctl %s: exit %d\n", words[3].c_str(), result.status);
      std::exit(1);
    }
    return result;
  };
  workctl_run({"init"});
  if (stored > 0) {
    const std::string requests = std::string(folder) + "/requests.jsonl";
    std::FILE* file = std::fopen(requests.c_str(), "w");
    for (int i = 0; i < stored; ++i) {
      std::fprintf(file,
                   "{\"definition_id\":\"other\",\"application_id\":\"other\",\"input\":%d}\n", i);
    }
    std::fclose(file);
    workctl_run({"create", "--batch", requests});
  }

  std::map<std::string, Series> series;
  std::vector<double> floors;
  const auto timed = [&](const std::string& name, std::vector<std::string> words) {
    const Run least = workctl::bench::run({floor, folder});
    const Run result = workctl_run(std::move(words));
    floors.push_back(least.milliseconds);
    series[name].command.push_back(result.milliseconds);
    series[name].ratio.push_back(result.milliseconds / least.milliseconds);
    return result;
  };
  for (int round = 0; round < rounds; ++round) {
    timed("create", {"create", "--definition", "d", "--input", "{\"to\":\"a\"}"});
    const Run claim = timed("claim --next", {"claim", "--next", "-o", "env"});
    const std::string id = value_of(claim.output, "WORKCTL_WORKLOAD");
    const std::vector<std::string> held = {"--claim", value_of(claim.output, "WORKCTL_CLAIM"),
                                           "--token", value_of(claim.output, "WORKCTL_TOKEN")};
    const auto with_fence = [&](std::vector<std::string> words) {
      words.insert(words.end(), held.begin(), held.end());
      return words;
    };
    timed("start", with_fence({"start", id}));
    timed("heartbeat", with_fence({"heartbeat", id}));
    timed("complete", with_fence({"complete", id, "--output", "{\"ok\":true}"}));
    timed("show", {"show", id, "-o", "json"});
  }
  std::printf("%-14s %10s %12s %14s\n", "command", "median ms", "x floor", "rounds");
  std::printf("%-14s %10.3f %12.2f %14zu\n", "floor", median(floors), 1.0, floors.size());
  for (const auto& [name, figures] : series) {
    std::printf("%-14s %10.3f %12.2f %14zu\n", name.c_str(), median(figures.command),
                median(figures.ratio), figures.ratio.size());
  }
  std::filesystem::remove_all(folder);
  return 0;
}
