//===- npz-test.cpp - Reads and writes .npz files for the tests -----------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Execution/Npz.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace rlscan;

/// Prints "name dtype [sizes] strides [strides]: first values".
static void dump(llvm::StringRef name, const Tensor &tensor) {
  llvm::raw_ostream &out = llvm::outs();
  out << name << ' ' << spelling(tensor.dtype) << " [";
  llvm::interleaveComma(tensor.sizes, out);
  out << "] strides [";
  llvm::interleaveComma(tensor.strides, out);
  out << "]:";
  llvm::SmallVector<int64_t, 3> index(tensor.sizes.size(), 0);
  int64_t count = std::min<int64_t>(tensor.numElements(), 8);
  for (; count > 0; --count) {
    out << llvm::format(" %.9g", tensor.read(index));
    for (int64_t dim = tensor.rank() - 1;
         dim >= 0 && ++index[dim] == tensor.sizes[dim]; --dim)
      index[dim] = 0;
  }
  out << '\n';
}

static llvm::Error dumpFile(llvm::StringRef path) {
  if (path.ends_with(".npy")) {
    llvm::Expected<Tensor> tensor = readNpy(path);
    if (!tensor)
      return tensor.takeError();
    dump(llvm::sys::path::stem(path), *tensor);
    return llvm::Error::success();
  }
  llvm::Expected<NamedTensors> tensors = readNpz(path);
  if (!tensors)
    return tensors.takeError();
  for (const auto &[name, tensor] : *tensors)
    dump(name, tensor);
  return llvm::Error::success();
}

static llvm::Error copyFile(llvm::StringRef from, llvm::StringRef to) {
  llvm::Expected<NamedTensors> tensors = readNpz(from);
  if (!tensors)
    return tensors.takeError();
  return writeNpz(to, *tensors);
}

/// Other views of a tensor [2, 3] with the elements 0 to 5, none of them
/// packed.
static llvm::Error writeViews(llvm::StringRef path) {
  Tensor whole = Tensor::allocate(DType::I64, {2, 3});
  for (int64_t row : {0, 1})
    for (int64_t column : {0, 1, 2})
      whole.write({row, column}, row * 3 + column);
  Tensor backwards = whole;
  backwards.strides = {3, -1};
  backwards.data += 2 * byteWidth(whole.dtype);
  Tensor broadcast = whole;
  broadcast.sizes = {2, 2, 3};
  broadcast.strides = {3, 0, 1};
  Tensor column = whole;
  column.sizes = {2};
  column.strides = {3};
  return writeNpz(
      path,
      {{"backwards", backwards}, {"broadcast", broadcast}, {"column", column}});
}

static llvm::Error writeNames(llvm::StringRef path,
                              llvm::ArrayRef<llvm::StringRef> names) {
  NamedTensors arrays;
  for (llvm::StringRef name : names)
    arrays.emplace_back(name.str(), Tensor::allocate(DType::F32, {}));
  return writeNpz(path, arrays);
}

/// Reports `error`, if there is one.
static bool succeeded(llvm::Error error) {
  if (!error)
    return true;
  llvm::errs() << "error: " << llvm::toString(std::move(error)) << '\n';
  return false;
}

static bool run(llvm::ArrayRef<llvm::StringRef> arguments) {
  if (arguments.size() < 2)
    return succeeded(llvm::createStringError(
        "usage: npz-test dump FILE... | copy IN.npz OUT.npz | views OUT.npz | "
        "names OUT.npz NAME..."));
  llvm::StringRef path = arguments[1];
  if (arguments[0] == "copy" && arguments.size() == 3)
    return succeeded(copyFile(path, arguments[2]));
  if (arguments[0] == "views")
    return succeeded(writeViews(path));
  if (arguments[0] == "names")
    return succeeded(writeNames(path, arguments.drop_front(2)));
  bool good = true;
  for (llvm::StringRef file : arguments.drop_front())
    good &= succeeded(dumpFile(file));
  return good;
}

int main(int argc, char **argv) {
  llvm::SmallVector<llvm::StringRef> arguments(argv + 1, argv + argc);
  return run(arguments) ? 0 : 1;
}
