//===- Trace.cpp - spans in Chrome's trace format -------------------------===//

#include "runtime/executor/Trace.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <thread>
#include <unistd.h>
#include <vector>

using namespace ps::runtime;

namespace {
struct Span {
  std::string category, name;
  int64_t beginNs, endNs, step;
  /// The lane of a thread; -1 for a span that has none.
  int lane;
};

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

std::string quoted(const std::string &text) {
  using Json = nlohmann::json;
  return Json(text).dump(-1, ' ', /*ensure_ascii=*/true,
                         Json::error_handler_t::replace);
}
} // namespace

struct Trace::Impl {
  std::string processName;
  mutable std::mutex mutex; // Guards spans and lanes.
  std::vector<Span> spans;
  std::map<std::thread::id, int> lanes;

  void add(std::string_view category, std::string_view name,
           Clock::time_point begin, Clock::time_point end, int64_t step,
           bool onThread) {
    Span span{std::string(category),
              std::string(name),
              nanoseconds(begin),
              nanoseconds(end),
              step,
              /*lane=*/-1};
    std::lock_guard<std::mutex> lock(mutex);
    if (onThread)
      span.lane =
          lanes.try_emplace(std::this_thread::get_id(), int(lanes.size()))
              .first->second;
    spans.push_back(std::move(span));
  }

  std::string text() const;
};

Trace::Trace(std::string processName) : impl(std::make_unique<Impl>()) {
  impl->processName = std::move(processName);
}

Trace::~Trace() = default;

void Trace::span(std::string_view category, std::string_view name,
                 Clock::time_point begin, Clock::time_point end, int64_t step) {
  impl->add(category, name, begin, end, step, /*onThread=*/true);
}

void Trace::asyncSpan(std::string_view category, std::string_view name,
                      Clock::time_point begin, Clock::time_point end,
                      int64_t step) {
  impl->add(category, name, begin, end, step, /*onThread=*/false);
}

std::string Trace::Impl::text() const {
  std::lock_guard<std::mutex> lock(mutex);
  std::string pid = absl::StrCat(getpid());
  auto metadata = [&](const char *kind, int lane, const std::string &name) {
    return absl::StrCat("{\"ph\":\"M\",\"pid\":", pid, ",\"tid\":", lane,
                        ",\"name\":\"", kind,
                        "\",\"args\":{\"name\":", quoted(name), "}}");
  };

  std::string out = "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n";
  absl::StrAppend(&out, metadata("process_name", 0, processName));
  for (const auto &[thread, lane] : lanes)
    absl::StrAppend(
        &out, ",\n",
        metadata("thread_name", lane, absl::StrCat("thread ", lane)));

  size_t asyncId = 0;
  for (const Span &span : spans) {
    std::string common =
        absl::StrCat(",\"pid\":", pid, ",\"cat\":", quoted(span.category),
                     ",\"name\":", quoted(span.name),
                     ",\"args\":{\"step\":", span.step, "},\"ts\":");
    if (span.lane >= 0) {
      absl::StrAppend(&out, ",\n{\"ph\":\"X\",\"tid\":", span.lane, common,
                      microseconds(span.beginNs),
                      ",\"dur\":", microseconds(span.endNs - span.beginNs),
                      "}");
      continue;
    }
    std::string id = absl::StrCat(",\"tid\":0,\"id\":", ++asyncId);
    absl::StrAppend(&out, ",\n{\"ph\":\"b\"", id, common,
                    microseconds(span.beginNs), "}");
    absl::StrAppend(&out, ",\n{\"ph\":\"e\"", id, common,
                    microseconds(span.endNs), "}");
  }
  return absl::StrCat(out, "\n]}\n");
}

absl::Status Trace::write(const std::string &path) const {
  std::string text = impl->text();
  std::FILE *file = std::fopen(path.c_str(), "w");
  bool ok =
      file && std::fwrite(text.data(), 1, text.size(), file) == text.size();
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
