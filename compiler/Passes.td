//===- Passes.td - the compiler's passes ----------------------------------===//

#ifndef PS_COMPILER_PASSES_TD
#define PS_COMPILER_PASSES_TD

include "mlir/Pass/PassBase.td"

#endif // PS_COMPILER_PASSES_TD
