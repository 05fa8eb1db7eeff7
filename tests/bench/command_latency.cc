// What one command costs, as a ratio to a process that only locks, appends 700 bytes, syncs and
// exits.
//
// usage: command_latency WORKCTL FLOOR [--rounds N] [--stored N] [--obstacles N] [--json FILE]
//
// Every timed command is paired with a run of the floor just before it, so that a machine whose
// speed drifts slows both. `--stored` workloads are there from the beginning; of `--obstacles`
// each, early, blocked and unclaimable, stand before all that can be claimed.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "bench/process.h"

namespace {

using workctl::bench::median;
using workctl::bench::Run;

struct Settings {
  std::string workctl;
  std::string floor;
  long rounds = 200;
  long stored = 1000;
  long obstacles = 0;
  std::string json;
};

struct Series {
  std::vector<double> milliseconds;
  std::vector<double> ratio;
  long peak_kib = 0;
};

[[noreturn]] void give_up(const std::string& why) {
  std::fprintf(stderr, "command_latency: %s\n", why.c_str());
  std::exit(1);
}

Settings settings_of(int argc, char** argv) {
  if (argc < 3 || argc % 2 == 0) give_up("see the top of its source for its arguments");
  Settings settings;
  settings.workctl = argv[1];
  settings.floor = argv[2];
  const std::map<std::string, long*> numbers = {{"--rounds", &settings.rounds},
                                                {"--stored", &settings.stored},
                                                {"--obstacles", &settings.obstacles}};
  for (int i = 3; i < argc; i += 2) {
    const std::string name = argv[i];
    if (name == "--json")
      settings.json = argv[i + 1];
    else if (const auto number = numbers.find(name); number != numbers.end())
      *number->second = std::atol(argv[i + 1]);
    else
      give_up("unknown option " + name);
  }
  return settings;
}

std::string value_of(const std::string& assignments, const std::string& name) {
  const std::size_t at = assignments.find(name + "='");
  if (at == std::string::npos) return {};
  const std::size_t begin = at + name.size() + 2;
  return assignments.substr(begin, assignments.find('\'', begin) - begin);
}

class Benchmark {
 public:
  explicit Benchmark(Settings settings) : settings_(std::move(settings)) {
    std::string folder = std::filesystem::temp_directory_path() / "workctl-bench-XXXXXX";
    if (::mkdtemp(folder.data()) == nullptr) give_up("no temporary directory");
    folder_ = folder;
  }
  ~Benchmark() { std::filesystem::remove_all(folder_); }
  Benchmark(const Benchmark&) = delete;
  Benchmark& operator=(const Benchmark&) = delete;

  void run() {
    workctl({"init"});
    fill();
    for (long round = 0; round < settings_.rounds; ++round) live_one_life();
    print();
    if (!settings_.json.empty()) write_json();
  }

 private:
  Run workctl(std::vector<std::string> words) {
    words.insert(words.begin(), {settings_.workctl, "--store", folder_ + "/store"});
    Run result = workctl::bench::run(words);
    if (result.status != 0) give_up(words[3] + " ended with " + std::to_string(result.status));
    return result;
  }

  void create_all(const std::string& what, long count, const std::string& members) {
    if (count == 0) return;
    const std::string requests = folder_ + "/requests.jsonl";
    {
      std::ofstream file(requests);
      for (long i = 0; i < count; ++i)
        file << R"({"definition_id":"d","idempotency_key":")" << what << i << R"(","input":)" << i
             << members << "}\n";
    }
    workctl({"create", "--batch", requests, "-q"});
  }

  void fill() {
    create_all("stored", settings_.stored, R"(,"application_id":"other")");
    create_all("early", settings_.obstacles, R"(,"priority":9,"not_before":4000000000)");
    create_all("blocked", settings_.obstacles,
               R"(,"priority":9,"dependencies":[{"workload_id":"none"}])");
    create_all("unclaimable", settings_.obstacles,
               R"(,"priority":9,"capability_snapshot":["none"])");
    workctl({"list", "--limit", "1"});  // makes the index, should it have to be made
  }

  Run timed(const std::string& name, std::vector<std::string> words) {
    const Run least = workctl::bench::run({settings_.floor, folder_});
    if (least.status != 0) give_up("the floor failed");
    Run result = workctl(std::move(words));
    floors_.push_back(least.milliseconds);
    Series& series = series_[name];
    series.milliseconds.push_back(result.milliseconds);
    series.ratio.push_back(result.milliseconds / least.milliseconds);
    series.peak_kib = std::max(series.peak_kib, result.peak_kib);
    return result;
  }

  void live_one_life() {
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

  void print() const {
    std::printf("%ld stored, %ld obstacles of each kind, %ld rounds\n", settings_.stored,
                settings_.obstacles, settings_.rounds);
    std::printf("%-14s %10s %10s %10s\n", "command", "median ms", "x floor", "peak MiB");
    std::printf("%-14s %10.3f %10.2f\n", "floor", median(floors_), 1.0);
    for (const auto& [name, series] : series_)
      std::printf("%-14s %10.3f %10.2f %10.1f\n", name.c_str(), median(series.milliseconds),
                  median(series.ratio), static_cast<double>(series.peak_kib) / 1024);
  }

  void write_json() const {
    std::ofstream file(settings_.json);
    file << R"({"benchmark":"command latency","stored":)" << settings_.stored << R"(,"obstacles":)"
         << settings_.obstacles << R"(,"rounds":)" << settings_.rounds << R"(,"floor_ms":)"
         << median(floors_) << R"(,"commands":{)";
    const char* comma = "";
    for (const auto& [name, series] : series_) {
      file << comma << '"' << name << R"(":{"ms":)" << median(series.milliseconds)
           << R"(,"x_floor":)" << median(series.ratio) << R"(,"peak_kib":)" << series.peak_kib
           << '}';
      comma = ",";
    }
    file << "}}\n";
    if (!file.flush()) give_up("cannot write " + settings_.json);
  }

  Settings settings_;
  std::string folder_;
  std::map<std::string, Series> series_{};
  std::vector<double> floors_{};
};

}  // namespace

int main(int argc, char** argv) {
  Benchmark(settings_of(argc, argv)).run();
  return 0;
}
