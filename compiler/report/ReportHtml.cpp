// SPDX-License-Identifier: Apache-2.0
//===- ReportHtml.cpp - a report as one page ------------------------------===//
//
// 1. What to change, if anything.
// 2. A drawing: the trainers in one lane, the pservers in another, and between
//    them what a trainer sends and gets in a step. Up to `maxBoxes` pservers
//    are boxes with an edge each; more are cells of a grid behind one edge. In
//    a third lane are the tables, under the pservers that hold their shards.
// 3. Tables of the same figures, and of every block and variable.
//
// The page refers to nothing outside of itself.
//
//===----------------------------------------------------------------------===//

#include "compiler/report/Report.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include <algorithm>

using namespace ps;

namespace {

constexpr int width = 960, boxHeight = 78, trainerTop = 30;
constexpr int serverTop = 230, cellSize = 44, laneGap = 60;
constexpr int64_t maxBoxes = 8, maxTrainerBoxes = 4;

/// Bright, or dark where the reader's system is.
constexpr llvm::StringLiteral style = R"css(
:root { --text: #1c2733; --quiet: #5a6a7a; --page: #fff; --lane: #f3f6f9; --line: #e3e9ef;
        --border: #8fa1b3; --bar: #3c82c8; --figure: #1f5fa8; --table: #b7791f; --advice: #fdf6e3; }
@media (prefers-color-scheme: dark) {
  :root { --text: #dde5ed; --quiet: #93a4b5; --page: #12181f; --lane: #1a232d; --line: #2b3744;
          --border: #536477; --bar: #4b8fd4; --figure: #7fb4ea; --table: #d9a441; --advice: #2b2613; }
}
body { font: 15px/1.5 system-ui, sans-serif; color: var(--text); background: var(--page);
       margin: 2em auto; max-width: 960px; padding: 0 1em; }
h1 { font-size: 1.5em; } h2 { font-size: 1.15em; margin-top: 2em; }
svg { width: 100%; height: auto; } svg text { font: 13px system-ui, sans-serif; fill: var(--text); }
svg text.small { font-size: 11px; fill: var(--quiet); } svg text.lane { font-size: 12px; fill: var(--quiet); }
svg text.figure { font-size: 12px; fill: var(--figure); }
.lane-back { fill: var(--lane); } .box { fill: var(--page); stroke: var(--border); }
.bar-back { fill: var(--line); } .bar { fill: var(--bar); }
.edge { stroke: var(--bar); fill: none; opacity: .45; } .holds { stroke: var(--table); fill: none; opacity: .6; }
table { border-collapse: collapse; width: 100%; font-size: 14px; }
th { text-align: left; color: var(--quiet); font-weight: 600; }
th, td { padding: .25em .8em .25em 0; border-bottom: 1px solid var(--line); vertical-align: top; }
td.n, th.n { text-align: right; white-space: nowrap; } td { overflow-wrap: anywhere; }
summary { cursor: pointer; color: var(--figure); } p.note { color: var(--quiet); }
ul.advice { background: var(--advice); border-radius: 8px; padding: .7em 1em .7em 2.2em; }
)css";

std::string escape(llvm::StringRef text) {
  std::string escaped;
  llvm::raw_string_ostream os(escaped);
  llvm::printHTMLEscaped(text, os);
  return os.str();
}

/// As much of `text` as fits into `letters`.
std::string shorten(llvm::StringRef text, size_t letters) {
  if (text.size() <= letters)
    return escape(text);
  return escape(text.take_front(letters - 1)) + "&#8230;";
}

class Page {
public:
  Page(const Report &report, llvm::raw_ostream &os) : report(report), os(os) {}

  void print();

private:
  void drawCluster();
  void drawLane(int top, int height, llvm::StringRef name);
  void drawBox(double x, int top, double boxWidth, llvm::StringRef name,
               llvm::StringRef below, llvm::StringRef figure, double filled);
  void drawText(double x, double y, llvm::StringRef text,
                llvm::StringRef kind = "");
  void drawEdge(double x1, double y1, double x2, double y2, double weight,
                llvm::StringRef kind = "edge");
  std::vector<double> drawTrainers();
  void drawServerBoxes(const std::vector<double> &trainers);
  void drawServerGrid();
  void drawTables(int top, int serversEnd);
  void drawAllReduce(const std::vector<double> &trainers, int top);

  void printHead();
  void printServers();
  void printBlocks();
  void printMemory();
  void printMemoryRow(const Report::Program &program);
  void printChain();
  void printVariables();
  void printTables();
  void beginTable(std::initializer_list<llvm::StringRef> columns);
  void printRow(std::initializer_list<std::string> cells);

  int getGridRows() const {
    return (static_cast<int>(report.servers.size()) + getGridColumns() - 1) /
           getGridColumns();
  }
  static int getGridColumns() { return (width - 40) / cellSize; }

  const Report &report;
  llvm::raw_ostream &os;
};

} // namespace

//===----------------------------------------------------------------------===//
// The drawing
//===----------------------------------------------------------------------===//

void Page::drawLane(int top, int height, llvm::StringRef name) {
  os << "<rect class=\"lane-back\" x=\"0\" y=\"" << top << "\" width=\""
     << width << "\" height=\"" << height << "\" rx=\"8\"/>\n";
  os << "<text class=\"lane\" x=\"10\" y=\"" << top + 17 << "\">" << name
     << "</text>\n";
}

void Page::drawText(double x, double y, llvm::StringRef text,
                    llvm::StringRef kind) {
  os << llvm::format("<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\"", x,
                     y);
  if (!kind.empty())
    os << " class=\"" << kind << "\"";
  os << ">" << text << "</text>\n"; // is escaped already
}

/// `filled`: how long the bar at the bottom is, from 0 to 1; none below 0.
void Page::drawBox(double x, int top, double boxWidth, llvm::StringRef name,
                   llvm::StringRef below, llvm::StringRef figure,
                   double filled) {
  double left = x - boxWidth / 2;
  os << llvm::format("<rect class=\"box\" x=\"%.1f\" y=\"%d\" width=\"%.1f\" "
                     "height=\"%d\" rx=\"6\"/>\n",
                     left, top, boxWidth, boxHeight);
  size_t letters = static_cast<size_t>(boxWidth / 7.5);
  drawText(x, top + 20, shorten(name, letters));
  drawText(x, top + 37, shorten(below, letters + 2), "small");
  drawText(x, top + 55, figure, "small");
  if (filled < 0)
    return;
  double full = boxWidth - 16;
  os << llvm::format("<rect class=\"bar-back\" x=\"%.1f\" y=\"%d\" "
                     "width=\"%.1f\" height=\"6\" rx=\"3\"/>\n",
                     left + 8, top + boxHeight - 14, full);
  os << llvm::format("<rect class=\"bar\" x=\"%.1f\" y=\"%d\" width=\"%.1f\" "
                     "height=\"6\" rx=\"3\"/>\n",
                     left + 8, top + boxHeight - 14, full * filled);
}

/// `weight` from 0 to 1 makes it thick.
void Page::drawEdge(double x1, double y1, double x2, double y2, double weight,
                    llvm::StringRef kind) {
  double middle = (y1 + y2) / 2;
  os << "<path class=\"" << kind << "\""
     << llvm::format(" stroke-width=\"%.1f\" d=\"M%.1f "
                     "%.1f C%.1f %.1f %.1f %.1f %.1f %.1f\"/>\n",
                     1 + 5 * weight, x1, y1, x1, middle, x2, middle, x2, y2);
}

/// Returns the middles of the boxes.
std::vector<double> Page::drawTrainers() {
  int64_t trainers = report.cluster.getTrainers();
  int64_t boxes = std::min(trainers, maxTrainerBoxes);
  bool more = trainers > boxes;
  drawLane(trainerTop - 20, boxHeight + 30, "trainers");
  std::vector<double> middles;
  std::string memory = formatBytes(report.trainer.getPeakBytes());
  for (int64_t i = 0; i < boxes; ++i) {
    middles.push_back(width * (i + 1.0) / (boxes + 1));
    // The last box stands for all that are left.
    bool last = more && i + 1 == boxes;
    std::string name = "trainer " + std::to_string(last ? trainers - 1 : i);
    std::string below =
        last ? "and " + std::to_string(trainers - boxes) + " before it"
             : "runs @trainer";
    drawBox(middles.back(), trainerTop, 150, name, below, memory, -1);
  }
  return middles;
}

static double getBytes(const Report::Edge &edge) {
  return edge.sentBytes + edge.receivedBytes;
}

static double getMostBytes(const Report &report) {
  double most = 0;
  for (const Report::Edge &edge : report.edges)
    most = std::max(most, getBytes(edge));
  return most;
}

void Page::drawServerBoxes(const std::vector<double> &trainers) {
  size_t count = report.servers.size();
  double column = static_cast<double>(width) / count;
  double boxWidth = std::min(170.0, column - 8);
  double most = std::max(1.0, getMostBytes(report));
  for (size_t i = 0; i < count; ++i)
    for (double trainer : trainers)
      drawEdge(trainer, trainerTop + boxHeight, column * (i + 0.5),
               serverTop - 66, getBytes(report.edges[i]) / most);
  drawLane(serverTop - 20, boxHeight + 30, "pservers");
  for (size_t i = 0; i < count; ++i) {
    const Report::Program &server = report.servers[i];
    const Report::Edge &edge = report.edges[i];
    double x = column * (i + 0.5);
    drawText(x, serverTop - 50, "&#8595; " + formatBytes(edge.sentBytes),
             "figure");
    drawText(x, serverTop - 33, "&#8593; " + formatBytes(edge.receivedBytes),
             "figure");
    double share = report.getShare(server);
    std::string figure;
    llvm::raw_string_ostream(figure) << formatBytes(server.getHeldBytes())
                                     << llvm::format(", %.1f %%", 100 * share);
    drawBox(x, serverTop, boxWidth, server.name, server.endpoint, figure,
            share);
  }
}

/// A cell is the darker the more its pserver holds.
void Page::drawServerGrid() {
  double sent = 0, received = 0, most = 0;
  for (const Report::Edge &edge : report.edges) {
    sent += edge.sentBytes;
    received += edge.receivedBytes;
  }
  for (const Report::Program &server : report.servers)
    most = std::max(most, report.getShare(server));
  drawEdge(width / 2.0, trainerTop + boxHeight + 10, width / 2.0,
           serverTop - 66, 1);
  drawText(width / 2.0, serverTop - 48,
           "each trainer in a step: &#8595; " + formatBytes(sent) +
               " to all pservers, &#8593; " + formatBytes(received) +
               " from all",
           "figure");
  drawText(width / 2.0, serverTop - 30,
           "the darker a pserver, the more it holds; the fullest holds " +
               llvm::formatv("{0:F2}", report.getImbalance()).str() +
               " times the mean",
           "small");
  drawLane(serverTop - 20, getGridRows() * cellSize + 30, "pservers");
  for (size_t i = 0; i < report.servers.size(); ++i) {
    const Report::Program &server = report.servers[i];
    double share = report.getShare(server);
    int x = 20 + static_cast<int>(i % getGridColumns()) * cellSize;
    int y = serverTop + 4 + static_cast<int>(i / getGridColumns()) * cellSize;
    os << "<g><title>" << escape(server.name) << " " << escape(server.endpoint)
       << ": " << formatBytes(server.getHeldBytes())
       << llvm::format(", %.1f %%", 100 * share) << "</title>";
    os << llvm::format("<rect class=\"box\" x=\"%d\" y=\"%d\" width=\"%d\" "
                       "height=\"%d\" rx=\"4\"/>",
                       x, y, cellSize - 4, cellSize - 4);
    os << llvm::format("<rect class=\"bar\" x=\"%d\" y=\"%d\" width=\"%d\" "
                       "height=\"%d\" rx=\"4\" opacity=\"%.2f\"/>",
                       x, y, cellSize - 4, cellSize - 4,
                       most == 0 ? 0 : 0.7 * share / most);
    drawText(x + (cellSize - 4) / 2.0, y + cellSize / 2.0 + 2,
             std::to_string(i));
    os << "</g>\n";
  }
}

/// Under `serversEnd`, where the lane of the pservers ends. The last box stands
/// for all tables that are left.
void Page::drawTables(int top, int serversEnd) {
  int64_t count = report.tables.size();
  int64_t boxes = std::min(count, maxBoxes);
  double column = static_cast<double>(width) / boxes;
  double serverColumn = static_cast<double>(width) / report.servers.size();
  bool hasBoxes = static_cast<int64_t>(report.servers.size()) <= maxBoxes;
  drawLane(top - 20, boxHeight + 30, "tables");
  for (int64_t i = 0; i < boxes; ++i)
    for (size_t j = 0; hasBoxes && j < report.servers.size(); ++j)
      if (llvm::is_contained(report.tables[i].places, report.servers[j].name))
        drawEdge(serverColumn * (j + 0.5), serversEnd - 10, column * (i + 0.5),
                 top, 0.3, "holds");
  if (!hasBoxes)
    drawEdge(width / 2.0, serversEnd, width / 2.0, top - 20, 1, "holds");
  for (int64_t i = 0; i < boxes; ++i) {
    const Report::Table &table = report.tables[i];
    bool stands = count > boxes && i + 1 == boxes;
    std::string row = formatBytes(table.rowBytes) + " + " +
                      formatBytes(table.stateBytes) + " a row";
    drawBox(column * (i + 0.5), top, std::min(170.0, column - 8),
            stands ? std::to_string(count - i) + " more" : table.name,
            stands ? "see below" : table.type, stands ? "" : row, -1);
  }
}

void Page::drawAllReduce(const std::vector<double> &trainers, int top) {
  for (double trainer : trainers)
    drawEdge(trainer, trainerTop + boxHeight, trainer, top, 0.6);
  os << llvm::format(
      "<path class=\"edge\" stroke-width=\"4\" d=\"M%.1f %d H%.1f\"/>\n",
      trainers.front() - 60, top, trainers.back() + 60);
  std::string text = "all_reduce of ";
  llvm::raw_string_ostream(text)
      << formatBytes(report.allReduce.bytes)
      << " in a step, calls: " << llvm::format("%g", report.allReduce.calls);
  drawText(width / 2.0, top + 20, text, "figure");
}

void Page::drawCluster() {
  int64_t servers = report.servers.size();
  bool grid = servers > maxBoxes;
  int end = serverTop + 10 +
            (servers == 0 ? -boxHeight
             : grid       ? getGridRows() * cellSize
                          : boxHeight);
  int tableTop = end + laneGap;
  int height = report.tables.empty() ? end + 10 : tableTop + boxHeight + 20;
  os << "<svg viewBox=\"0 0 " << width << " " << height
     << "\" role=\"img\" aria-label=\"trainers, pservers, what they exchange, "
        "and tables\">\n";
  std::vector<double> trainers = drawTrainers();
  if (report.allReduce.calls > 0)
    drawAllReduce(trainers, trainerTop + boxHeight + 18);
  if (grid)
    drawServerGrid();
  else if (servers > 0)
    drawServerBoxes(trainers);
  if (!report.tables.empty())
    drawTables(tableTop, end);
  os << "</svg>\n";
}

//===----------------------------------------------------------------------===//
// Tables
//===----------------------------------------------------------------------===//

/// A column whose name begins with '#' holds numbers.
void Page::beginTable(std::initializer_list<llvm::StringRef> columns) {
  os << "<table><tr>";
  for (llvm::StringRef column : columns)
    os << (column.consume_front("#") ? "<th class=\"n\">" : "<th>") << column
       << "</th>";
  os << "</tr>\n";
}

static std::string cell(llvm::StringRef text) {
  return "<td>" + escape(text) + "</td>";
}

static std::string cell(const std::vector<std::string> &names) {
  return cell(llvm::join(names, ", "));
}

static std::string number(llvm::StringRef text) {
  return ("<td class=\"n\">" + text + "</td>").str();
}

static std::string number(double value) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%g", value);
  return number(text);
}

static std::string bytes(double value) { return number(formatBytes(value)); }

void Page::printRow(std::initializer_list<std::string> cells) {
  os << "<tr>";
  llvm::interleave(cells, os, "");
  os << "</tr>\n";
}

void Page::printServers() {
  os << "<h2>Pservers</h2>\n<p>The fullest holds "
     << llvm::format("%.2f", report.getImbalance())
     << " times the mean. Bytes and messages are those of one trainer in "
        "one step, without barriers.</p>\n";
  beginTable({"pserver", "endpoint", "#blocks", "#holds", "#share", "#sent",
              "#messages", "#received", "#messages"});
  for (size_t i = 0; i < report.servers.size(); ++i) {
    const Report::Program &server = report.servers[i];
    const Report::Edge &edge = report.edges[i];
    std::string share =
        llvm::formatv("{0:F1} %", 100 * report.getShare(server));
    printRow({cell(server.name), cell(server.endpoint),
              number(server.blocks.size()), bytes(server.getHeldBytes()),
              number(share), bytes(edge.sentBytes), number(edge.sentMessages),
              bytes(edge.receivedBytes), number(edge.receivedMessages)});
  }
  os << "</table>\n";
  printBlocks();
}

void Page::printBlocks() {
  os << "<details><summary>blocks</summary>\n";
  beginTable({"pserver", "block", "of", "#rows", "#value", "#state"});
  for (const Report::Program &server : report.servers)
    for (const Report::Block &block : server.blocks)
      printRow({cell(server.name), cell(block.name),
                cell(block.slice.getOrigin()), number(block.formatRows()),
                bytes(block.bytes), bytes(block.stateBytes)});
  os << "</table></details>\n";
}

void Page::printMemoryRow(const Report::Program &program) {
  printRow({cell(program.name), bytes(program.variableBytes),
            bytes(program.stateBytes), bytes(program.gradientBytes),
            bytes(program.getPeakBytes())});
}

void Page::printMemory() {
  os << "<h2>Peak memory</h2>\n<p class=\"note\">Variables, the state beside "
        "them, and one copy of each gradient. Activations, which depend on the "
        "batch size, and buffers of the network are not counted.</p>\n";
  beginTable({"program", "#variables", "#state", "#gradients", "#together"});
  printMemoryRow(report.trainer);
  for (const Report::Program &server : report.servers)
    printMemoryRow(server);
  os << "</table>\n";
}

void Page::printChain() {
  os << "<h2>Longest chain</h2>\n<p>" << report.getChainLength()
     << " ops of a step, each of which waits for the one before.</p>\n";
  beginTable({"program", "#ops", "the last one"});
  for (const Report::Link &link : report.chain)
    printRow({cell(link.program), number(link.count), cell(link.op)});
  os << "</table>\n";
}

void Page::printVariables() {
  os << "<h2>Variables</h2>\n<details"
     << (report.variables.size() <= 40 ? " open" : "") << "><summary>"
     << report.variables.size()
     << ", with the reason of each place</summary>\n";
  beginTable({"variable", "type", "#size", "where", "why"});
  for (const Report::Variable &variable : report.variables) {
    std::vector<std::string> reasons;
    for (const std::string &reason : variable.reasons)
      reasons.push_back(escape(reason));
    printRow({cell(variable.name), cell(variable.type), bytes(variable.bytes),
              cell(variable.places),
              "<td>" + llvm::join(reasons, "<br>") + "</td>"});
  }
  os << "</table></details>\n";
}

void Page::printTables() {
  if (report.tables.empty())
    return;
  os << "<h2>Tables</h2>\n<p class=\"note\">Their memory and traffic depend on "
        "the ids that training brings, and are not counted above.</p>\n";
  beginTable({"table", "type", "#a row", "#its state", "#rows at most",
              "ids by", "where"});
  for (const Report::Table &table : report.tables)
    printRow({cell(table.name), cell(table.type), bytes(table.rowBytes),
              bytes(table.stateBytes), number(table.maxRows),
              cell(table.partition), cell(table.places)});
  os << "</table>\n";
}

void Page::printHead() {
  ClusterAttr cluster = report.cluster;
  std::string model = escape(report.model);
  os << "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
        "<meta name=\"color-scheme\" content=\"light dark\"><title>"
     << (model.empty() ? "Report on a job" : model + ": report")
     << "</title>\n<style>" << style << "</style></head><body>\n";
  os << "<h1>" << model << (model.empty() ? "" : ": ")
     << stringifyMode(cluster.getMode()) << ", " << cluster.getTrainers()
     << " trainers, " << report.servers.size() << " pservers</h1>\n";
  os << "<p class=\"note\">wire " << stringifyWire(cluster.getWire())
     << ", accumulate " << cluster.getAccumulate() << ", bucket-bytes "
     << cluster.getBucketBytes();
  if (cluster.getGeoSteps() > 0)
    os << ", geo-steps " << cluster.getGeoSteps();
  os << ", job " << cluster.getHash().getValue() << "</p>\n";
  std::vector<std::string> advice = makeAdvice(report);
  if (advice.empty())
    return;
  os << "<ul class=\"advice\">\n";
  for (const std::string &item : advice)
    os << "<li>" << escape(item) << "</li>\n";
  os << "</ul>\n";
}

void Page::print() {
  printHead();
  drawCluster();
  if (!report.servers.empty())
    printServers();
  printMemory();
  printChain();
  printVariables();
  printTables();
  os << "</body></html>\n";
}

void ps::printHtml(const Report &report, llvm::raw_ostream &os) {
  Page(report, os).print();
}
