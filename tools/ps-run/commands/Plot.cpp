// SPDX-License-Identifier: Apache-2.0
//===- Plot.cpp - curves of what --metrics wrote --------------------------===//

#include "tools/ps-run/commands/Plot.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "runtime/base/Status.h"
#include "tools/ps-run/output/Chart.h"
#include <cerrno>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

using namespace ps;

namespace {

/// Charts in the order in which their numbers were found.
class Charts {
public:
  explicit Charts(const PlotConfig &config) : config(config) {}

  absl::Status read(const std::string &file);
  std::vector<Chart> take() { return std::move(charts); }
  const std::vector<std::string> &names() const { return known; }

private:
  absl::Status add(const nlohmann::ordered_json &line, const std::string &run);
  Curve &curveOf(const std::string &number, const std::string &name);

  const PlotConfig &config;
  std::vector<Chart> charts;
  /// All numbers that the files have.
  std::vector<std::string> known;
};

} // namespace

/// What identifies a line rather than being measured.
static bool isCoordinate(const std::string &name) {
  return name == "id" || name == "epoch" || name == "step" || name == "seconds";
}

Curve &Charts::curveOf(const std::string &number, const std::string &name) {
  auto chart = std::find_if(charts.begin(), charts.end(),
                            [&](const Chart &c) { return c.title == number; });
  if (chart == charts.end())
    chart = charts.insert(charts.end(), Chart{number, {}});
  auto curve = std::find_if(chart->curves.begin(), chart->curves.end(),
                            [&](const Curve &c) { return c.name == name; });
  if (curve == chart->curves.end())
    curve = chart->curves.insert(chart->curves.end(), Curve{name, {}});
  return *curve;
}

absl::Status Charts::add(const nlohmann::ordered_json &line,
                         const std::string &run) {
  if (!line.is_object() || !line.contains("phase") ||
      !line["phase"].is_string())
    return absl::InvalidArgumentError(
        "expected an object with a phase, as --metrics writes it");
  // Numbers at the end of a run.
  if (!line.contains("step") || !line["step"].is_number())
    return absl::OkStatus();
  const std::string phase = line["phase"];
  if (phase == "end")
    return absl::OkStatus();
  for (const auto &[name, value] : line.items()) {
    if (isCoordinate(name) || !value.is_number())
      continue;
    if (std::find(known.begin(), known.end(), name) == known.end())
      known.push_back(name);
    const double number = value;
    if (!std::isfinite(number) ||
        (!config.numbers.empty() &&
         std::find(config.numbers.begin(), config.numbers.end(), name) ==
             config.numbers.end()))
      continue;
    curveOf(name, run.empty() ? phase : absl::StrCat(run, " ", phase))
        .points.emplace_back(line["step"], number);
  }
  return absl::OkStatus();
}

absl::Status Charts::read(const std::string &file) {
  std::ifstream stream(file);
  if (!stream)
    return absl::InvalidArgumentError(
        absl::StrCat("cannot open '", file, "': ", strerror(errno)));
  const std::string run = config.files.size() == 1
                              ? ""
                              : std::filesystem::path(file).filename().string();
  std::string text;
  for (int number = 1; std::getline(stream, text); ++number) {
    const auto line = nlohmann::ordered_json::parse(text, /*cb=*/nullptr,
                                                    /*allow_exceptions=*/false);
    // A run that goes on has written a part of its last line.
    if (line.is_discarded() && stream.peek() == EOF)
      break;
    absl::Status added =
        line.is_discarded()
            ? absl::InvalidArgumentError("expected a line of JSON")
            : add(line, run);
    if (!added.ok())
      return absl::InvalidArgumentError(
          absl::StrCat(file, ":", number, ": ", added.message()));
  }
  return absl::OkStatus();
}

/// Light or dark, as the reader's system is.
static std::string writePage(const std::vector<Chart> &charts,
                             const std::string &title) {
  std::string page = absl::StrCat(
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
      "<title>",
      escapeXml(title),
      "</title>\n<style>\n:root { color-scheme: light dark; }\n"
      "body { font-family: system-ui, sans-serif; max-width: ",
      chartWidth,
      "px; margin: 2em auto; padding: 0 1em; }\n"
      "svg { width: 100%; height: auto; margin-bottom: 1.5em; }\n"
      "</style></head><body>\n<h1>",
      escapeXml(title), "</h1>\n");
  for (const Chart &chart : charts)
    page += drawChart(chart);
  return page + "</body></html>\n";
}

static absl::Status write(const std::string &path, const std::string &text) {
  std::ofstream stream(path, std::ios::binary);
  stream << text;
  stream.close();
  if (stream)
    return absl::OkStatus();
  return absl::UnavailableError(
      absl::StrCat("cannot write '", path, "': ", strerror(errno)));
}

absl::Status ps::plotMetrics(const PlotConfig &config) {
  Charts read(config);
  for (const std::string &file : config.files)
    RETURN_IF_ERROR(read.read(file));
  const std::vector<Chart> charts = read.take();
  if (charts.empty())
    return absl::InvalidArgumentError(
        absl::StrCat("there is nothing to draw: the files have ",
                     read.names().empty() ? "no numbers"
                                          : absl::StrJoin(read.names(), ", ")));
  if (absl::EndsWith(config.output, ".html"))
    return write(config.output,
                 writePage(charts, absl::StrJoin(config.files, ", ")));
  if (charts.size() != 1)
    return absl::InvalidArgumentError(absl::StrCat(
        "a picture has one chart, found ", charts.size(),
        ": choose one of them with --number, or write a page, .html"));
  return write(config.output, drawChart(charts.front()));
}
