//===- ShrinkTemporaries.cpp - What sweeps leave for later ones -----------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A sweep begins where the one in the other direction has ended. What only its
// first position reads is there a value a row, and no array of steps.
//
//===----------------------------------------------------------------------===//

#include "RecurrenceToTiles/Temporaries.h"
#include "rlscan/Passes.h"

namespace rlscan {
#define GEN_PASS_DEF_SHRINKTEMPORARIES
#include "rlscan/Passes.h.inc"
} // namespace rlscan

using namespace mlir;
using namespace rlscan;

namespace {
struct ShrinkTemporaries
    : rlscan::impl::ShrinkTemporariesBase<ShrinkTemporaries> {
  void runOnOperation() override {
    getOperation().walk([](TemporaryOp temporary) {
      if (!isReadAtEndOnly(temporary))
        return;
      ArrayType type = temporary.getArray().getType();
      temporary.getArray().setType(
          ArrayType::get(type.getContext(), InputKind::Row, type.getStorage(),
                         Layout::Strided, StringAttr()));
    });
  }
};
} // namespace
