//===- replay.cpp - Files through a fuzzer's reader -----------------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// NAME-replay FOLDER...: what libFuzzer does with a corpus, without it: gives
// each file below the folders to the target that is linked to this; and its
// first half, and all but its last byte. None takes more than 2 s of CPU time.
//
//===----------------------------------------------------------------------===//

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/// So that a crash says which file it was: the last one that is printed.
static bool run(const std::string &name, const std::string &bytes) {
  constexpr double most = 2.0;
  std::printf("%s, %zu bytes\n", name.c_str(), bytes.size());
  std::fflush(stdout);
  std::clock_t begin = std::clock();
  // In memory of exactly that size, where a sanitizer sees one byte more.
  std::vector<uint8_t> data(bytes.begin(), bytes.end());
  LLVMFuzzerTestOneInput(data.data(), data.size());
  double seconds = double(std::clock() - begin) / CLOCKS_PER_SEC;
  if (seconds < most)
    return true;
  std::printf("FAIL: took %.1f s\n", seconds);
  return false;
}

/// As libFuzzer does, nothing larger.
static constexpr uintmax_t mostBytes = 65536;

static std::vector<std::string> filesOf(int count, char **folders) {
  std::vector<std::string> files;
  for (int i = 0; i < count; ++i)
    for (const auto &entry :
         std::filesystem::recursive_directory_iterator(folders[i]))
      if (entry.is_regular_file() && entry.file_size() < mostBytes)
        files.push_back(entry.path().string());
  std::sort(files.begin(), files.end());
  return files;
}

int main(int argc, char **argv) {
  std::vector<std::string> files = filesOf(argc - 1, argv + 1);
  int failures = 0;
  for (const std::string &file : files) {
    std::ifstream stream(file, std::ios::binary);
    std::string bytes((std::istreambuf_iterator<char>(stream)), {});
    failures += !run(file, bytes);
    failures += !run(file, bytes.substr(0, bytes.size() / 2));
    if (!bytes.empty())
      failures += !run(file, bytes.substr(0, bytes.size() - 1));
  }
  std::printf("%zu files, %d failures\n", files.size(), failures);
  return failures != 0 || files.empty();
}
