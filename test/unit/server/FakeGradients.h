// SPDX-License-Identifier: Apache-2.0
//===- FakeGradients.h - gradients that no trainer pushes -----------------===//

#ifndef PS_TEST_UNIT_SERVER_FAKEGRADIENTS_H
#define PS_TEST_UNIT_SERVER_FAKEGRADIENTS_H

#include "absl/strings/str_cat.h"
#include "runtime/server/state/PushedGradients.h"
#include <algorithm>
#include <set>
#include <string>

namespace ps::runtime {

/// Trainers push it, a block 'name', when the test adds them to `trainers`.
class FakeGradients : public PushedGradients {
public:
  explicit FakeGradients(std::string name = "w") : name(std::move(name)) {}

  bool hasPushed(int trainer) const override {
    return trainers.contains(trainer);
  }
  bool isComplete(int trainer) const override { return hasPushed(trainer); }
  bool hasAll(std::span<const int> all) const override {
    return std::all_of(all.begin(), all.end(),
                       [&](int trainer) { return hasPushed(trainer); });
  }
  std::string describePending(int trainer) const override {
    return hasPushed(trainer)
               ? ""
               : absl::StrCat("it had not pushed block '", name, "'");
  }
  SettledPush settle(int trainer) override {
    trainers.erase(trainer);
    return {};
  }
  absl::Status computeMean(StepContext &, std::span<const int>) override {
    return absl::OkStatus();
  }

  const std::string name;
  std::set<int> trainers;
};

} // namespace ps::runtime

#endif // PS_TEST_UNIT_SERVER_FAKEGRADIENTS_H
