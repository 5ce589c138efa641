//===- Inflate.cpp - Unpacks what zlib has packed -------------------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/core/Inflate.h"

#include <cstdint>

using namespace rlscan::runtime;

namespace {

/// A canonical Huffman code: how many codes there are of each length, and the
/// symbols in the order of their codes.
struct Code {
  static constexpr int longest = 15, mostSymbols = 288;
  uint16_t counts[longest + 1];
  uint16_t symbols[mostSymbols];

  Code(const uint8_t *lengths, int number);
};

/// Reads bits, the lowest of a byte first, and fills the result. Beyond the end
/// of either it fails and stays so.
class Inflater {
public:
  Inflater(const uint8_t *bytes, size_t size, std::string &result)
      : bytes(bytes), size(size), result(result) {}

  bool run();

private:
  unsigned bits(int number);
  int symbol(const Code &code);
  void put(char byte);
  void copy(size_t length, size_t distance);
  void storedBlock();
  void fixedBlock();
  void dynamicBlock();
  void codedBlock(const Code &lengths, const Code &distances);
  bool hasRightSum();

  const uint8_t *bytes;
  size_t size, next = 0;
  unsigned held = 0; // bits that are read and not taken
  int heldCount = 0;
  std::string &result;
  size_t filled = 0;
  bool isBad = false;
};

} // namespace

Code::Code(const uint8_t *lengths, int number) {
  for (uint16_t &count : counts)
    count = 0;
  for (int i = 0; i < number; ++i)
    ++counts[lengths[i]];
  counts[0] = 0;
  uint16_t offsets[longest + 2] = {};
  for (int length = 1; length <= longest; ++length)
    offsets[length + 1] = offsets[length] + counts[length];
  for (int i = 0; i < number; ++i)
    if (lengths[i] != 0)
      symbols[offsets[lengths[i]]++] = static_cast<uint16_t>(i);
}

unsigned Inflater::bits(int number) {
  while (heldCount < number) {
    isBad |= next >= size;
    held |= (isBad ? 0u : bytes[next++]) << heldCount;
    heldCount += 8;
  }
  unsigned taken = held & ((1u << number) - 1);
  held >>= number;
  heldCount -= number;
  return taken;
}

int Inflater::symbol(const Code &code) {
  int value = 0, first = 0, index = 0;
  for (int length = 1; length <= Code::longest; ++length) {
    value |= static_cast<int>(bits(1));
    int count = code.counts[length];
    if (value - first < count)
      return code.symbols[index + value - first];
    index += count;
    first = (first + count) << 1;
    value <<= 1;
  }
  isBad = true;
  return 0;
}

void Inflater::put(char byte) {
  isBad |= filled >= result.size();
  if (!isBad)
    result[filled++] = byte;
}

void Inflater::copy(size_t length, size_t distance) {
  isBad |= distance > filled;
  for (size_t i = 0; i < length && !isBad; ++i)
    put(result[filled - distance]);
}

void Inflater::storedBlock() {
  held = 0;
  heldCount = 0;
  unsigned length = bits(8);
  length |= bits(8) << 8;
  unsigned check = bits(8);
  check |= bits(8) << 8;
  isBad |= (length ^ check) != 0xffff;
  for (unsigned i = 0; i < length && !isBad; ++i)
    put(static_cast<char>(bits(8)));
}

void Inflater::codedBlock(const Code &lengths, const Code &distances) {
  static const uint16_t lengthBase[] = {
      3,  4,  5,  6,  7,  8,  9,  10, 11,  13,  15,  17,  19,  23, 27,
      31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258};
  static const uint8_t lengthBits[] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1,
                                       1, 1, 2, 2, 2, 2, 3, 3, 3, 3,
                                       4, 4, 4, 4, 5, 5, 5, 5, 0};
  static const uint16_t distanceBase[] = {
      1,    2,    3,    4,    5,    7,    9,    13,    17,    25,
      33,   49,   65,   97,   129,  193,  257,  385,   513,   769,
      1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577};
  constexpr int endOfBlock = 256, lengthCodes = 29, distanceCodes = 30;
  while (!isBad) {
    int read = symbol(lengths);
    if (read == endOfBlock)
      return;
    if (read < endOfBlock) {
      put(static_cast<char>(read));
      continue;
    }
    read -= endOfBlock + 1;
    isBad |= read >= lengthCodes;
    if (isBad)
      return;
    size_t length = lengthBase[read] + bits(lengthBits[read]);
    int code = symbol(distances);
    isBad |= code >= distanceCodes;
    if (isBad)
      return;
    int extra = code < 2 ? 0 : code / 2 - 1;
    copy(length, distanceBase[code] + bits(extra));
  }
}

void Inflater::fixedBlock() {
  uint8_t lengths[288], distances[30];
  for (int i = 0; i < 288; ++i)
    lengths[i] = i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8;
  for (uint8_t &length : distances)
    length = 5;
  codedBlock(Code(lengths, 288), Code(distances, 30));
}

void Inflater::dynamicBlock() {
  static const uint8_t order[] = {16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
                                  11, 4,  12, 3, 13, 2, 14, 1, 15};
  int lengthCount = static_cast<int>(bits(5)) + 257;
  int distanceCount = static_cast<int>(bits(5)) + 1;
  int orderCount = static_cast<int>(bits(4)) + 4;
  uint8_t lengths[288 + 32] = {};
  for (int i = 0; i < orderCount; ++i)
    lengths[order[i]] = static_cast<uint8_t>(bits(3));
  Code ofLengths(lengths, 19);
  isBad |= lengthCount > 286 || distanceCount > 30;
  for (int i = 0; i < lengthCount + distanceCount && !isBad;) {
    int read = symbol(ofLengths);
    uint8_t value = read < 16 ? static_cast<uint8_t>(read) : 0;
    int times = 1;
    if (read == 16) {
      isBad |= i == 0;
      value = i == 0 ? 0 : lengths[i - 1];
      times = 3 + static_cast<int>(bits(2));
    } else if (read == 17) {
      times = 3 + static_cast<int>(bits(3));
    } else if (read == 18) {
      times = 11 + static_cast<int>(bits(7));
    }
    isBad |= i + times > lengthCount + distanceCount;
    for (; times > 0 && !isBad; --times)
      lengths[i++] = value;
  }
  if (!isBad)
    codedBlock(Code(lengths, lengthCount),
               Code(lengths + lengthCount, distanceCount));
}

uint32_t rlscan::runtime::adlerOf(const std::string &bytes) {
  constexpr uint32_t prime = 65521;
  uint32_t a = 1, b = 0;
  for (char byte : bytes) {
    a = (a + static_cast<uint8_t>(byte)) % prime;
    b = (b + a) % prime;
  }
  return b << 16 | a;
}

/// It is the end, with its highest byte first. The bits before it that fill up
/// a byte are 0.
bool Inflater::hasRightSum() {
  uint32_t expected = 0;
  isBad |= bits(heldCount % 8) != 0;
  next -= heldCount / 8;
  held = 0;
  heldCount = 0;
  for (int i = 0; i < 4; ++i)
    expected = expected << 8 | bits(8);
  return !isBad && next == size && expected == adlerOf(result);
}

bool Inflater::run() {
  constexpr unsigned deflate = 8, dictionary = 0x20;
  unsigned method = bits(8), flags = bits(8);
  isBad |= (method & 15) != deflate || (method << 8 | flags) % 31 != 0 ||
           (flags & dictionary);
  for (bool isLast = false; !isLast && !isBad;) {
    isLast = bits(1);
    unsigned kind = bits(2);
    if (kind == 0)
      storedBlock();
    else if (kind == 1)
      fixedBlock();
    else if (kind == 2)
      dynamicBlock();
    else
      isBad = true;
  }
  return !isBad && filled == result.size() && hasRightSum();
}

bool rlscan::runtime::inflate(const void *stream, size_t size,
                              std::string &result) {
  return Inflater(static_cast<const uint8_t *>(stream), size, result).run();
}
