// SPDX-License-Identifier: Apache-2.0
//===- SavesTest.cpp - trainer 0 has pservers save ------------------------===//

#include "runtime/base/Event.h"
#include "test/unit/links/TransportCluster.h"
#include <gmock/gmock.h>
#include <mutex>
#include <new>

using namespace ps::runtime;
using ::testing::ElementsAre;

namespace {
using Phase = SaveRequest::Phase;
constexpr auto early = absl::StatusCode::kFailedPrecondition;
constexpr auto invalid = absl::StatusCode::kInvalidArgument;
const std::string name(32, 'a');

/// Notes what it is asked for.
class FakeSaver final : public Saver {
public:
  absl::Status check(std::span<const SaveFolder> folders) override {
    return note("check", folders);
  }
  absl::StatusOr<SavedPart>
  stage(std::span<const SaveFolder> folders) override {
    if (absl::Status status = note("stage", folders); !status.ok())
      return status;
    return SavedPart{.optimizerFiles = {"file"}};
  }
  absl::StatusOr<std::string> flush() override {
    {
      std::lock_guard guard(mutex);
      made.push_back("flush");
    }
    flushing.notify();
    if (slow)
      released.wait();
    return "digest";
  }
  absl::StatusOr<std::vector<SavedFile>>
  seal(const std::string &checkpointId) override {
    std::lock_guard guard(mutex);
    made.push_back("seal " + checkpointId);
    return files;
  }
  absl::Status publish(const std::string &checkpointId) override {
    std::lock_guard guard(mutex);
    made.push_back("publish " + checkpointId);
    return absl::OkStatus();
  }
  void discard() override {
    std::lock_guard guard(mutex);
    made.push_back("discard");
  }

  /// Those that it seals.
  std::vector<SavedFile> files = {{1, "file", {12, 0xabcdef}}};
  /// Whether flush() takes until `released`.
  bool slow = false;
  Event flushing, released;

  std::vector<std::string> calls() const {
    std::lock_guard guard(mutex);
    return made;
  }

private:
  absl::Status note(std::string call, std::span<const SaveFolder> folders) {
    for (const SaveFolder &folder : folders)
      call += " " + folder.dir;
    {
      std::lock_guard guard(mutex);
      made.push_back(call);
    }
    if (folders[0].dir == "huge")
      throw std::bad_alloc();
    return folders[0].dir == "full" ? absl::UnavailableError("'full': no space")
                                    : absl::OkStatus();
  }

  mutable std::mutex mutex;
  std::vector<std::string> made;
};

absl::StatusOr<SavedPart> save(Client &client, const SaveRequest &request) {
  absl::StatusOr<SavedPart> answer;
  Pending pending;
  client.save(request, [&, done = pending.done()](
                           absl::StatusOr<SavedPart> part) mutable {
    answer = part;
    done(part.status());
  });
  absl::Status status = pending.wait();
  return status.ok() ? answer : status;
}

SaveRequest stage(uint64_t number, const std::string &dir = "dir") {
  return {Phase::Stage, number, {{dir, RowSelection::All}}, ""};
}
SaveRequest flush(uint64_t number) { return {Phase::Flush, number, {}, ""}; }
SaveRequest seal(uint64_t number) { return {Phase::Seal, number, {}, name}; }
SaveRequest publish(uint64_t number) {
  return {Phase::Publish, number, {}, name};
}

SaveRequest discard(uint64_t number) {
  return {Phase::Discard, number, {}, ""};
}

class SavesTest : public ::testing::TestWithParam<Transport> {
protected:
  void SetUp() override {
    cluster = std::make_unique<Cluster>(
        GetParam(), Cluster::Setup{.trainers = 2, .saver = &saver});
    for (int i : {0, 1}) {
      clients.push_back(cluster->connect(i));
      ASSERT_TRUE(clients.back());
    }
  }
  /// A test that fails leaves none waiting.
  void TearDown() override { saver.released.notify(); }
  void start() {
    for (auto &client : clients)
      ASSERT_OK(fetchBarrier(*client, startupStep));
  }

  FakeSaver saver;
  std::unique_ptr<Cluster> cluster;
  std::vector<std::unique_ptr<Client>> clients;
};
} // namespace

TEST_P(SavesTest, ChecksStagesFlushesSealsAndPublishes) {
  start();
  ASSERT_OK(save(*clients[0], {.folders = {{"base", RowSelection::Base},
                                           {"all", RowSelection::All}}})
                .status());
  absl::StatusOr<SavedPart> part = save(*clients[0], stage(1));
  ASSERT_OK(part.status());
  EXPECT_EQ(part->digest, "");
  EXPECT_THAT(part->optimizerFiles, ElementsAre("file"));
  EXPECT_THAT(part->files, ElementsAre());
  part = save(*clients[0], flush(1));
  ASSERT_OK(part.status());
  EXPECT_EQ(part->digest, "digest");
  part = save(*clients[0], seal(1));
  ASSERT_OK(part.status());
  EXPECT_EQ(part->files, saver.files);
  ASSERT_OK(save(*clients[0], publish(1)).status());
  EXPECT_THAT(saver.calls(), ElementsAre("check base all", "stage dir", "flush",
                                         "seal " + name, "publish " + name));
}

/// A disk that takes long keeps no update waiting.
TEST_P(SavesTest, StepsGoOnWhileWhatIsStagedIsCompleted) {
  saver.slow = true;
  start();
  ASSERT_OK(save(*clients[0], stage(1)).status());
  Pending flushed;
  clients[0]->save(flush(1), [done = flushed.done()](auto part) mutable {
    done(part.status());
  });
  saver.flushing.wait();
  for (int64_t step : {0, 1}) {
    for (int i : {0, 1})
      for (auto &[block, values] : gradientsOf(*cluster, i, step))
        ASSERT_OK(push(*clients[i], step, block, values));
    Pending barrier;
    clients[0]->sendBarrier(step, barrier.done());
    ASSERT_OK(sendBarrier(*clients[1], step));
    ASSERT_OK(barrier.wait());
    for (auto &client : clients) {
      Values values = valuesOf(*cluster);
      ASSERT_OK(fetch(*client, step, values));
      expectTrained(values, 2, step + 1);
    }
  }
  expectError(save(*clients[0], stage(2)).status(), early,
              {"expected the end of the save that is under way"});
  ASSERT_OK(push(*clients[0], 2, "b", std::vector<float>(7)));
  saver.released.notify();
  ASSERT_OK(flushed.wait());
  ASSERT_OK(save(*clients[0], seal(1)).status());
  ASSERT_OK(save(*clients[0], publish(1)).status());
  expectError(save(*clients[0], stage(2)).status(), early,
              {"found a save of step"});
}

/// Their rows are marked as saved then.
TEST_P(SavesTest, RowsThatChangedArePublishedBetweenSteps) {
  start();
  SaveRequest delta = stage(1);
  delta.folders[0].rows = RowSelection::Delta;
  ASSERT_OK(save(*clients[0], delta).status());
  ASSERT_OK(save(*clients[0], flush(1)).status());
  ASSERT_OK(push(*clients[0], 0, "b", std::vector<float>(7)));
  ASSERT_OK(save(*clients[0], seal(1)).status());
  expectError(save(*clients[0], publish(1)).status(), early,
              {"found a save of step"});
}

TEST_P(SavesTest, TheEndOfTheJobEndsASaveThatTakesLong) {
  saver.slow = true;
  start();
  ASSERT_OK(save(*clients[0], stage(1)).status());
  Pending flushed;
  clients[0]->save(flush(1), [done = flushed.done()](auto part) mutable {
    done(part.status());
  });
  saver.flushing.wait();
  cluster->pserver->stop(absl::AbortedError("no more"));
  expectError(flushed.wait(), absl::StatusCode::kAborted, {"no more"});
  saver.released.notify();
}

/// More names than a header holds; and too many.
TEST_P(SavesTest, ListsOfFilesMayBeLong) {
  start();
  saver.files.clear();
  for (uint64_t i = 0; i != 3000; ++i)
    saver.files.push_back({0, "file " + std::to_string(i), {i, ~i}});
  ASSERT_OK(save(*clients[0], stage(1)).status());
  ASSERT_OK(save(*clients[0], flush(1)).status());
  absl::StatusOr<SavedPart> part = save(*clients[0], seal(1));
  ASSERT_OK(part.status());
  EXPECT_EQ(part->files, saver.files);
  saver.files.assign(3000, {0, std::string(1000, 'x'), {}});
  ASSERT_OK(save(*clients[0], stage(2)).status());
  ASSERT_OK(save(*clients[0], flush(2)).status());
  expectError(save(*clients[0], seal(2)).status(),
              absl::StatusCode::kResourceExhausted, {"expected a list of"});
}

TEST_P(SavesTest, FailuresNameThePServer) {
  start();
  expectError(
      save(*clients[0], stage(1, "full")).status(),
      absl::StatusCode::kUnavailable,
      {"saving: pserver ", cluster->endpoint.c_str(), "'full': no space"});
  expectError(save(*clients[0], flush(1)).status(), early,
              {"expected checkpoint 1 to be staged, found none"});
  expectError(save(*clients[0], stage(1, "huge")).status(),
              absl::StatusCode::kResourceExhausted,
              {"saving: pserver ", cluster->endpoint.c_str(), "no memory"});
  ASSERT_OK(save(*clients[0], stage(2)).status());
  expectError(save(*clients[0], seal(2)).status(), early,
              {"expected checkpoint 2 to be flushed, found none"});
  expectError(save(*clients[0], flush(1)).status(), early,
              {"expected checkpoint 1 to be staged, found checkpoint 2"});
  ASSERT_OK(save(*clients[0], flush(2)).status());
  expectError(save(*clients[0], publish(2)).status(), early,
              {"expected checkpoint 2 to be sealed, found none"});
  ASSERT_OK(save(*clients[0], seal(2)).status());
  expectError(save(*clients[0], publish(1)).status(), early,
              {"expected checkpoint 1 to be sealed, found checkpoint 2"});
  SaveRequest other = publish(2);
  other.checkpointId = std::string(32, 'b');
  expectError(save(*clients[0], other).status(), early,
              {"expected checkpoint 2 to be sealed, found none"});
  EXPECT_OK(save(*clients[0], publish(2)).status());
}

TEST_P(SavesTest, DiscardsACheckpointThatIsNotPublished) {
  start();
  expectError(save(*clients[0], discard(1)).status(), early,
              {"expected checkpoint 1 to be staged, found none"});
  ASSERT_OK(save(*clients[0], stage(1)).status());
  expectError(save(*clients[0], discard(2)).status(), early,
              {"expected checkpoint 2 to be staged, found checkpoint 1"});
  // While training goes on, and once.
  ASSERT_OK(push(*clients[0], 0, "b", std::vector<float>(7)));
  EXPECT_OK(save(*clients[0], discard(1)).status());
  EXPECT_OK(save(*clients[0], discard(1)).status());
  expectError(save(*clients[0], flush(1)).status(), early,
              {"expected checkpoint 1 to be staged, found none"});
  EXPECT_THAT(saver.calls(), ElementsAre("stage dir", "discard"));
}

TEST_P(SavesTest, DiscardsFromEveryPhaseButNotWhatIsPublished) {
  start();
  expectError(save(*clients[0], stage(1, "full")).status(),
              absl::StatusCode::kUnavailable, {"'full': no space"});
  EXPECT_OK(save(*clients[0], discard(1)).status());
  ASSERT_OK(save(*clients[0], stage(2)).status());
  ASSERT_OK(save(*clients[0], flush(2)).status());
  EXPECT_OK(save(*clients[0], discard(2)).status());
  ASSERT_OK(save(*clients[0], stage(3)).status());
  ASSERT_OK(save(*clients[0], flush(3)).status());
  ASSERT_OK(save(*clients[0], seal(3)).status());
  EXPECT_OK(save(*clients[0], discard(3)).status());
  expectError(save(*clients[0], publish(3)).status(), early,
              {"expected checkpoint 3 to be sealed, found none"});
  ASSERT_OK(save(*clients[0], stage(4)).status());
  ASSERT_OK(save(*clients[0], flush(4)).status());
  ASSERT_OK(save(*clients[0], seal(4)).status());
  ASSERT_OK(save(*clients[0], publish(4)).status());
  expectError(save(*clients[0], discard(4)).status(), early,
              {"expected checkpoint 4 to be staged, found none"});
}

TEST_P(SavesTest, OnlyTrainer0SavesAndBetweenSteps) {
  expectError(save(*clients[0], stage(1)).status(), early,
              {"from trainer 0", "found a save of step"});
  start();
  expectError(save(*clients[1], stage(1)).status(), early,
              {"expected trainer 0 to save, found trainer 1"});
  ASSERT_OK(push(*clients[0], 0, "b", std::vector<float>(7)));
  expectError(save(*clients[0], stage(1)).status(), early,
              {"found a save of step"});
  EXPECT_THAT(saver.calls(), ElementsAre());
}

TEST_P(SavesTest, RequestsAreChecked) {
  start();
  for (const SaveRequest &request :
       {stage(1, ""), stage(1, std::string(maxFolderBytes + 1, 'x')),
        stage(1, std::string("a\0b", 3)), SaveRequest{Phase::Stage, 1, {}, ""},
        SaveRequest{Phase::Stage,
                    1,
                    {{"a", RowSelection::All}, {"b", RowSelection::All}},
                    ""},
        SaveRequest{Phase::Seal, 1, {}, "../" + name.substr(3)},
        SaveRequest{Phase::Publish, 1, {}, "../" + name.substr(3)}})
    expectError(save(*clients[0], request).status(), invalid, {"expected "});
  EXPECT_THAT(saver.calls(), ElementsAre());
}

TEST_P(SavesTest, RepeatedRequestsCountOnce) {
  for (auto kind : {FaultPlan::Kind::Duplicate, FaultPlan::Kind::DropAnswer,
                    FaultPlan::Kind::DropRequest}) {
    FakeSaver own;
    Cluster other(GetParam(), {.trainers = 1, .saver = &own});
    auto plan = std::make_shared<FaultPlan>();
    plan->strike(wire::Request::kSave, 0, kind);
    plan->strike(wire::Request::kSave, 2, kind);
    plan->strike(wire::Request::kSave, 4, kind);
    plan->strike(wire::Request::kSave, 6, kind);
    auto client = other.connect(0, plan);
    ASSERT_TRUE(client);
    ASSERT_OK(fetchBarrier(*client, startupStep));
    absl::StatusOr<SavedPart> part = save(*client, stage(1));
    ASSERT_OK(part.status());
    EXPECT_THAT(part->optimizerFiles, ElementsAre("file"));
    part = save(*client, flush(1));
    ASSERT_OK(part.status());
    EXPECT_EQ(part->digest, "digest");
    part = save(*client, seal(1));
    ASSERT_OK(part.status());
    EXPECT_EQ(part->files, own.files);
    ASSERT_OK(save(*client, publish(1)).status());
    EXPECT_THAT(own.calls(), ElementsAre("stage dir", "flush", "seal " + name,
                                         "publish " + name));
  }
}

TEST_P(SavesTest, WhoCannotSaveSaysSo) {
  Cluster other(GetParam(), {.trainers = 1});
  auto client = other.connect(0);
  ASSERT_TRUE(client);
  ASSERT_OK(fetchBarrier(*client, startupStep));
  expectError(save(*client, stage(1)).status(), early, {"cannot save"});
}

INSTANTIATE_TEST_SUITE_P(All, SavesTest, allTransports, nameOf);
