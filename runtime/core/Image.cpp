//===- Image.cpp - Code of GPUs and its checksum --------------------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/core/Image.h"
#include "runtime/core/Inflate.h"

#include <algorithm>
#include <cstring>
#include <initializer_list>

using namespace rlscan::runtime;

static const char sealName[] = "rlscan:1";
static constexpr size_t nameBytes = sizeof sealName - 1,
                        sealBytes = nameBytes + sizeof(uint64_t);

namespace {

/// FNV-1a of 64 bits: against accidents.
class Sum {
public:
  void add(const void *bytes, size_t size) {
    for (size_t i = 0; i < size; ++i)
      value = (value ^ static_cast<const uint8_t *>(bytes)[i]) * 0x100000001b3u;
  }
  void addText(const char *text) { add(text, std::strlen(text) + 1); }
  void addNumbers(std::initializer_list<int32_t> numbers) {
    add(numbers.begin(), numbers.size() * sizeof(int32_t));
  }
  void addIndices(const int32_t *indices, int32_t count) {
    addNumbers({count});
    add(indices, count * sizeof *indices);
  }

  uint64_t value = 0xcbf29ce484222325u;
};

} // namespace

static void addKernel(Sum &sum, const rlscan_kernel &kernel) {
  sum.addText(kernel.name);
  sum.addNumbers({kernel.threads, kernel.rows, kernel.tile_steps, kernel.chain,
                  kernel.access, kernel.scans, kernel.temporaries,
                  kernel.state_bytes, kernel.entries});
}

std::string rlscan::runtime::sealOf(const rlscan_variant &variant,
                                    const rlscan_image &image,
                                    const std::string &bytes) {
  Sum sum;
  sum.addText(variant.name);
  sum.addNumbers({variant.target, variant.layout, variant.is_f64, image.kind,
                  image.capability});
  sum.add(variant.storage, sizeof variant.storage);
  sum.addIndices(variant.arguments, variant.argument_count);
  sum.addIndices(variant.axes, variant.axis_count);
  sum.addNumbers({variant.kernel_count});
  for (int i = 0; i < variant.kernel_count; ++i)
    addKernel(sum, variant.kernels[i]);
  sum.add(bytes.data(), bytes.size());
  std::string seal(sealName);
  for (int shift = 0; shift < 64; shift += 8)
    seal += static_cast<char>(sum.value >> shift & 0xff);
  return seal;
}

bool rlscan::runtime::unpack(const rlscan_variant &variant,
                             const rlscan_image &image, std::string &bytes) {
  // One bit of a stream is at most half a match of 258 bytes.
  constexpr uint64_t mostRatio = 1032;
  bytes.assign(static_cast<const char *>(image.data), image.size);
  if (image.unpacked_size == 0)
    return true;
  if (image.unpacked_size / mostRatio > image.size)
    return false;
  bytes.assign(image.unpacked_size, '\0');
  if (!inflate(image.data, image.size, bytes))
    return false;
  size_t end = bytes.size() - std::min(bytes.size(), sealBytes);
  if (bytes.compare(end, nameBytes, sealName) != 0)
    return true;
  std::string seal = bytes.substr(end);
  bytes.resize(end);
  return seal == sealOf(variant, image, bytes);
}

std::string rlscan::runtime::packStored(const std::string &bytes) {
  constexpr size_t most = 0xffff;
  std::string stream("\x78\x01");
  size_t from = 0;
  do {
    size_t size = std::min(most, bytes.size() - from);
    bool isLast = from + size == bytes.size();
    for (size_t number : {size, ~size})
      stream += {static_cast<char>(number & 0xff),
                 static_cast<char>(number >> 8 & 0xff)};
    stream.insert(stream.size() - 4, 1, static_cast<char>(isLast));
    stream.append(bytes, from, size);
    from += size;
  } while (from < bytes.size());
  uint32_t sum = adlerOf(bytes);
  for (int shift = 24; shift >= 0; shift -= 8)
    stream += static_cast<char>(sum >> shift & 0xff);
  return stream;
}
