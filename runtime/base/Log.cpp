// SPDX-License-Identifier: Apache-2.0
//===- Log.cpp - where progress lines go ----------------------------------===//

#include "runtime/base/Log.h"
#include <iostream>

void ps::runtime::logLine(const Log &log, const std::string &line) {
  if (log)
    log(line);
  else
    std::cerr << line + '\n';
}
