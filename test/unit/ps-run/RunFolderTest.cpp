// SPDX-License-Identifier: Apache-2.0
//===- RunFolderTest.cpp --------------------------------------------------===//

#include "tools/ps-run/launch/RunFolder.h"
#include "test/unit/TemporaryDirectory.h"
#include "gmock/gmock.h"
#include <filesystem>
#include <set>
#include <thread>

using namespace ps;

namespace {

/// Many at the same second, from threads as from processes: mkdir() decides.
TEST(RunFolderTest, NoTwoCallsShareAFolder) {
  const runtime::TemporaryDirectory directory;
  const std::string dir = directory / "nested";
  const absl::Time now = absl::FromUnixSeconds(1738310400);
  constexpr int threads = 8, calls = 20;
  std::vector<std::string> folders(threads * calls);
  std::vector<std::thread> running;
  for (int t = 0; t != threads; ++t)
    running.emplace_back([&, t] {
      for (int i = 0; i != calls; ++i)
        if (auto folder = createRunFolder(dir, now);
            folder.ok() && linkLatest(*folder).ok())
          folders[t * calls + i] = *folder;
        else
          ADD_FAILURE() << folder.status();
    });
  for (std::thread &thread : running)
    thread.join();
  std::set<std::string> distinct(folders.begin(), folders.end());
  EXPECT_EQ(distinct.size(), folders.size());
  for (const std::string &folder : distinct)
    EXPECT_TRUE(std::filesystem::is_directory(folder)) << folder;
  std::filesystem::path latest = std::filesystem::read_symlink(dir + "/latest");
  EXPECT_TRUE(distinct.contains((std::filesystem::path(dir) / latest).string()))
      << latest;
}

} // namespace
