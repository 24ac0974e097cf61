// SPDX-License-Identifier: Apache-2.0
//===- ReaderBench.cpp - how fast click logs are read ---------------------===//
//
// Text of 13 numbers and 26 ids per line, from the page cache, by one thread,
// beside `wc -l` of the same file.
//
//===----------------------------------------------------------------------===//

#include "Table.h"
#include "absl/strings/str_cat.h"
#include "runtime/data/Dataset.h"
#include "runtime/data/Random.h"
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>

using namespace ps;
using namespace ps::runtime;

static constexpr int64_t lines = 200000;
static constexpr int fields = 26, numbers = 13;

static std::string drawHex(Random &random) {
  char text[9];
  std::snprintf(text, sizeof(text), "%08x",
                static_cast<unsigned>(random.next()));
  return text;
}

/// "1 0 13 0.25 .. 1 737395 1 210498 ..".
static void writeMultiSlot(std::ofstream &out) {
  Random random(1, 0);
  for (int64_t i = 0; i != lines; ++i) {
    out << "1 " << random.below(2) << ' ' << numbers;
    for (int j = 0; j != numbers; ++j)
      out << ' ' << absl::StrCat(static_cast<float>(random.uniform(0, 10)));
    for (int j = 0; j != fields; ++j)
      out << " 1 " << random.below(1000000);
    out << '\n';
  }
}

static void writeCriteo(std::ofstream &out) {
  Random random(1, 0);
  for (int64_t i = 0; i != lines; ++i) {
    out << random.below(2);
    for (int j = 0; j != numbers; ++j)
      out << '\t' << random.below(2000);
    for (int j = 0; j != fields; ++j)
      out << '\t' << drawHex(random);
    out << '\n';
  }
}

static DataOptions clickFeeds(int threads) {
  DataOptions options{.feeds = {}, .threads = threads};
  options.feeds.push_back({"label", {DType::F32, {-1, 1}}});
  options.feeds.push_back({"dense", {DType::F32, {-1, numbers}}});
  for (int j = 0; j != fields; ++j)
    options.feeds.push_back(
        {absl::StrCat("C", j + 1), {DType::I64, {-1}}, true});
  return options;
}

/// Seconds of all cores that this process has used.
static double coreSeconds() {
  timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return now.tv_sec + 1e-9 * now.tv_nsec;
}

static void measure(const std::string &kind, const std::string &file,
                    const std::string &goal) {
  std::string spec = absl::StrCat(kind, ":", file);
  bool failed = false;
  auto read = [&](int threads) {
    return bench::medianSeconds(5, [&] {
      auto data = Dataset::open(spec, clickFeeds(threads));
      failed = failed || !data.ok() || data->size != lines;
    });
  };
  double one = read(1), two = read(2);
  double before = coreSeconds();
  auto data = Dataset::open(spec, clickFeeds(1));
  double core = coreSeconds() - before;
  std::string count = absl::StrCat("wc -l '", file, "' > /dev/null");
  double counted = bench::medianSeconds(
      5, [&] { failed = failed || std::system(count.c_str()) != 0; });
  if (failed) {
    std::fprintf(stderr, "cannot read '%s'\n", file.c_str());
    std::exit(1);
  }
  double megabytes = std::filesystem::file_size(file) / 1e6;
  bench::row(kind + ": rows, per second of a core", lines / core, "rows/s",
             goal);
  bench::row(kind + ": rows, 1 thread", lines / one, "rows/s");
  bench::row(kind + ": rows, 2 threads", lines / two, "rows/s");
  bench::row(kind + ": text, 1 thread", megabytes / one, "MB/s");
  bench::row(kind + ": text, wc -l", megabytes / counted, "MB/s");
}

int main() {
  std::filesystem::path folder = std::filesystem::temp_directory_path();
  std::string name = (folder / "ps-reader-XXXXXX").string();
  if (!mkdtemp(name.data())) {
    std::perror("mkdtemp");
    return 1;
  }
  for (auto [kind, write, goal] :
       {std::tuple("multislot", &writeMultiSlot, ">= 400000 rows/s"),
        std::tuple("criteo", &writeCriteo, "")}) {
    std::string file = absl::StrCat(name, "/", kind);
    std::ofstream out(file);
    write(out);
    out.close();
    measure(kind, file, goal);
  }
  std::filesystem::remove_all(name);
}
