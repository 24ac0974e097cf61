//===- StepOverlap.h - transfers that go on into the next step ------------===//
//
// Inside of the loader.
//
//===----------------------------------------------------------------------===//

#ifndef PS_TOOLS_PS_RUN_STEPOVERLAP_H
#define PS_TOOLS_PS_RUN_STEPOVERLAP_H

#include "dialects/exec/ExecDialect.h"
#include "runtime/executor/Program.h"

namespace ps {

/// Makes the transfers that end a step of `op`, whose nodes are those of
/// `program`, late: the next step begins while they are under way, and what
/// touches the same memory waits for them.
void overlapSteps(exec::ProgramOp op, runtime::Program &program);

} // namespace ps

#endif // PS_TOOLS_PS_RUN_STEPOVERLAP_H
