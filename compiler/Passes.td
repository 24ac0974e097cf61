//===- Passes.td - the compiler's passes ----------------------------------===//

#ifndef PS_COMPILER_PASSES_TD
#define PS_COMPILER_PASSES_TD

include "mlir/Pass/PassBase.td"

//===----------------------------------------------------------------------===//
// From a single-machine graph to one program per role
//===----------------------------------------------------------------------===//

def PlaceVariables : Pass<"ps-place-variables", "::mlir::ModuleOp"> {
  let summary = "decides which pserver holds which rows of each variable";
  let description = [{
    Cuts every variable that a `ps.apply` updates into blocks of whole rows and
    gives each block to a pserver. The result stands in the variables'
    `placements` and in the module's `ps.cluster`, which `ps-partition` takes
    off. Variables are treated in name order, so the order of the text does not
    matter.
  }];
  let options = [
    ListOption<"pservers", "pservers", "std::string",
               "Endpoints, host:port, of the parameter servers">,
    Option<"trainers", "trainers", "int64_t", /*default=*/"1",
           "Number of trainers">,
    Option<"mode", "mode", "std::string", /*default=*/"\"sync\"",
           "How trainers and pservers keep step: sync, async, half-async, geo "
           "or collective">,
    Option<"splitMethod", "split-method", "std::string",
           /*default=*/"\"RoundRobin\"",
           "Who gets a block: RoundRobin, HashName, SizeBalanced or a "
           "registered dispatcher">,
    Option<"sliceVarUp", "slice-var-up", "bool", /*default=*/"true",
           "Cut large variables into blocks">,
    Option<"minBlockSize", "min-block-size", "int64_t", /*default=*/"8192",
           "Elements below which a block is not made smaller">,
    Option<"geoSteps", "geo-steps", "int64_t", /*default=*/"0",
           "Steps between two exchanges in mode=geo; 0 when not given">,
  ];
}

#endif // PS_COMPILER_PASSES_TD
