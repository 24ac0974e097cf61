// SPDX-License-Identifier: Apache-2.0
//===- FewestVariables.cpp - a dispatcher in a library of its own ---------===//
//
// ps-opt --load-pass-plugin=<this library> knows split-method=FewestVariables:
// all blocks of a variable go to the server that has the fewest variables. And
// split-method=Nowhere, which places blocks where there is no server, as a
// faulty dispatcher might.
//
//===----------------------------------------------------------------------===//

#include "compiler/distribute/Placement.h"

#include "mlir/Tools/Plugins/PassPlugin.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <vector>

namespace {

class FewestVariables : public ps::Dispatcher {
  void assign(llvm::MutableArrayRef<ps::PlacedRows> blocks,
              llvm::ArrayRef<int64_t> pinned) const override {
    std::vector<int64_t> variables(pinned.size());
    for (size_t i = 0; i < blocks.size(); ++i) {
      if (blocks[i].index > 0) { // stays with the block before it
        blocks[i].server = blocks[i - 1].server;
        blocks[i].reason = blocks[i - 1].reason;
        continue;
      }
      auto fewest = std::min_element(variables.begin(), variables.end());
      blocks[i].server = fewest - variables.begin();
      blocks[i].reason = "beside " + std::to_string(*fewest) + " variables";
      ++*fewest;
    }
  }
};

class Nowhere : public ps::Dispatcher {
  void assign(llvm::MutableArrayRef<ps::PlacedRows> blocks,
              llvm::ArrayRef<int64_t> pinned) const override {
    for (ps::PlacedRows &block : blocks)
      block.server = pinned.size();
  }
};

} // namespace

static void registerDispatchers() {
  ps::registerDispatcher("FewestVariables",
                         [] { return std::make_unique<FewestVariables>(); });
  ps::registerDispatcher("Nowhere", [] { return std::make_unique<Nowhere>(); });
}

extern "C" LLVM_ATTRIBUTE_WEAK mlir::PassPluginLibraryInfo
mlirGetPassPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "FewestVariables", "1", registerDispatchers};
}
