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

/// Lets the pulls of `op`, whose exchange has one round, begin when the
/// gradients of their blocks are sent: the pserver answers once it has updated
/// them. Before the nodes are built.
void pullEarly(exec::ProgramOp op);

/// Makes the transfers that end a step of `op`, whose nodes are those of
/// `program`, late: the next step begins while they are under way, and what
/// touches the same memory waits for them.
void overlapSteps(exec::ProgramOp op, runtime::Program &program);

} // namespace ps

#endif // PS_TOOLS_PS_RUN_STEPOVERLAP_H
