// SPDX-License-Identifier: Apache-2.0
//===- Trace.cpp - spans in Chrome's trace format -------------------------===//
//
// Spans are kept in memory, 40 bytes each, and written at the end: printing
// during the run would distort it. Kernels are in the lane of their thread, or
// of the device that runs them; transfers overlap and have a lane each.
//
//===----------------------------------------------------------------------===//

#include "runtime/executor/Trace.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/Mutex.h"
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <deque>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <thread>
#include <unistd.h>
#include <vector>

using namespace ps::runtime;

namespace {
/// A long run has millions of these.
struct Span {
  int64_t beginNs, endNs, step;
  /// Indices into Impl::texts.
  uint32_t category, name;
  /// The lane of a thread; -1 for a span that has none.
  int lane;
};
static_assert(sizeof(Span) <= 40);

int64_t nanoseconds(Trace::Clock::time_point time) {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             time.time_since_epoch())
      .count();
}

/// The format counts microseconds, fractions allowed. Printed by hand: a
/// double loses the nanoseconds of a long uptime.
std::string microseconds(int64_t ns) {
  char text[40];
  std::snprintf(text, sizeof(text), "%lld.%03d",
                static_cast<long long>(ns / 1000), static_cast<int>(ns % 1000));
  return text;
}

/// What the arguments of a span say of a transfer.
std::string describe(const TransferSize &size) {
  std::string text;
  if (size.sent != 0)
    absl::StrAppend(&text, ",\"sent_bytes\":", size.sent);
  if (size.received != 0)
    absl::StrAppend(&text, ",\"received_bytes\":", size.received);
  return text;
}

/// Traces of one machine have one clock, since it was started; by those of
/// several, its wall clock says when that was.
std::string describeClock() {
  std::string boot;
  std::ifstream("/proc/sys/kernel/random/boot_id") >> boot;
  using std::chrono::microseconds;
  const auto offset = std::chrono::duration_cast<microseconds>(
      std::chrono::system_clock::now().time_since_epoch() -
      Trace::Clock::now().time_since_epoch());
  return absl::StrCat("{\"boot\":\"", boot,
                      "\",\"wall_offset_us\":", offset.count(), "}");
}

std::string quoted(const std::string &text) {
  using Json = nlohmann::json;
  return Json(text).dump(-1, ' ', /*ensure_ascii=*/true,
                         Json::error_handler_t::replace);
}
} // namespace

struct Trace::Impl {
  std::string processName;
  mutable Mutex mutex;
  std::deque<Span> spans ABSL_GUARDED_BY(mutex);
  /// Those of the spans without a lane, in their order.
  std::deque<TransferSize> sizes ABSL_GUARDED_BY(mutex);
  std::map<const void *, std::function<TransferSize()>>
      measured ABSL_GUARDED_BY(mutex);
  std::map<std::thread::id, int> threadLanes ABSL_GUARDED_BY(mutex);
  std::vector<std::string> laneNames ABSL_GUARDED_BY(mutex);
  /// Every category and name once, quoted; nodes repeat theirs every step.
  std::vector<std::string> texts ABSL_GUARDED_BY(mutex);
  std::map<std::string, uint32_t, std::less<>>
      textIndices ABSL_GUARDED_BY(mutex);

  /// -1 is no lane.
  void add(int lane, std::string_view category, std::string_view name,
           Clock::time_point begin, Clock::time_point end, int64_t step,
           TransferSize size = {}) {
    MutexLock lock(mutex);
    spans.push_back({nanoseconds(begin), nanoseconds(end), step,
                     intern(category), intern(name), lane});
    if (lane < 0)
      sizes.push_back(size);
  }
  TransferSize sizeOf(const void *transfer) {
    std::function<TransferSize()> size;
    {
      MutexLock lock(mutex);
      if (auto found = measured.find(transfer); found != measured.end())
        size = found->second;
    }
    return size ? size() : TransferSize();
  }
  int laneOfThread() {
    MutexLock lock(mutex);
    auto [place, isNew] = threadLanes.try_emplace(std::this_thread::get_id(),
                                                  int(laneNames.size()));
    if (isNew)
      laneNames.push_back(absl::StrCat("thread ", place->second));
    return place->second;
  }
  int laneNamed(std::string_view name) {
    MutexLock lock(mutex);
    auto found = std::ranges::find(laneNames, name);
    if (found == laneNames.end())
      found = laneNames.emplace(laneNames.end(), name);
    return static_cast<int>(found - laneNames.begin());
  }

  bool print(std::FILE *file) const;

private:
  uint32_t intern(std::string_view text) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex) {
    auto found = textIndices.find(text);
    if (found == textIndices.end()) {
      found = textIndices.emplace(text, texts.size()).first;
      texts.push_back(quoted(found->first));
    }
    return found->second;
  }
};

Trace::Trace(std::string processName) : impl(std::make_unique<Impl>()) {
  impl->processName = std::move(processName);
}

Trace::~Trace() = default;

void Trace::span(std::string_view category, std::string_view name,
                 Clock::time_point begin, Clock::time_point end, int64_t step) {
  impl->add(impl->laneOfThread(), category, name, begin, end, step);
}

void Trace::asyncSpan(std::string_view category, std::string_view name,
                      Clock::time_point begin, Clock::time_point end,
                      int64_t step, const void *transfer) {
  impl->add(/*lane=*/-1, category, name, begin, end, step,
            impl->sizeOf(transfer));
}

void Trace::measure(const void *transfer, std::function<TransferSize()> size) {
  MutexLock lock(impl->mutex);
  impl->measured[transfer] = std::move(size);
}

void Trace::laneSpan(std::string_view lane, std::string_view category,
                     std::string_view name, Clock::time_point begin,
                     Clock::time_point end, int64_t step) {
  impl->add(impl->laneNamed(lane), category, name, begin, end, step);
}

/// False on failure, which errno explains.
bool Trace::Impl::print(std::FILE *file) const {
  MutexLock lock(mutex);
  auto put = [&](const std::string &text) {
    std::fwrite(text.data(), 1, text.size(), file);
  };
  const std::string pid = absl::StrCat(getpid());
  auto metadata = [&](const char *kind, int lane, const std::string &name) {
    return absl::StrCat("{\"ph\":\"M\",\"pid\":", pid, ",\"tid\":", lane,
                        ",\"name\":\"", kind,
                        "\",\"args\":{\"name\":", quoted(name), "}}");
  };

  put(absl::StrCat("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n",
                   metadata("process_name", 0, processName)));
  for (size_t lane = 0; lane != laneNames.size(); ++lane)
    put(absl::StrCat(",\n", metadata("thread_name", static_cast<int>(lane),
                                     laneNames[lane])));
  size_t asyncId = 0;
  for (const Span &span : spans) {
    std::string moved;
    if (span.lane < 0)
      moved = describe(sizes[asyncId]);
    const std::string common =
        absl::StrCat(",\"pid\":", pid, ",\"cat\":", texts[span.category],
                     ",\"name\":", texts[span.name],
                     ",\"args\":{\"step\":", span.step, moved, "},\"ts\":");
    if (span.lane >= 0) {
      put(absl::StrCat(",\n{\"ph\":\"X\",\"tid\":", span.lane, common,
                       microseconds(span.beginNs), ",\"dur\":",
                       microseconds(span.endNs - span.beginNs), "}"));
      continue;
    }
    const std::string id = absl::StrCat(",\"tid\":0,\"id\":", ++asyncId);
    put(absl::StrCat(",\n{\"ph\":\"b\"", id, common, microseconds(span.beginNs),
                     "}", ",\n{\"ph\":\"e\"", id, common,
                     microseconds(span.endNs), "}"));
  }
  put(absl::StrCat("\n],\"otherData\":", describeClock(), "}\n"));
  return !std::ferror(file);
}

absl::Status Trace::write(const std::string &path) const {
  std::FILE *file = std::fopen(path.c_str(), "w");
  bool ok = file && impl->print(file);
  int error = errno;
  if (file && std::fclose(file) != 0) {
    error = ok ? errno : error;
    ok = false;
  }
  if (!ok)
    return absl::ErrnoToStatus(error,
                               absl::StrCat("cannot write trace '", path, "'"));
  return absl::OkStatus();
}
