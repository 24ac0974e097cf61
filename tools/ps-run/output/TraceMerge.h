// SPDX-License-Identifier: Apache-2.0
//===- TraceMerge.h - the traces of a job in one file ---------------------===//

#ifndef PS_TOOLS_PS_RUN_OUTPUT_TRACEMERGE_H
#define PS_TOOLS_PS_RUN_OUTPUT_TRACEMERGE_H

#include "absl/status/statusor.h"
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace ps {

/// The options of `ps-run merge-traces`.
struct MergeTracesConfig {
  /// Files that --trace wrote.
  std::vector<std::string> files;
  std::string output;
};

/// Writes the spans of `files`, which --trace wrote, to `output`, which may be
/// one of them: a row for each process, trainers first, by ids. Times of files
/// of another machine are moved by the difference of the two machines' wall
/// clocks. INVALID_ARGUMENT names a file and line that is of no trace.
absl::Status mergeTraces(std::span<const std::string> files,
                         const std::string &output);

/// The traces that the processes of a job with --trace=`file` have written
/// since `begin`: `file` itself is trainer 0's, others are beside it.
std::vector<std::string> findTraces(const std::string &file,
                                    std::filesystem::file_time_type begin);

/// Merges `traces`, if there are any, at the end of a job: a failure is a
/// warning.
void mergeTracesOfJob(std::span<const std::string> traces,
                      const std::string &output);

} // namespace ps

#endif // PS_TOOLS_PS_RUN_OUTPUT_TRACEMERGE_H
