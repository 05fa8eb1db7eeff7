// Runs every input of the corpus through its target, without a fuzzer: what fuzzing found stays
// found.
//
// usage: fuzz_replay CORPUS-FOLDER

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "fuzz/targets.h"

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  for (const workctl::fuzz::Target& target : workctl::fuzz::targets()) {
    int inputs = 0;
    const std::filesystem::path folder = std::filesystem::path(argv[1]) / target.name;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      std::ifstream file(entry.path(), std::ios::binary);
      const std::string input{std::istreambuf_iterator<char>(file), {}};
      std::printf("%s\n", entry.path().c_str());
      std::fflush(stdout);
      target.run(input);
      ++inputs;
    }
    if (inputs == 0) {
      std::fprintf(stderr, "no inputs for %s\n", std::string(target.name).c_str());
      return 1;
    }
  }
  return 0;
}
