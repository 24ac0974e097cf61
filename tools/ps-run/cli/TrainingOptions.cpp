// SPDX-License-Identifier: Apache-2.0
//===- TrainingOptions.cpp - options about data and steps -----------------===//

#include "tools/ps-run/cli/TrainingOptions.h"
#include "runtime/base/Status.h"
#include "tools/ps-run/cli/OptionValues.h"
#include "tools/ps-run/config/UsageError.h"

using namespace ps;

/// Each has activations of its own, and makes the step's program longer.
static constexpr int maxWorkers = 64;

void ps::addTrainingOptions(CLI::App &app, RunConfig &config,
                            TrainingFlags &flags) {
  app.option_defaults()->group("Training");
  addOption(app, "--data", config.data, text("KIND:.."),
            "samples to train on; the kinds are listed below");
  addOption(app, "--eval-data", config.evalData, text("KIND:.."),
            "samples to evaluate after each epoch: runs the graph without its "
            "updates. Without --data nothing is trained: evaluates the model "
            "of --load once");
  addEvaluationOptions(app, config, flags.evaluation);
  addOption(app, "--pipe-command", config.pipeCommand, text("COMMAND"),
            "shell command that filters each text file before it is parsed, "
            "from its standard input to its standard output");
  addOption(app, "--data-threads", config.dataThreads, integers(1, 1024),
            "threads that parse text files (default 2)");
  addOption(app, "--bad-lines", flags.badLines, badLines(),
            "what to do about malformed lines of text files: fail (default), "
            "or skip up to N of them");
  addOption(app, "--epochs", config.epochs, integers(1, unlimited),
            "passes over the data (default 1, or no limit with --steps). After "
            "--load the rest of an epoch that had begun counts as the first");
  addOption(app, "--steps", config.steps, integers(1, unlimited),
            "stop after this many steps of this run (default: no limit)");
  addOption(
      app, "--batch-size", config.batchSize, integers(1, unlimited),
      "samples per step and worker (default: what the graph fixes, or 64)");
  addOption(app, "--global-batch-size", config.globalBatchSize,
            integers(1, unlimited),
            "samples per step of all trainers and workers, which share them "
            "equally; stays the same when a run goes on with another number of "
            "trainers");
  addOption(app, "--workers", config.workers, integers(1, maxWorkers),
            "batches that each trainer works on side by side in a step, whose "
            "gradients become one update, or an update each in modes async and "
            "half-async (default 1)");
  app.add_flag("--shuffle", config.shuffle,
               "draw a new order of the samples for each epoch");
  addOption(app, "--data-mode", flags.dataMode, oneOf({"memory", "stream"}),
            "memory (default): read all samples before training; stream: read "
            "text files during training, in bounded memory");
  addOption(app, "--shuffle-window", config.shuffleWindow,
            integers(1, unlimited),
            "samples of a stream that are shuffled together (default 65536)");
  addOption(app, "--data-split", flags.dataSplit, oneOf({"samples", "files"}),
            "how trainers share the data. samples (default): each reads all "
            "files and takes its share of the samples; files: each reads its "
            "share of the files");
  addOption(app, "--remainder", flags.remainder, oneOf({"drop", "pad"}),
            "samples at the end of an epoch that do not fill a step of all "
            "trainers: drop them (default), or pad the step with samples from "
            "the epoch's start");
  addOption(app, "--seed", config.seed, integers(0, unlimited),
            "seed of the initial values and of --shuffle, the same in all "
            "processes of a job (default 0)");
  addOption(app, "--set", config.settings, text("NAME=VALUE"),
            "give the optimizers of the graph another parameter, such as "
            "learning_rate=0.01; may be repeated")
      ->expected(1)
      ->allow_extra_args(false) // the next argument may be FILE
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  addOption(app, "--nan", flags.nan, oneOf({"fail", "warn"}),
            "what to do when a fetched number is NaN or infinite: fail "
            "(default) or warn");
}

absl::Status ps::finishTrainingOptions(const TrainingFlags &flags,
                                       RunConfig &config) {
  RETURN_IF_ERROR(finishEvaluationOptions(flags.evaluation, config));
  config.failOnNan = flags.nan == "fail";
  parseBadLines(flags.badLines, config.badLines);
  if (config.batchSize && config.globalBatchSize)
    return usageError("--batch-size and --global-batch-size both say how many "
                      "samples a step takes: expected one of them");
  config.streamData = flags.dataMode == "stream";
  config.splitFiles = flags.dataSplit == "files";
  config.padRemainder = flags.remainder == "pad";
  return absl::OkStatus();
}
