//===- FewestVariables.cpp - a dispatcher in a library of its own ---------===//
//
// ps-opt --load-pass-plugin=<this library> knows split-method=FewestVariables:
// all blocks of a variable go to the server that has the fewest variables. And
// split-method=Nowhere, which places blocks where there is no server, as a
// faulty dispatcher might.
//
//===----------------------------------------------------------------------===//

#include "compiler/Placement.h"

#include "mlir/Tools/Plugins/PassPlugin.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <vector>

namespace {

class FewestVariables : public ps::Dispatcher {
  llvm::SmallVector<ps::BlockPlace>
  dispatch(llvm::ArrayRef<ps::BlockToPlace> blocks,
           llvm::ArrayRef<int64_t> pinned) const override {
    std::vector<int64_t> variables(pinned.size());
    llvm::SmallVector<ps::BlockPlace> places;
    for (const ps::BlockToPlace &block : blocks) {
      if (block.index > 0) { // stays with the block before it
        places.push_back(places.back());
        continue;
      }
      auto fewest = std::min_element(variables.begin(), variables.end());
      places.push_back({fewest - variables.begin(),
                        "beside " + std::to_string(*fewest) + " variables"});
      ++*fewest;
    }
    return places;
  }
};

class Nowhere : public ps::Dispatcher {
  llvm::SmallVector<ps::BlockPlace>
  dispatch(llvm::ArrayRef<ps::BlockToPlace> blocks,
           llvm::ArrayRef<int64_t> pinned) const override {
    int64_t none = pinned.size();
    return llvm::SmallVector<ps::BlockPlace>(blocks.size(), {none, ""});
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
