// SPDX-License-Identifier: Apache-2.0
//===- NpyArray.h - an array that NumPy saved -----------------------------===//

#ifndef PS_RUNTIME_DATA_ARRAYS_NPYARRAY_H
#define PS_RUNTIME_DATA_ARRAYS_NPYARRAY_H

#include "runtime/data/Dataset.h"
#include "runtime/data/File.h"
#include <string>

namespace ps::runtime {

/// Reads the array in `file` as column `name`, a sample for each index of its
/// dimension 0, of which there are `samples`. DATA_LOSS names the file and the
/// byte that is wrong.
absl::StatusOr<Column> readNpyArray(File &file, const std::string &name,
                                    int64_t &samples);

/// Adds such a column to `data`, whose other columns have as many samples;
/// `first` is the file of the first of them.
absl::Status addNpyArray(File &file, const std::string &name,
                         std::string &first, Dataset &data);

bool hasColumn(const Dataset &data, absl::string_view name);

} // namespace ps::runtime

#endif // PS_RUNTIME_DATA_ARRAYS_NPYARRAY_H
