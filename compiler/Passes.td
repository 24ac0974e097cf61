//===- Passes.td - the compiler's passes ----------------------------------===//

#ifndef PS_COMPILER_PASSES_TD
#define PS_COMPILER_PASSES_TD

include "mlir/Pass/PassBase.td"

//===----------------------------------------------------------------------===//
// From a single-machine graph to one program per role
//===----------------------------------------------------------------------===//

def Differentiate : Pass<"ps-differentiate", "::mlir::func::FuncOp"> {
  let summary = "turns ps.minimize into gradients and ps.apply";
  let description = [{
    Emits, where `ps.minimize` stands, the backward pass of the ops between
    the trainable variables and the loss, then one `ps.apply` per variable in
    order of name. Variables that are not trainable or do not reach the loss
    get none, as do those that reach it only through ops that are constant
    almost everywhere (`floor`, a conversion to integers).

    Calls must have been inlined. A differentiable op implements
    `DifferentiableOpInterface`; any other on the way to the loss is an error
    that names the way.

    ```mlir
    %w = ps.read @w : tensor<f32>
    %loss = stablehlo.multiply %w, %w : tensor<f32>
    ps.minimize %loss using(#ps.sgd<learning_rate = 0.1>) : tensor<f32>
    ```

    becomes

    ```mlir
    %w = ps.read @w : tensor<f32>
    %loss = stablehlo.multiply %w, %w : tensor<f32>
    %one = stablehlo.constant dense<1.0> : tensor<f32>
    %0 = stablehlo.multiply %one, %w : tensor<f32>
    %1 = stablehlo.multiply %one, %w : tensor<f32>
    %grad = stablehlo.add %0, %1 : tensor<f32>
    ps.apply @w, %grad using(#ps.sgd<learning_rate = 0.1>) : tensor<f32>
    ```
  }];
  let dependentDialects = ["::stablehlo::StablehloDialect"];
}

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
