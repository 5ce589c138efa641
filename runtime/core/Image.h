//===- Image.h - Code of GPUs and its checksum ------------------*- C++ -*-===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is packed is what the driver gets and a seal: 8 letters and a sum of the
// bytes, of the variant that they are for and of how its kernels are launched.
// A driver stops where its image ends and passes over the seal.
//
//===----------------------------------------------------------------------===//

#ifndef RLSCAN_RUNTIME_CORE_IMAGE_H
#define RLSCAN_RUNTIME_CORE_IMAGE_H

#include "rlscan/abi.h"

#include <string>

namespace rlscan::runtime {

/// The seal of bytes that are an image of the variant. Of the image only the
/// kind and the capability are read, of the variant all but its images and
/// functions.
std::string sealOf(const rlscan_variant &variant, const rlscan_image &image,
                   const std::string &bytes);

/// What the driver gets. False: the image is not what it was when the variant
/// was made. Older compilers left images without a seal, and some that are not
/// packed.
bool unpack(const rlscan_variant &variant, const rlscan_image &image,
            std::string &bytes);

/// A stream of zlib's (RFC 1950) that makes nothing smaller.
std::string packStored(const std::string &bytes);

} // namespace rlscan::runtime

#endif // RLSCAN_RUNTIME_CORE_IMAGE_H
