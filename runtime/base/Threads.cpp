// SPDX-License-Identifier: Apache-2.0
//===- Threads.cpp - whether threads can be had ---------------------------===//

#include "runtime/base/Threads.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/Event.h"
#include <cstring>
#include <pthread.h>
#include <vector>

absl::Status ps::runtime::checkThreads(int count) {
  Event end;
  std::vector<pthread_t> threads(static_cast<size_t>(count));
  int started = 0, error = 0;
  // Not std::thread, which frees memory on the new thread: malloc would keep an
  // arena of 64 MiB for it.
  auto body = [](void *end) -> void * {
    static_cast<Event *>(end)->wait();
    return nullptr;
  };
  while (started < count && error == 0)
    if (error = pthread_create(&threads[started], nullptr, body, &end);
        error == 0)
      ++started;
  end.notify();
  for (int i = 0; i < started; ++i)
    pthread_join(threads[i], nullptr);
  if (error == 0)
    return absl::OkStatus();
  return absl::ResourceExhaustedError(absl::StrCat(
      "expected to start ", count, " threads, the system refuses after ",
      started, " (", std::strerror(error),
      "): raise the limit of processes or memory (ulimit -u, -v), or lower "
      "--threads"));
}

void ps::runtime::nameThread(const char *name) {
  ::pthread_setname_np(::pthread_self(), name);
}
