// SPDX-License-Identifier: Apache-2.0
//===- Sdy.cpp - a mesh of one device -------------------------------------===//
//
//===----------------------------------------------------------------------===//

#include "dialects/stablehlo/Foreign.h"
#include "dialects/stablehlo/StablehloDialect.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace stablehlo;

#include "dialects/stablehlo/SdyDialect.cpp.inc"

//===----------------------------------------------------------------------===//
// Syntax
//===----------------------------------------------------------------------===//

/// `"x"=2`: appends the axis, and multiplies `numDevices` by its size.
static ParseResult parseAxis(OpAsmParser &parser,
                             SmallVectorImpl<Attribute> &axes,
                             int64_t &numDevices) {
  std::string name;
  int64_t size = 0;
  if (parser.parseString(&name) || parser.parseEqual())
    return failure();
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseInteger(size))
    return failure();
  if (size < 1 || llvm::MulOverflow(numDevices, size, numDevices))
    return parser.emitError(
        loc, "expected positive axis sizes and fewer than 2^63 devices");
  axes.push_back(parser.getBuilder().getStringAttr(name));
  return success();
}

/// `<["x"=1, ..]>`, or `<[], device_ids=[0]>`.
static ParseResult parseMesh(OpAsmParser &parser, ArrayAttr &axes) {
  SmallVector<Attribute> names;
  int64_t numDevices = 1;
  auto parseId = [&] {
    int64_t device;
    return parser.parseInteger(device);
  };
  if (parser.parseLess() ||
      parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&] {
        return parseAxis(parser, names, numDevices);
      }))
    return failure();
  if (succeeded(parser.parseOptionalComma()) &&
      (parser.parseKeyword("device_ids") || parser.parseEqual() ||
       parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseId)))
    return failure();
  if (numDevices != 1)
    return emitError(parser.getEncodedSourceLoc(parser.getNameLoc()))
           << "sdy.mesh has " << numDevices
           << " devices, expected 1: this compiler distributes a graph over "
              "trainers and pservers itself; export the graph for one device";
  axes = parser.getBuilder().getArrayAttr(names);
  return parser.parseGreater();
}

static void printMesh(OpAsmPrinter &printer, Operation *, ArrayAttr axes) {
  printer << "<[";
  llvm::interleaveComma(axes, printer,
                        [&](Attribute axis) { printer << axis << "=1"; });
  printer << "]>";
}

/// `{"x", ..}`, with a `?` after the axes of a dimension that is open.
static ParseResult parseAxes(OpAsmParser &parser, Attribute &axes) {
  SmallVector<Attribute> names;
  auto parseName = [&]() -> ParseResult {
    if (succeeded(parser.parseOptionalQuestion()))
      return success();
    std::string name;
    if (parser.parseString(&name))
      return failure();
    names.push_back(parser.getBuilder().getStringAttr(name));
    return success();
  };
  axes = {};
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Braces, parseName))
    return failure();
  axes = parser.getBuilder().getArrayAttr(names);
  return success();
}

/// `<@mesh, [{..}, ..]>`; axes that the value is replicated over may follow.
static ParseResult parseSharding(OpAsmParser &parser, FlatSymbolRefAttr &mesh,
                                 ArrayAttr &dimensions) {
  SmallVector<Attribute> axes;
  if (parser.parseLess() || parser.parseAttribute(mesh) ||
      parser.parseComma() ||
      parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&] {
        return parseAxes(parser, axes.emplace_back());
      }))
    return failure();
  while (succeeded(parser.parseOptionalComma())) {
    StringRef keyword;
    Attribute ignored;
    if (parser.parseKeyword(&keyword) || parser.parseEqual() ||
        parseAxes(parser, ignored))
      return failure();
  }
  dimensions = parser.getBuilder().getArrayAttr(axes);
  return parser.parseGreater();
}

static void printSharding(OpAsmPrinter &printer, Operation *,
                          FlatSymbolRefAttr mesh, ArrayAttr dimensions) {
  printer << "<" << mesh << ", [";
  llvm::interleaveComma(dimensions, printer, [&](Attribute axes) {
    printer << "{";
    llvm::interleaveComma(cast<ArrayAttr>(axes), printer);
    printer << "}";
  });
  printer << "]>";
}

#define GET_OP_CLASSES
#include "dialects/stablehlo/SdyOps.cpp.inc"

//===----------------------------------------------------------------------===//
// Dialect and verifier
//===----------------------------------------------------------------------===//

void sdy::SdyDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "dialects/stablehlo/SdyOps.cpp.inc"
      >();
  addInterfaces<EverywhereInliner>();
  allowUnknownOperations();
}

Attribute sdy::SdyDialect::parseAttribute(DialectAsmParser &parser,
                                          Type type) const {
  return parseOpaque(parser, getNamespace(), type);
}

std::optional<Dialect::ParseOpHook>
sdy::SdyDialect::getParseOperationHook(StringRef) const {
  return parseUnsupportedOp;
}

void *sdy::SdyDialect::getRegisteredInterfaceForOp(TypeID interface,
                                                   OperationName name) {
  return getUnsupportedOpInterface(interface, name);
}

LogicalResult
sdy::ShardingConstraintOp::verifySymbolUses(SymbolTableCollection &symbols) {
  // Every mesh in a module is one device, so which one does not matter.
  if (!symbols.lookupNearestSymbolFrom<MeshOp>(*this, getMeshAttr()))
    return emitOpError() << "expected " << getMeshAttr()
                         << " to be an sdy.mesh of this module";
  return success();
}
