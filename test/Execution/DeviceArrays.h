//===- DeviceArrays.h - A call's arrays with their guards ----- -*- C++ -*-===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// DeviceCall copies what lies between the first and the last element of an
// array, once. This copies the memory around it too, so that writes there are
// seen, and can bring results back to what they were while the workspace stays
// as a launch left it.
//
//===----------------------------------------------------------------------===//

#ifndef RLSCAN_TEST_EXECUTION_DEVICEARRAYS_H
#define RLSCAN_TEST_EXECUTION_DEVICEARRAYS_H

#include "Execution/DeviceCall.h"

namespace rlscan::test {

/// The host memory of a tensor: all of its storage, or what its elements span.
/// Elements that are far apart are pieces with nothing between them.
class Region {
public:
  explicit Region(const Tensor &tensor);

  std::vector<char> save() const;
  void restore(llvm::ArrayRef<char> saved) const;

  struct Piece {
    int64_t offset, bytes;
  };
  char *begin = nullptr;
  int64_t bytes = 0;
  std::vector<Piece> pieces;

private:
  void addPieces(const Tensor &tensor);
};

/// The results of a call, as bytes.
using SavedResults = std::vector<std::vector<char>>;
SavedResults saveResults(const Call &call);
void restoreResults(const Call &call, const SavedResults &saved);

/// The arrays of a call on a device, and a workspace.
class DeviceArrays {
public:
  static llvm::Expected<DeviceArrays> make(const Call &call,
                                           const DeviceKernel &kernel,
                                           const device::Device &device,
                                           const device::Stream &stream);
  llvm::Error launch(const DeviceKernel &kernel, const device::Stream &stream);
  /// Copies the results' memory to the host, or from it.
  llvm::Error fetchResults(const device::Stream &stream) const;
  llvm::Error resetResults(const device::Stream &stream) const;
  /// Whether what lies behind the workspace is as it was.
  llvm::Expected<bool> isGuardIntact(const device::Stream &stream) const;

private:
  struct Array {
    Region region;
    device::Buffer buffer;
    int64_t shift = 0; // of the region in the buffer
    DeviceArgument argument = {};
    bool isResult = false;
  };
  static llvm::Expected<Array> allocate(const Call &call, const Tensor &tensor,
                                        const device::Device &device);
  static llvm::Error upload(const Array &array, const device::Stream &stream);
  llvm::Error makeWorkspace(int64_t bytes, const device::Device &device,
                            const device::Stream &stream);

  int64_t rows = 0, steps = 0, workspaceBytes = 0;
  std::vector<Array> arrays;
  std::vector<DeviceArgument> arguments;
  std::vector<int64_t> axisSizes;
  device::Buffer workspace;
};

} // namespace rlscan::test

#endif // RLSCAN_TEST_EXECUTION_DEVICEARRAYS_H
