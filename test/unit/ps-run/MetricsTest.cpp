// SPDX-License-Identifier: Apache-2.0
//===- MetricsTest.cpp ----------------------------------------------------===//

#include "tools/ps-run/output/Metrics.h"
#include "gmock/gmock.h"
#include <cmath>

using namespace ps;

namespace {

TEST(MetricsTest, Line) {
  EXPECT_EQ(toJson({"train", 0, 10, {{"loss", 0.53}, {"a\"b", 2}}, 1234.56},
                   "trainer", 0),
            "{\"role\":\"trainer\",\"id\":0,\"phase\":\"train\",\"epoch\":0,"
            "\"step\":10,\"loss\":0.53,\"a\\\"b\":2,"
            "\"examples_per_second\":1234.6,\"seconds\":0.000}");
}

TEST(MetricsTest, NumbersThatJsonLacksAreNull) {
  EXPECT_THAT(
      toJson({"train", 0, 0, {{"loss", NAN}, {"x", INFINITY}}, 0}, "local", 0),
      testing::HasSubstr("\"loss\":null,\"x\":null"));
}

TEST(MetricsTest, NumbersAreReadBackAsTheyWere) {
  EXPECT_THAT(
      toJson({"train", 0, 0, {{"a", 0.1f}, {"b", 1.0 / 3}}, 0}, "local", 0),
      testing::HasSubstr("\"a\":0.1,\"b\":0.3333333333333333,"));
}

TEST(MetricsTest, APServerHasNeitherEpochNorRate) {
  EXPECT_EQ(toJson({.phase = "serve", .step = 3, .scalars = {}}, "pserver", 1),
            "{\"role\":\"pserver\",\"id\":1,\"phase\":\"serve\",\"step\":3,"
            "\"seconds\":0.000}");
}

TEST(MetricsTest, UnwritableFile) {
  EXPECT_THAT(
      std::string(Metrics::open("/nowhere/m", "local", 0).status().message()),
      testing::HasSubstr("cannot write metrics to '/nowhere/m'"));
}

TEST(MetricsTest, WithoutAFileNothingHappens) {
  absl::StatusOr<Metrics> metrics = Metrics::open("", "local", 0);
  ASSERT_TRUE(metrics.ok());
  metrics->write({"train", 0, 0, {}, 0});
  EXPECT_TRUE(metrics->close().ok());
}

} // namespace
