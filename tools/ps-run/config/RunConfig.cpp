// SPDX-License-Identifier: Apache-2.0
//===- RunConfig.cpp - what one ps-run process is to do -------------------===//

#include "tools/ps-run/config/RunConfig.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "runtime/executor/Executor.h"
#include <algorithm>

using namespace ps;

std::string ps::fileOfProcess(const std::string &file, const std::string &role,
                              int id) {
  if (file.empty() || (role == "trainer" && id == 0))
    return file;
  return absl::StrCat(file, ".", role, "-", id);
}

std::string ps::findMode(const std::string &transpile) {
  for (absl::string_view option : absl::StrSplit(transpile, ' '))
    if (absl::ConsumePrefix(&option, "mode="))
      return std::string(option);
  return "";
}

std::string ps::transpileText(int pservers, int trainers,
                              const std::string &further) {
  std::string options = absl::StrCat("trainers=", trainers);
  if (pservers != 0)
    absl::StrAppend(&options, " pservers=", pservers);
  else if (findMode(further).empty())
    absl::StrAppend(&options, " mode=collective");
  if (!further.empty())
    absl::StrAppend(&options, " ", further);
  return options;
}

/// Processes of one role share the cores by default: threads without a core
/// only disturb others. The two roles do not share them: in mode sync, trainers
/// and pservers compute in turn. In other modes they overlap, but no fixed
/// share would fit: how much a pserver computes depends on the model.
int ps::threadsOfProcess(const LaunchConfig &config, bool isTrainer) {
  const int processes = isTrainer ? config.trainers : config.pservers;
  return config.run.threads.value_or(
      std::max(1, runtime::Executor::defaultThreads() / processes));
}
