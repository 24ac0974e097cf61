// SPDX-License-Identifier: Apache-2.0
//===- CrashPoint.h - places where tests kill a process -------------------===//
//
// A kill from outside hardly ever meets the moment between two renames. In a
// build with -DPS_CRASH_POINTS=ON, which is for tests, the environment variable
// PS_CRASH_AT names that moment, or several of them:
//
//   PS_CRASH_AT=POINT:N:FILE,..   SIGKILL at the N-th pass of a process by
//                                 POINT, in the first process that creates
//                                 FILE then
//
// So for each moment one process of a job is killed, once, also if all of them
// are started again with the same environment. Other builds do not read the
// variable.
//
//===----------------------------------------------------------------------===//

#ifndef PS_RUNTIME_TESTING_CRASHPOINT_H
#define PS_RUNTIME_TESTING_CRASHPOINT_H

namespace ps::runtime {

/// Ends the process if `point` is where that is asked for. Thread-safe.
void crashPoint(const char *point);

} // namespace ps::runtime

#endif // PS_RUNTIME_TESTING_CRASHPOINT_H
