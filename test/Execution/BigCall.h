//===- BigCall.h - More elements than 32 bits count ----------- -*- C++ -*-===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RLSCAN_TEST_EXECUTION_BIGCALL_H
#define RLSCAN_TEST_EXECUTION_BIGCALL_H

#include "Executor.h"

namespace rlscan::test {

/// The shape of arrays that are packed.
struct BigShape {
  int64_t rows = 0, steps = 0;
  bool isTimeMajor = false;

  int64_t elements() const { return rows * steps; }
  int64_t rowStride() const { return isTimeMajor ? 1 : steps; }
  int64_t stepStride() const { return isTimeMajor ? rows : 1; }
};

/// A call of a recipe whose arrays are on a device alone. The inputs repeat a
/// table, whose length no power of two is a multiple of: where an index loses
/// its upper bits, it finds other numbers.
class BigCall {
public:
  BigCall(TestRecipe &recipe, const BigShape &shape,
          const device::Device &device, const device::Stream &stream)
      : recipe(recipe), shape(shape), device(device), stream(stream) {}

  /// Compiles, for a schedule or what the compiler chooses, and launches.
  llvm::Error run(llvm::StringRef schedule);
  std::string schedule() const { return kernel->schedule().getSuffix(); }

  /// How many elements of the results were not written.
  llvm::Expected<int64_t> countUnwritten() const;
  /// Compares `count` steps of a row with the reference. What is wrong, or
  /// nothing.
  llvm::Expected<std::string> check(int64_t row, int64_t first, int64_t count,
                                    double &used) const;

private:
  struct Array {
    std::string name;
    DType dtype;
    int64_t rank, elements;
    Tensor table; // of inputs
    device::Buffer buffer;
  };

  llvm::StringMap<Tensor> smallInputs() const;
  llvm::Expected<Call> smallCall() const;
  llvm::Error compile(const Call &call, llvm::StringRef schedule);
  llvm::Error addArray(llvm::StringRef name, const Tensor &like, bool isInput);
  llvm::Error fill(const Array &array) const;
  llvm::Error launch();
  llvm::Error read(const Array &array, int64_t row, int64_t first,
                   Tensor &values) const;
  llvm::StringMap<Tensor> slice(int64_t row, int64_t first,
                                int64_t count) const;

  TestRecipe &recipe;
  BigShape shape;
  const device::Device &device;
  const device::Stream &stream;
  std::unique_ptr<DeviceKernel> kernel;
  std::vector<Array> inputs, results;
  std::vector<std::pair<std::string, Tensor>> params; // numbers
  device::Buffer workspace;
};

} // namespace rlscan::test

#endif // RLSCAN_TEST_EXECUTION_BIGCALL_H
