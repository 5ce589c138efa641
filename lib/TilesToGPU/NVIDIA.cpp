//===- NVIDIA.cpp - What each vendor has its own operations for -----------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TilesToGPU/ThreadBuilder.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace rlscan;

Value ThreadBuilder::firstLane(Value flag, Value none) {
  Value mask = NVVM::VoteSyncOp::create(*this, getI32Type(), i32(-1), flag,
                                        NVVM::VoteSyncKind::ballot);
  Value first = LLVM::CountTrailingZerosOp::create(*this, getI32Type(), mask,
                                                   /*is_zero_poison=*/false);
  return minimum(first, none);
}

void ThreadBuilder::syncSubgroup() { NVVM::SyncWarpOp::create(*this, i32(-1)); }

/// NVPTX has no hint for that but the instruction.
Value ThreadBuilder::loadStreamed(VectorType type, Value pointer) {
  Type word = getI32Type();
  auto words =
      LLVM::LLVMStructType::getLiteral(getContext(), {word, word, word, word});
  Value loaded =
      LLVM::InlineAsmOp::create(
          *this, words, ValueRange{pointer},
          "ld.global.cs.v4.b32 {$0, $1, $2, $3}, [$4];", "=r,=r,=r,=r,l",
          /*has_side_effects=*/false, /*is_align_stack=*/false,
          LLVM::tailcallkind::TailCallKind::None, LLVM::AsmDialectAttr(),
          ArrayAttr())
          .getRes();
  SmallVector<Value> parts;
  for (int64_t i = 0; i < 4; ++i)
    parts.push_back(LLVM::ExtractValueOp::create(*this, loaded, i));
  return LLVM::BitcastOp::create(*this, type, pack(parts));
}

void ThreadBuilder::copyAsync(Value from, Value to, int64_t bytes) {
  NVVM::CpAsyncOp::create(*this, to, from, bytes,
                          NVVM::LoadCacheModifierKind::CA, /*cpSize=*/Value());
}

void ThreadBuilder::waitForCopies() {
  NVVM::CpAsyncCommitGroupOp::create(*this);
  NVVM::CpAsyncWaitGroupOp::create(*this, 0);
}
