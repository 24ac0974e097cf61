// SPDX-License-Identifier: Apache-2.0
//===- TimeUse.cpp - where the time of a run went -------------------------===//

#include "tools/ps-run/output/TimeUse.h"
#include "absl/strings/str_format.h"
#include <algorithm>

using namespace ps;
using namespace ps::runtime;

/// What a wait for a node of `kind` is called.
static const char *causeOf(Node::Kind kind) {
  switch (kind) {
  case Node::Kind::Send:
  case Node::Kind::PushRows:
    return "push";
  case Node::Kind::SendBarrier:
  case Node::Kind::FetchBarrier:
    return "barrier";
  case Node::Kind::Recv:
  case Node::Kind::PushPull:
    return "pull";
  case Node::Kind::Prefetch:
  case Node::Kind::ReadRows:
    return "rows";
  case Node::Kind::AllReduce:
  case Node::Kind::Broadcast:
    return "all-reduce";
  default:
    return "compute"; // Nodes that end on other threads of this process.
  }
}

static void add(Scalars &causes, const std::string &name, double seconds) {
  for (auto &[known, sum] : causes)
    if (known == name) {
      sum += seconds;
      return;
    }
  causes.emplace_back(name, seconds);
}

Scalars TimeUse::byCause() const {
  const double waited = std::chrono::duration<double>(waits.total()).count();
  Scalars causes = {{"compute", std::max(0.0, steps - waited)}};
  for (size_t i = 0; i < Node::numKinds; ++i) {
    const auto kind = static_cast<Node::Kind>(i);
    if (waits[kind].count() != 0)
      add(causes, causeOf(kind),
          std::chrono::duration<double>(waits[kind]).count());
  }
  add(causes, "data", data);
  add(causes, "metrics", metrics);
  add(causes, "evaluation", evaluation);
  add(causes, "saves", saves);
  if (rows > 0)
    add(causes, "rows", rows);
  if (end > 0)
    add(causes, "end", end);
  std::stable_sort(
      causes.begin() + 1, causes.end(),
      [](const auto &a, const auto &b) { return a.second > b.second; });
  return causes;
}

std::string TimeUse::str() const {
  std::string text = absl::StrFormat("time  %.3g s", total);
  double rest = 100;
  for (const auto &[name, seconds] : byCause()) {
    const double percent = total > 0 ? 100 * seconds / total : 0;
    if (percent < 1)
      continue;
    absl::StrAppendFormat(&text, "  %s %.0f %%", name, percent);
    rest -= percent;
  }
  if (rest >= 1)
    absl::StrAppendFormat(&text, "  other %.0f %%", rest);
  return text;
}
