// SPDX-License-Identifier: Apache-2.0
//===- StagedFeeds.cpp - a batch on its way into a program's feeds --------===//

#include "runtime/data/StagedFeeds.h"
#include "runtime/base/Join.h"
#include "runtime/base/Status.h"
#include <cstring>

using namespace ps::runtime;

absl::StatusOr<TensorRef> StagedFeeds::allocate(const std::string &name,
                                                TensorRef feed,
                                                MemorySpace space) {
  ASSIGN_OR_RETURN(Buffer bytes,
                   annotate(program.device().allocate(space, feed.type.bytes()),
                            "feed '", name, "'"));
  memory.push_back(std::move(bytes));
  return TensorRef{feed.type, memory.back().data(), space};
}

absl::StatusOr<std::unique_ptr<StagedFeeds>>
StagedFeeds::create(Program &program, Options options) {
  std::unique_ptr<StagedFeeds> feeds(new StagedFeeds(program));
  for (const auto &[name, feed] : program.feeds) {
    feeds->onHost[name] = feed;
    if (options.ahead) {
      ASSIGN_OR_RETURN(feeds->onHost[name],
                       feeds->allocate(name, feed, MemorySpace::Host));
    }
  }
  for (const auto &[name, feed] : program.deviceFeeds) {
    if (!feeds->onHost.contains(name)) {
      ASSIGN_OR_RETURN(feeds->onHost[name],
                       feeds->allocate(name, feed, MemorySpace::Host));
    }
    ASSIGN_OR_RETURN(TensorRef staged,
                     feeds->allocate(name, feed, MemorySpace::Device));
    feeds->sent.push_back({feeds->onHost[name], staged, feed});
  }
  return feeds;
}

absl::Status StagedFeeds::send() {
  return awaitAll(sent.size(), [&](size_t i, Done done) {
    program.device().transfer(sent[i].source, sent[i].staged,
                              std::span(&delivered, 1), std::move(done));
  });
}

absl::Status StagedFeeds::deliver() {
  for (const auto &[name, to] : program.feeds)
    if (const TensorRef &from = onHost.at(name); from.data != to.data)
      std::memcpy(to.data, from.data, to.type.bytes());
  if (sent.empty())
    return absl::OkStatus();
  for (const Sent &each : sent)
    RETURN_IF_ERROR(program.device().copyWithin(each.staged, each.feed));
  ASSIGN_OR_RETURN(delivered, program.device().moment());
  return absl::OkStatus();
}
