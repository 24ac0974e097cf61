// SPDX-License-Identifier: Apache-2.0
//===- OutputOptions.cpp - options about files and output -----------------===//

#include "tools/ps-run/cli/OutputOptions.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "runtime/base/Status.h"
#include "tools/ps-run/cli/OptionValues.h"
#include "tools/ps-run/config/Resume.h"
#include "tools/ps-run/config/UsageError.h"

using namespace ps;

void ps::addOutputOptions(CLI::App &app, RunConfig &config,
                          OutputFlags &flags) {
  app.option_defaults()->group("Files and output");
  addOption(
      app, "--load", flags.load, text("DIR,.."),
      "start from what --save wrote: the model, the optimizers' state, the "
      "rows of tables and the position in the data. In a job give it to every "
      "process. A delta follows the model that it changes: BASE,DELTA,..");
  app.add_flag("--load-partial", config.loadsPart,
               "take from --load what the program has, too: other variables "
               "and tables keep their initial values, which is reported");
  addOption(
      app, "--save", flags.save, text("DIR"),
      "write the model and all else that --load needs to DIR at the end, also "
      "after Ctrl-C. In a job give it to trainer 0: pservers write their parts "
      "to DIR too. On a pserver: write its part to DIR instead");
  addOption(app, "--save-base", flags.saveBase, text("DIR"),
            "like --save (both may be given), but of tables with an accessor "
            "write only the rows that are worth serving");
  addOption(app, "--save-delta", flags.saveDelta, text("DIR"),
            "like --save-base, but of those rows write only the ones that "
            "changed since the last --save-base or --save-delta");
  addOption(
      app, "--predictions", config.predictions, predictionsFiles(),
      "write what an evaluation fetches for each sample of --eval-data, one "
      "row per sample, as .csv or .jsonl; FILE holds the last evaluation");
  addCheckpointOptions(app, config.checkpoint, flags.checkpoint);
  addOption(app, "--metrics", config.metrics, text("FILE"),
            "write one JSON object per step and evaluation");
  addOption(app, "--tensorboard", config.tensorboard, text("DIR"),
            "write the same numbers to DIR as TensorBoard reads them: those of "
            "trainer 0");
  addOption(app, "--metrics-port", config.metricsPort, integers(0, 65535),
            "answer Prometheus at this port of the loopback interface with the "
            "newest of these numbers, in trainer 0 (0 takes a free port). With "
            "--insecure of all interfaces");
  addOption(
      app, "--trace", config.trace, text("FILE"),
      "write the times of all kernels and transfers in Chrome's trace format");
  addOption(app, "--log-every", flags.logEvery, stepsOrDurations(),
            "steps between progress lines, or the time between them, such as "
            "30s (default: after 100 steps, and after 30s without a line)");
  addLogOptions(app);
  app.add_flag("--print-memory-plan", config.printMemoryPlan,
               "print how activations share memory; without --data do nothing "
               "else");
}

static constexpr char logFlag[] = "--log-format";

void ps::addLogOptions(CLI::App &app) {
  const Values formats = oneOf({"text", "json"});
  app.add_option_function<std::string>(
         logFlag,
         [](const std::string &format) {
           // From a file of --config.
           if (format == "json")
             runtime::setLogFormat(runtime::LogFormat::Json);
         },
         "what is written to stderr: lines for people (text, default), or one "
         "JSON object a line with time, level, role, rank, message and step "
         "(json)")
      ->type_name(formats.name)
      ->check(CLI::Validator(formats.check, ""));
}

runtime::LogFormat
ps::findLogFormat(const std::vector<std::string> &arguments) {
  absl::string_view found;
  for (size_t i = 0; i != arguments.size(); ++i) {
    absl::string_view argument = arguments[i];
    if (!absl::ConsumePrefix(&argument, logFlag))
      continue;
    if (absl::ConsumePrefix(&argument, "="))
      found = argument;
    else if (argument.empty() && i + 1 != arguments.size())
      found = arguments[i + 1];
  }
  return found == "json" ? runtime::LogFormat::Json : runtime::LogFormat::Text;
}

/// Which folders the run reads and leaves behind.
static absl::Status finishFolders(const OutputFlags &flags, RunConfig &config) {
  if (!flags.load.empty())
    config.load = absl::StrSplit(flags.load, ',');
  if (config.loadsPart && config.load.empty())
    return usageError("--load-partial: expected --load=DIR, which it is about");
  for (const std::string &dir : config.load)
    if (dir.empty())
      return usageError(absl::StrCat("--load: '", flags.load,
                                     "' names a folder without a name"));
  if (!flags.saveBase.empty() && !flags.saveDelta.empty())
    return usageError("--save-delta is what changes after --save-base: "
                      "expected one of them");
  using runtime::RowSelection;
  for (auto [dir, rows] : {std::pair(&flags.saveBase, RowSelection::Base),
                           std::pair(&flags.saveDelta, RowSelection::Delta),
                           std::pair(&flags.save, RowSelection::All)}) {
    if (dir->empty())
      continue;
    for (const SaveTarget &other : config.saves)
      if (other.dir == *dir)
        return usageError(absl::StrCat("--save: '", *dir,
                                       "' gets another part of the rows: "
                                       "expected a folder for each"));
    config.saves.push_back({*dir, rows});
  }
  return absl::OkStatus();
}

absl::Status ps::finishOutputOptions(const OutputFlags &flags,
                                     RunConfig &config) {
  if (!config.predictions.empty() && config.evalData.empty())
    return usageError("--predictions: expected --eval-data, the samples to "
                      "write predictions for");
  RETURN_IF_ERROR(finishCheckpointOptions(flags.checkpoint, config.checkpoint));
  if (!flags.logEvery.empty()) {
    const StepsOrTime every = toStepsOrTime(flags.logEvery);
    config.logEvery = {every.steps,
                       every.time.value_or(absl::InfiniteDuration())};
  }
  RETURN_IF_ERROR(finishFolders(flags, config));
  return checkSaveFolders(config);
}
