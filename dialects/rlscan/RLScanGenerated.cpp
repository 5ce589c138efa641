//===- RLScanGenerated.cpp - The generated code of the ops ----------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compiled once and alone: it is by far the slowest file of the dialect.
//
//===----------------------------------------------------------------------===//

#include "dialects/rlscan/OpAssembly.h"
#include "dialects/rlscan/RLScan.h"

using namespace mlir;
using namespace rlscan;

#define GET_OP_CLASSES
#include "dialects/rlscan/RLScanOps.cpp.inc"
