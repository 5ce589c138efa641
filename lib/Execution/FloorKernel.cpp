//===- FloorKernel.cpp - The least time for some bytes --------------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Execution/FloorKernel.h"

#include <algorithm>

using namespace rlscan;

/// Of the registers that hold a word.
static constexpr char letters[] = {'x', 'y', 'z', 'w'};

static uint64_t ceilDiv(uint64_t a, uint64_t b) { return (a + b - 1) / b; }

/// Chunks begin at lines of the cache, which are 8 words.
static uint32_t chunkOf(uint64_t words, uint64_t blocks) {
  return static_cast<uint32_t>(ceilDiv(ceilDiv(words, blocks), 8) * 8);
}

FloorPlan FloorPlan::make(int64_t bytesRead, int64_t bytesWritten,
                          unsigned accesses) {
  FloorPlan plan;
  plan.readWords = ceilDiv(bytesRead, wordBytes);
  plan.writtenWords = ceilDiv(bytesWritten, wordBytes);
  uint64_t most = std::max(plan.readWords, plan.writtenWords);
  uint64_t blocks =
      std::max<uint64_t>(1, ceilDiv(most, blockThreads * accesses));
  plan.blocks = static_cast<int64_t>(blocks);
  plan.readChunk = chunkOf(plan.readWords, blocks);
  plan.writtenChunk = chunkOf(plan.writtenWords, blocks);
  plan.reads = ceilDiv(plan.readChunk, blockThreads);
  plan.writes = ceilDiv(plan.writtenChunk, blockThreads);
  return plan;
}

// Without .minnctapersm ptxas takes so few registers, for more threads at a
// time, that a thread waits for some loads before it issues others.
static const char *const prologue = R"(.version 6.3
.target sm_75
.address_size 64

.visible .entry rlscan_floor(
  .param .u64 source,
  .param .u64 target,
  .param .u64 readWords,
  .param .u64 writtenWords,
  .param .u32 readChunk,
  .param .u32 writtenChunk
)
.maxntid 256, 1, 1
.minnctapersm 3
{
  .reg .pred %read<16>, %write<16>, %dead;
  .reg .b32 %x<16>, %y<16>, %z<16>, %w<16>;
  .reg .b32 %thread, %block, %chunk, %local, %count, %fold;
  .reg .b64 %begin, %left, %chunk64, %offset, %source, %target;

  mov.u32 %thread, %tid.x;
  mov.u32 %block, %ctaid.x;
)";

/// The block's part of an array: %array becomes the address of the thread's
/// first word, %count the words of the chunk that are there.
static std::string part(const std::string &array, const std::string &words,
                        const std::string &chunk) {
  return "\n  // The block's part of " + array + "\n  ld.param.u32 %chunk, [" +
         chunk +
         "];\n  mul.wide.u32 %begin, %block, %chunk;\n  ld.param.u64 %left, [" +
         words + R"(];
  sub.s64 %left, %left, %begin;
  cvt.u64.u32 %chunk64, %chunk;
  min.s64 %left, %left, %chunk64;
  max.s64 %left, %left, 0;
  cvt.u32.u64 %count, %left;
  cvt.u64.u32 %offset, %thread;
  add.u64 %offset, %offset, %begin;
  shl.b64 %offset, %offset, 4;
  ld.param.u64 %)" +
         array + ", [" + array + "];\n  cvta.to.global.u64 %" + array + ", %" +
         array + ";\n  add.u64 %" + array + ", %" + array + ", %offset;\n";
}

/// Sets %read<i> or %write<i>: is the thread's word i there?
static std::string guards(const std::string &predicate, unsigned accesses) {
  std::string text;
  for (unsigned i = 0; i < accesses; ++i)
    text += "  add.u32 %local, %thread, " +
            std::to_string(i * FloorPlan::blockThreads) + ";\n  setp.lt.u32 %" +
            predicate + std::to_string(i) + ", %local, %count;\n";
  return text;
}

/// The registers of word i, each behind its letter: {%x1, %y1, %z1, %w1}.
static std::string registers(unsigned i) {
  std::string text = "{";
  for (char letter : letters)
    text +=
        std::string(letter == 'x' ? "%" : ", %") + letter + std::to_string(i);
  return text + "}";
}

static std::string address(const std::string &array, unsigned i) {
  unsigned bytes = i * FloorPlan::blockThreads * FloorPlan::wordBytes;
  return "[%" + array + "+" + std::to_string(bytes) + "]";
}

/// All loads stand before the first use, so that they are under way together.
static std::string loads(unsigned reads) {
  std::string text = "\n  // The words: zero where there are none\n";
  for (unsigned i = 0; i < std::max(reads, 1u); ++i)
    for (char letter : letters)
      text +=
          std::string("  mov.b32 %") + letter + std::to_string(i) + ", 0;\n";
  for (unsigned i = 0; i < reads; ++i)
    text += "  @%read" + std::to_string(i) + " ld.global.nc.v4.u32 " +
            registers(i) + ", " + address("source", i) + ";\n";
  return text;
}

static std::string stores(unsigned reads, unsigned writes) {
  std::string text = "\n";
  for (unsigned i = 0; i < writes; ++i)
    text += "  @%write" + std::to_string(i) + " st.global.v4.u32 " +
            address("target", i) + ", " + registers(i % std::max(reads, 1u)) +
            ";\n";
  return text;
}

/// A use of everything that is read, or loads could be dropped.
static std::string use(unsigned reads) {
  std::string text = "\n  // Never true, but ptxas cannot know\n"
                     "  mov.b32 %fold, 0;\n";
  for (unsigned i = 0; i < reads; ++i)
    for (char letter : letters)
      text += std::string("  xor.b32 %fold, %fold, %") + letter +
              std::to_string(i) + ";\n";
  return text + R"(  setp.eq.u32 %dead, %fold, 0x9e3779b9;
  ld.param.u64 %target, [target];
  cvta.to.global.u64 %target, %target;
  @%dead st.global.u32 [%target], %fold;
)";
}

std::string rlscan::floorKernelText(unsigned reads, unsigned writes) {
  return prologue + part("source", "readWords", "readChunk") +
         guards("read", reads) +
         part("target", "writtenWords", "writtenChunk") +
         guards("write", writes) + loads(reads) + stores(reads, writes) +
         use(reads) + "  ret;\n}\n";
}
