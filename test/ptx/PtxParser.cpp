// SPDX-License-Identifier: Apache-2.0
//===- PtxParser.cpp - reads PTX ------------------------------------------===//
//
// 1. PtxProgram::parse divides the text into arrays and functions.
// 2. FunctionParser divides the body of a function into statements, gives each
//    register and constant a slot, and makes instructions.
//
//===----------------------------------------------------------------------===//

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "test/ptx/PtxProgram.h"
#include <regex>
#include <set>

using namespace ps;

namespace {

absl::Status unknown(absl::string_view what) {
  return absl::InvalidArgumentError(absl::StrCat("PTX: unknown: ", what));
}

std::string strip(absl::string_view text) {
  return std::string(absl::StripAsciiWhitespace(text));
}

/// The bytes of "f32", "b8", ..; 1 of "pred".
size_t bytesOf(absl::string_view type) {
  int bits = 8;
  (void)absl::SimpleAtoi(type.substr(1), &bits);
  return std::max(bits, 8) / 8;
}

size_t alignTo(size_t value, size_t alignment) {
  return (value + alignment - 1) / alignment * alignment;
}

/// "a, {b, c}, d" at its outer commas.
std::vector<std::string> splitOperands(const std::string &text) {
  std::vector<std::string> parts(1);
  int depth = 0;
  for (char c : text) {
    depth += (c == '{' || c == '(') - (c == '}' || c == ')');
    if (c == ',' && depth == 0)
      parts.emplace_back();
    else
      parts.back() += c;
  }
  for (std::string &part : parts)
    part = strip(part);
  return parts;
}

class FunctionParser {
public:
  FunctionParser(PtxProgram &program, PtxFunction &function)
      : program(program), function(function) {}

  absl::Status parse(const std::string &params, const std::string &result,
                     const std::string &body);

private:
  absl::Status declare(const std::string &statement);
  absl::Status addInstruction(std::string statement);
  absl::Status addMemory(PtxInstruction &made,
                         const std::vector<std::string> &names,
                         const std::vector<std::string> &operands);
  absl::Status addCall(PtxInstruction &made, const std::string &text);
  absl::Status addMove(PtxInstruction &made, const std::string &opcode,
                       const std::vector<std::string> &operands);
  absl::StatusOr<size_t> slotOf(const std::string &operand);
  absl::StatusOr<std::vector<size_t>> slotsOf(const std::string &operand);
  PtxFunction::Param addParam(const std::string &declaration);

  PtxProgram &program;
  PtxFunction &function;
  std::map<std::string, size_t> slots, locals, params, labels;
  /// Of "%r<8>", "%r<>".
  std::set<std::string> registers;
  std::map<size_t, std::string> targets;
};

} // namespace

/// ".param .align 16 .b8 name[16]": its offset.
PtxFunction::Param FunctionParser::addParam(const std::string &declaration) {
  static const std::regex form(
      R"(\.param\s+(?:\.align\s+\d+\s+)?\.(\w+)\s+([\w$]+)(?:\[(\d+)\])?)");
  std::smatch match;
  if (!std::regex_search(declaration, match, form))
    return {};
  size_t bytes = bytesOf(match[1].str());
  if (match[3].matched)
    bytes *= std::stoul(match[3].str());
  auto [place, isNew] = params.try_emplace(match[2].str(), function.paramBytes);
  if (isNew)
    function.paramBytes += alignTo(bytes, 16);
  return {place->second, bytes};
}

absl::Status FunctionParser::parse(const std::string &parameters,
                                   const std::string &result,
                                   const std::string &body) {
  if (!strip(parameters).empty())
    for (const std::string &each : splitOperands(parameters))
      function.params.push_back(addParam(each));
  if (!result.empty())
    function.resultOffset = addParam(result).offset;
  for (size_t i = 0; i < body.size();) {
    if (absl::ascii_isspace(body[i]) || body[i] == '{' || body[i] == '}') {
      ++i;
      continue;
    }
    static const std::regex label(R"(^([\w$]+):)");
    std::smatch match;
    const size_t end = body.find(';', i);
    if (end == std::string::npos)
      return unknown(strip(body.substr(i)));
    const std::string statement = body.substr(i, end - i);
    if (std::regex_search(statement, match, label)) {
      labels[match[1].str()] = function.code.size();
      i += match[0].length();
      continue;
    }
    if (absl::Status status = statement[0] == '.'
                                  ? declare(statement)
                                  : addInstruction(strip(statement));
        !status.ok())
      return status;
    i = end + 1;
  }
  for (const auto &[index, name] : targets) {
    auto found = labels.find(name);
    if (found == labels.end())
      return unknown(name);
    function.code[index].target = found->second;
  }
  return absl::OkStatus();
}

/// .reg, .param, .local, .shared, .pragma.
absl::Status FunctionParser::declare(const std::string &statement) {
  static const std::regex array(
      R"(^\.(local|shared)\s+\.align\s+(\d+)\s+\.b8\s+([\w$]+)\[(\d+)\])");
  std::smatch match;
  if (statement.starts_with(".pragma"))
    return absl::OkStatus();
  if (statement.starts_with(".reg")) {
    // ".reg .b32 %r<8>" or, in assembly of others, ".reg .b32 low, high".
    const size_t type = statement.find('.', 1);
    for (const std::string &name :
         splitOperands(statement.substr(statement.find_first_of(" \t", type))))
      registers.insert(std::regex_replace(name, std::regex(R"(<\d+>$)"), "<>"));
    return absl::OkStatus();
  }
  if (statement.starts_with(".param")) {
    addParam(statement);
    return absl::OkStatus();
  }
  if (!std::regex_search(statement, match, array))
    return unknown(statement);
  const size_t alignment = std::stoul(match[2].str());
  const size_t bytes = std::stoul(match[4].str());
  if (alignment > PtxProgram::mostAlignment)
    return unknown(statement);
  if (match[1].str() == "local") {
    locals[match[3].str()] = alignTo(function.localBytes, 16);
    function.localBytes = alignTo(function.localBytes, 16) + bytes;
    return absl::OkStatus();
  }
  // At an odd multiple of its alignment.
  size_t place = alignTo(program.sharedBytes, alignment);
  if (place % (2 * alignment) == 0)
    place += alignment;
  program.shared[match[3].str()] = place;
  program.sharedBytes = place + bytes;
  return absl::OkStatus();
}

/// Of a register, a constant, or the address of an array.
absl::StatusOr<size_t> FunctionParser::slotOf(const std::string &operand) {
  auto [found, isNew] = slots.try_emplace(operand, function.slots.size());
  const size_t slot = found->second;
  if (!isNew)
    return slot;
  // What nothing was written to.
  function.slots.push_back(0xc3c3c3c3c3c3c3c3);
  uint64_t &value = function.slots.back();
  int64_t integer;
  if (operand == "%tid.x") {
    function.threadSlots.push_back(slot);
  } else if (operand == "%ntid.x") {
    function.sizeSlots.push_back(slot);
  } else if (operand == "%ctaid.x") {
    function.blockSlots.push_back(slot);
  } else if (operand.starts_with("0f") || operand.starts_with("0d")) {
    value = std::stoull(operand.substr(2), nullptr, 16);
  } else if (operand.starts_with("0x")) {
    value = std::stoull(operand.substr(2), nullptr, 16);
  } else if (absl::SimpleAtoi(operand, &integer)) {
    value = integer;
  } else if (auto local = locals.find(operand); local != locals.end()) {
    function.localSlots.emplace_back(slot, local->second);
  } else if (auto shared = program.shared.find(operand);
             shared != program.shared.end()) {
    function.sharedSlots.emplace_back(slot, shared->second);
  } else if (program.globals.contains(operand)) {
    function.globalSlots.emplace_back(slot, operand);
  } else if (!registers.contains(operand) &&
             !registers.contains(
                 operand.substr(0, operand.find_last_not_of("0123456789") + 1) +
                 "<>")) {
    return unknown(operand);
  }
  return slot;
}

/// Those of "{a, b}" or "a".
absl::StatusOr<std::vector<size_t>>
FunctionParser::slotsOf(const std::string &operand) {
  std::vector<size_t> found;
  const bool isVector = operand.starts_with("{");
  for (const std::string &each : splitOperands(
           isVector ? operand.substr(1, operand.size() - 2) : operand)) {
    auto slot = slotOf(each);
    if (!slot.ok())
      return slot.status();
    found.push_back(*slot);
  }
  return found;
}

/// "ld.space.v2.f32 {a, b}, [c+8]" and stores, also of parameters, and
/// "atom.space.or.b64 a, [b], c".
absl::Status
FunctionParser::addMemory(PtxInstruction &made,
                          const std::vector<std::string> &names,
                          const std::vector<std::string> &operands) {
  const bool isAtomic = names[0] == "atom", isLoad = names[0] != "st";
  const std::string type = names.back();
  made.bytes = bytesOf(type);
  made.isSigned = type[0] == 's';
  static const std::regex form(R"(^\[([\w$%]+)(?:\+(-?\d+))?\]$)");
  std::smatch match;
  const std::string &place = operands[isLoad ? 1 : 0];
  if (!std::regex_search(place, match, form))
    return unknown(place);
  made.offset = match[2].matched ? std::stoll(match[2].str()) : 0;
  auto values = slotsOf(operands[isLoad ? 0 : 1]);
  if (!values.ok())
    return values.status();
  auto has = [&](const char *name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  if (has("param")) {
    auto param = params.find(match[1].str());
    if (param == params.end())
      return unknown(place);
    made.kind = isLoad ? PtxInstruction::LoadParam : PtxInstruction::StoreParam;
    made.offset += param->second;
  } else {
    made.kind = isAtomic ? PtxInstruction::Atomic
                : isLoad ? PtxInstruction::Load
                         : PtxInstruction::Store;
    made.space = has("global")   ? PtxSpace::Global
                 : has("shared") ? PtxSpace::Shared
                 : has("local")  ? PtxSpace::Local
                                 : PtxSpace::Generic;
    auto base = slotOf(match[1].str());
    if (!base.ok())
      return base.status();
    made.operands.push_back(*base);
  }
  auto &to = isLoad ? made.results : made.operands;
  to.insert(to.end(), values->begin(), values->end());
  if (!isAtomic)
    return absl::OkStatus();
  made.compute = findPtxCompute(names[names.size() - 2] + "." + type);
  if (!made.compute)
    return unknown(made.text);
  for (size_t i = 2; i < operands.size(); ++i) {
    auto slot = slotOf(operands[i]);
    if (!slot.ok())
      return slot.status();
    made.operands.push_back(*slot);
  }
  return absl::OkStatus();
}

/// "(result), name, (arguments)", whose parameters this function declares. The
/// callee is above.
absl::Status FunctionParser::addCall(PtxInstruction &made,
                                     const std::string &text) {
  const std::vector<std::string> parts = splitOperands(text);
  if (parts.size() != 3 || !program.functions.contains(parts[1]))
    return unknown(text);
  made.kind = PtxInstruction::Call;
  made.callee = parts[1];
  const PtxFunction &callee = program.functions.at(parts[1]);
  const std::vector<std::string> arguments =
      splitOperands(parts[2].substr(1, parts[2].size() - 2));
  if (arguments.size() != callee.params.size())
    return unknown(text);
  for (size_t i = 0; i < arguments.size(); ++i)
    made.arguments.push_back(
        {params.at(strip(arguments[i])), callee.params[i].offset, 16});
  const std::string result = strip(parts[0].substr(1, parts[0].size() - 2));
  made.returned.push_back({params.at(result), callee.resultOffset, 16});
  return absl::OkStatus();
}

/// "mov.b64 {a, b}, c" and the other way.
absl::Status FunctionParser::addMove(PtxInstruction &made,
                                     const std::string &opcode,
                                     const std::vector<std::string> &operands) {
  auto results = slotsOf(operands[0]), sources = slotsOf(operands[1]);
  if (!results.ok() || !sources.ok())
    return unknown(operands[0] + ", " + operands[1]);
  made.results = *results;
  made.operands = *sources;
  made.kind =
      results->size() > 1 ? PtxInstruction::Split : PtxInstruction::Join;
  made.bytes = bytesOf(opcode.substr(opcode.rfind('.') + 1)) /
               std::max(results->size(), sources->size());
  return absl::OkStatus();
}

absl::Status FunctionParser::addInstruction(std::string statement) {
  PtxInstruction made;
  made.text = statement;
  static const std::regex guard(R"(^@(!?)([\w$%]+)\s+)");
  std::smatch match;
  if (std::regex_search(statement, match, guard)) {
    made.guardIsNegated = match[1].length() != 0;
    auto slot = slotOf(match[2].str());
    if (!slot.ok())
      return slot.status();
    made.guard = *slot;
    statement = match.suffix().str();
  }
  const size_t space =
      std::min(statement.find_first_of(" \t\n"), statement.size());
  const std::string opcode = statement.substr(0, space);
  const std::string rest = strip(statement.substr(space));
  const std::vector<std::string> names = absl::StrSplit(opcode, '.');
  const std::vector<std::string> operands = splitOperands(rest);
  absl::Status status;
  size_t numResults = 1;
  if (opcode == "ret") {
    made.kind = PtxInstruction::Return;
    numResults = 0;
  } else if (names[0] == "bra") {
    made.kind = PtxInstruction::Branch;
    targets[function.code.size()] = rest;
    function.code.push_back(std::move(made));
    return status;
  } else if (names[0] == "call") {
    status = addCall(made, rest);
    function.code.push_back(std::move(made));
    return status;
  } else if (names[0] == "ld" || names[0] == "st") {
    status = addMemory(made, names, operands);
    function.code.push_back(std::move(made));
    return status;
  } else if (names[0] == "mov" && rest.find('{') != std::string::npos) {
    status = addMove(made, opcode, operands);
    function.code.push_back(std::move(made));
    return status;
  } else if (names[0] == "atom") {
    status = addMemory(made, names, operands);
    function.code.push_back(std::move(made));
    return status;
  } else if (opcode == "bar.sync") {
    function.waits = true;
    made.kind = PtxInstruction::Barrier;
    if (rest != "0") // That of some threads, or another one.
      return unknown(made.text);
    numResults = 0;
  } else if (opcode == "shfl.sync.down.b32" || opcode == "shfl.sync.idx.b32") {
    function.waits = true;
    made.kind = PtxInstruction::Shuffle;
    made.isDown = names[2] == "down";
    if (operands[3] != "31")
      return unknown(made.text);
  } else if (opcode == "vote.sync.ballot.b32") {
    function.waits = true;
    made.kind = PtxInstruction::Ballot;
  } else {
    made.kind = PtxInstruction::Compute;
    // Addresses are those of the host.
    made.compute = findPtxCompute(names[0] == "cvta" ? "mov.u64" : opcode);
    if (!made.compute || operands.size() > 1 + mostPtxOperands)
      return unknown(made.text);
  }
  if (!rest.empty())
    for (size_t i = 0; i < operands.size(); ++i) {
      auto slot = slotOf(operands[i]);
      if (!slot.ok())
        return slot.status();
      (i < numResults ? made.results : made.operands).push_back(*slot);
    }
  function.code.push_back(std::move(made));
  return status;
}

/// The bytes of "{1, 2, ..}" with elements of `width` bytes.
static std::vector<std::byte> parseElements(const std::string &list,
                                            size_t width) {
  std::vector<std::byte> bytes;
  for (const std::string &each : splitOperands(list)) {
    const uint64_t value = std::stoull(each);
    for (size_t i = 0; i < width; ++i)
      bytes.push_back(static_cast<std::byte>(value >> (8 * i)));
  }
  return bytes;
}

/// Where the block that begins at `open` ends.
static size_t findEnd(const std::string &text, size_t open) {
  int depth = 0;
  for (size_t i = open; i < text.size(); ++i) {
    depth += (text[i] == '{') - (text[i] == '}');
    if (depth == 0)
      return i;
  }
  return std::string::npos;
}

absl::StatusOr<PtxProgram> PtxProgram::parse(const std::string &source) {
  PtxProgram program;
  std::string text;
  for (absl::string_view line : absl::StrSplit(source, '\n'))
    absl::StrAppend(&text, line.substr(0, line.find("//")), "\n");
  static const std::regex global(
      R"(\.global\s+\.align\s+\d+\s+\.b(\d+)\s+([\w$]+)\[\d+\]\s*=\s*\{([^}]*)\};)");
  for (std::sregex_iterator i(text.begin(), text.end(), global), end; i != end;
       ++i)
    program.globals[(*i)[2].str()] =
        parseElements((*i)[3].str(), std::stoul((*i)[1].str()) / 8);
  static const std::regex head(
      R"((?:\.visible\s+\.entry|\.func)\s+(?:\(([^)]*)\)\s*)?([\w$]+)\s*\(([^)]*)\)\s*(?:\.\w+[^{;]*)?(\{|;|\.func))");
  // Functions of the device are defined anywhere: their callers come later.
  std::vector<std::smatch> found;
  for (bool isEntry : {false, true})
    for (std::sregex_iterator i(text.begin(), text.end(), head), end; i != end;
         ++i)
      if ((*i)[4].str() == "{" &&
          (*i)[0].str().starts_with(".visible") == isEntry)
        found.push_back(*i);
  for (const std::smatch &each : found) {
    const size_t open = each.position(4);
    const size_t close = findEnd(text, open);
    if (close == std::string::npos)
      return unknown(each[0].str());
    PtxFunction &function = program.functions[each[2].str()];
    function.name = each[2].str();
    if (absl::Status status =
            FunctionParser(program, function)
                .parse(each[3].str(), each[1].str(),
                       text.substr(open + 1, close - open - 1));
        !status.ok())
      return absl::InvalidArgumentError(
          absl::StrCat(function.name, ": ", status.message()));
  }
  return program;
}
