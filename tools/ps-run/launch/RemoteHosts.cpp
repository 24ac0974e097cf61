// SPDX-License-Identifier: Apache-2.0
//===- RemoteHosts.cpp - the machines of a job ----------------------------===//
//
// Nothing is copied: programs, the token and checkpoints are in folders that
// all machines share, at the same path. What is missing on a machine is
// reported by the command there.
//
//===----------------------------------------------------------------------===//

#include "tools/ps-run/launch/RemoteHosts.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "runtime/base/Status.h"
#include "tools/ps-run/config/UsageError.h"
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <optional>

using namespace ps;

namespace {
struct HostLine {
  std::string host;
  int slots = 1;
  /// Both are set, or none.
  std::optional<int> pservers, trainers;
};
} // namespace

static absl::StatusOr<HostLine> parseLine(absl::string_view text) {
  const std::vector<absl::string_view> words =
      absl::StrSplit(text, absl::ByAnyChar(" \t\r"), absl::SkipEmpty());
  HostLine line{.host = std::string(words.front())};
  bool hasSlots = false;
  for (size_t i = 1; i != words.size(); ++i) {
    absl::string_view word = words[i];
    int number;
    const bool isSlots = absl::ConsumePrefix(&word, "slots="),
               isPServers = !isSlots && absl::ConsumePrefix(&word, "pservers="),
               isTrainers = !isSlots && !isPServers &&
                            absl::ConsumePrefix(&word, "trainers=");
    if ((!isSlots && !isPServers && !isTrainers) ||
        !absl::SimpleAtoi(word, &number) || number < (isSlots ? 1 : 0) ||
        number > 1024)
      return usageError(
          absl::StrCat("expected slots=N, pservers=N or trainers=N, found '",
                       words[i], "'"));
    if (isSlots)
      line.slots = number;
    else
      (isPServers ? line.pservers : line.trainers) = number;
    hasSlots |= isSlots;
  }
  if (hasSlots && (line.pservers || line.trainers))
    return usageError("expected either slots or counts of roles");
  if (line.pservers || line.trainers) {
    line.pservers = line.pservers.value_or(0);
    line.trainers = line.trainers.value_or(0);
  }
  // A host that looks like a flag would be one of ssh's.
  if (line.host.front() == '-')
    return usageError(
        absl::StrCat("'", line.host, "' is not the name of a machine"));
  return line;
}

/// `count` processes, in turn on each slot.
static std::vector<std::string>
assignInTurn(const std::vector<std::string> &slots, int count) {
  std::vector<std::string> hosts;
  for (int i = 0; i < count; ++i)
    hosts.push_back(slots[static_cast<size_t>(i) % slots.size()]);
  return hosts;
}

absl::StatusOr<HostPlan> ps::parseHosts(absl::string_view text,
                                        const std::string &path, int pservers,
                                        int trainers) {
  HostPlan plan;
  std::vector<std::string> slots;
  int number = 0;
  for (absl::string_view raw : absl::StrSplit(text, '\n')) {
    ++number;
    const absl::string_view words =
        absl::StripAsciiWhitespace(raw.substr(0, raw.find('#')));
    if (words.empty())
      continue;
    absl::StatusOr<HostLine> line = parseLine(words);
    if (!line.ok())
      return usageError(absl::StrCat("--hosts: ", path, ":", number, ": ",
                                     line.status().message()));
    if (line->pservers) {
      plan.pservers.insert(plan.pservers.end(), *line->pservers, line->host);
      plan.trainers.insert(plan.trainers.end(), *line->trainers, line->host);
    } else {
      slots.insert(slots.end(), line->slots, line->host);
    }
  }
  const bool hasCounts = !plan.pservers.empty() || !plan.trainers.empty();
  if (hasCounts && !slots.empty())
    return usageError(absl::StrCat("--hosts: ", path,
                                   ": expected counts of roles in all lines "
                                   "or in none"));
  if (!hasCounts && slots.empty())
    return usageError(absl::StrCat("--hosts: ", path, " names no machine"));
  if (!hasCounts)
    return HostPlan{assignInTurn(slots, pservers),
                    assignInTurn(slots, trainers)};
  if (static_cast<int>(plan.pservers.size()) != pservers ||
      static_cast<int>(plan.trainers.size()) != trainers)
    return usageError(absl::StrCat("--hosts: ", path, " has ",
                                   plan.pservers.size(), " pservers and ",
                                   plan.trainers.size(), " trainers, the job ",
                                   pservers, " and ", trainers));
  return plan;
}

absl::StatusOr<HostPlan> ps::planHosts(const std::string &path, int pservers,
                                       int trainers) {
  std::ifstream file(path);
  const std::string text(std::istreambuf_iterator<char>(file), {});
  if (!file.good() && !file.eof())
    return usageError(absl::StrCat("--hosts: cannot read '", path,
                                   "': ", std::strerror(errno)));
  return parseHosts(text, path, pservers, trainers);
}

/// To fish a backslash is special between quotes, too.
std::string ps::quoteForShell(const std::string &text) {
  const bool isPlain = !text.empty() && std::ranges::all_of(text, [](char c) {
    return absl::ascii_isalnum(c) || absl::StrContains("_-./:=", c);
  });
  return isPlain ? text
                 : absl::StrCat("'",
                                absl::StrReplaceAll(
                                    text, {{"'", "'\\''"}, {"\\", "'\\\\'"}}),
                                "'");
}

/// A shell, which need not be the user's own, becomes the process. Beside it
/// one more reads the signals.
std::vector<std::string> ps::remoteCommand(const RemoteProcess &process) {
  auto missing = [&](const std::string &what) {
    return absl::StrCat("{ echo ",
                        quoteForShell(absl::StrCat(
                            "ps-run: error: ", process.host, " has no ", what,
                            ": launch --hosts expects the same files at the "
                            "same paths on all machines")),
                        " >&2; exit 2; }");
  };
  std::vector<std::string> words = {"exec", "env"};
  for (const std::string &entry : process.environment)
    words.push_back(quoteForShell(entry));
  words.push_back(quoteForShell(process.program));
  for (const std::string &argument : process.arguments)
    words.push_back(quoteForShell(argument));
  const std::string text = absl::StrCat(
      "cd ", quoteForShell(process.folder), " || ",
      missing(absl::StrCat("folder '", process.folder, "'")), "; test -r ",
      quoteForShell(process.script), " || ",
      missing(absl::StrCat("file '", process.script, "'")), "; test -x ",
      quoteForShell(process.program), " || ",
      missing(absl::StrCat("program '", process.program, "'")),
      "; exec 3<&0; (while read -r name <&3; do kill -$name $$; done; "
      "kill -KILL $$) >/dev/null 2>&1 & ",
      absl::StrJoin(words, " "), " 3<&- </dev/null");
  std::vector<std::string> command = {"/usr/bin/env"}; // Looks for ssh.
  for (absl::string_view word :
       absl::StrSplit(process.ssh, ' ', absl::SkipEmpty()))
    command.emplace_back(word);
  command.push_back(process.host);
  command.push_back("exec /bin/sh -c " + quoteForShell(text));
  return command;
}
