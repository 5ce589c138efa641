//===- Table.h - The runtime's types as LLVM constants ----------*- C++ -*-===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RLSCAN_ARTEFACTS_TABLE_H
#define RLSCAN_ARTEFACTS_TABLE_H

#include "Artefacts/Library.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/Module.h"

namespace rlscan {

/// Writes the tables of rlscan/abi.h into a module. Everything is internal to
/// it.
class TableWriter {
public:
  explicit TableWriter(llvm::Module &module) : module(module) {}

  /// The rlscan_estimator. The code of its variants is in the module.
  llvm::GlobalVariable *write(const CompiledEstimator &compiled);

private:
  using Fields = llvm::ArrayRef<llvm::Constant *>;

  llvm::Constant *i32(int32_t value) const;
  llvm::Constant *i64(int64_t value) const;
  llvm::Constant *null() const;
  llvm::Constant *text(llvm::StringRef text);
  llvm::Constant *bytes(llvm::StringRef bytes, bool endsWithZero);
  llvm::Constant *record(Fields fields, size_t size) const;
  /// The address of an array of constants of one type; null where it is empty.
  llvm::Constant *array(Fields elements, llvm::StringRef name);
  llvm::Constant *indices(llvm::ArrayRef<int32_t> values);

  llvm::Constant *argument(const CompiledEstimator &compiled, unsigned index,
                           const ArgsMember &member);
  llvm::Constant *kernel(const ScheduledKernel &kernel);
  llvm::Constant *image(const DeviceImage &image,
                        const rlscan_variant &variant);
  llvm::Constant *variant(const CompiledVariant &variant);

  llvm::Module &module;
  llvm::SmallVector<llvm::StringRef> names; // of the arguments
  std::vector<std::string> axes;
};

} // namespace rlscan

#endif // RLSCAN_ARTEFACTS_TABLE_H
