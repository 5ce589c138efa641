//===- Npz.cpp - NumPy .npz and .npy files --------------------------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The .npy format: https://numpy.org/neps/nep-0001-npy-format.html
//
//===----------------------------------------------------------------------===//

#include "Execution/Npz.h"
#include "Execution/NpyHeader.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/Twine.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/FileSystem.h"

#include <zip.h>

#include <cassert>
#include <cstring>
#include <memory>
#include <optional>

using namespace rlscan;
using llvm::ArrayRef;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;
using llvm::MutableArrayRef;
using llvm::StringRef;
using llvm::Twine;

static_assert(llvm::endianness::native == llvm::endianness::little,
              "arrays are read and written as they lie in memory");

static Error inContext(const Twine &context, Error error) {
  return createStringError(context + ": " + llvm::toString(std::move(error)));
}

//===----------------------------------------------------------------------===//
// Reading an array
//===----------------------------------------------------------------------===//

/// Reads the next bytes, as many as there are room for and the source has at
/// hand; none at its end.
using ReadFn = llvm::function_ref<Expected<size_t>(MutableArrayRef<char>)>;

static Error readFully(ReadFn read, MutableArrayRef<char> bytes) {
  size_t done = 0;
  while (done < bytes.size()) {
    Expected<size_t> count = read(bytes.drop_front(done));
    if (!count)
      return count.takeError();
    if (*count == 0)
      return createStringError("ends too early");
    done += *count;
  }
  return Error::success();
}

/// Reading on at the end also makes libzip compare the checksum.
static Error expectEnd(ReadFn read) {
  char byte;
  Expected<size_t> count = read(byte);
  if (!count)
    return count.takeError();
  if (*count != 0)
    return createStringError("goes on after its end");
  return Error::success();
}

/// Reads `bytes` from the `left` bytes that are left.
static Error readHeaderBytes(ReadFn read, uint64_t &left,
                             MutableArrayRef<char> bytes) {
  if (bytes.size() > left)
    return createStringError("header is cut off: " + Twine(bytes.size()) +
                             " bytes expected, " + Twine(left) + " left");
  left -= bytes.size();
  return readFully(read, bytes);
}

/// Reads all that comes before the data, and gives the dictionary.
static Expected<std::string> readHeaderText(ReadFn read, uint64_t &left) {
  char prefix[npyMagic.size() + 2];
  if (Error error = readHeaderBytes(read, left, prefix))
    return error;
  if (StringRef(prefix, npyMagic.size()) != npyMagic)
    return createStringError(
        "not an npy array: it does not start with \"\\x93NUMPY\"");
  unsigned major = static_cast<uint8_t>(prefix[npyMagic.size()]);
  unsigned minor = static_cast<uint8_t>(prefix[npyMagic.size() + 1]);
  if (major < 1 || major > 3 || minor != 0)
    return createStringError("npy format version " + Twine(major) + "." +
                             Twine(minor) +
                             " is not taken, only 1.0, 2.0 and 3.0");
  char lengthBytes[4] = {};
  MutableArrayRef<char> stored(lengthBytes, major == 1 ? 2 : 4);
  if (Error error = readHeaderBytes(read, left, stored))
    return error;
  uint32_t length = llvm::support::endian::read32le(lengthBytes);
  if (length > maxHeaderLength)
    return createStringError("header of " + Twine(length) + " bytes, at most " +
                             Twine(maxHeaderLength) + " are taken");
  std::string text(length, '\0');
  if (Error error = readHeaderBytes(read, left, text))
    return error;
  return text;
}

static llvm::SmallVector<int64_t, 3> fortranStrides(ArrayRef<int64_t> sizes) {
  llvm::SmallVector<int64_t, 3> strides;
  int64_t stride = 1;
  for (int64_t size : sizes) {
    strides.push_back(stride);
    stride *= std::max<int64_t>(size, 1);
  }
  return strides;
}

/// Reads an array in the .npy format, which takes `size` bytes.
static Expected<Tensor> readArray(ReadFn read, uint64_t size) {
  uint64_t left = size;
  Expected<std::string> text = readHeaderText(read, left);
  if (!text)
    return text.takeError();
  Expected<NpyHeader> header = parseNpyHeader(*text);
  if (!header)
    return header.takeError();
  Expected<int64_t> bytes = byteCount(*header);
  if (!bytes)
    return bytes.takeError();
  if (static_cast<uint64_t>(*bytes) != left)
    return createStringError(Twine(left) + " bytes of data, its header says " +
                             Twine(*bytes));
  Tensor tensor = Tensor::allocate(header->dtype, header->sizes);
  if (Error error = readFully(read, MutableArrayRef(tensor.data, *bytes)))
    return error;
  if (Error error = expectEnd(read))
    return error;
  if (header->fortranOrder)
    tensor.strides = fortranStrides(header->sizes);
  return tensor;
}

/// The size of a file that has one.
static Expected<uint64_t> sizeOfFile(StringRef path) {
  llvm::sys::fs::file_status status;
  if (std::error_code error = llvm::sys::fs::status(path, status))
    return createStringError("cannot be read: " + error.message());
  if (llvm::sys::fs::is_directory(status))
    return createStringError("is a directory");
  if (!llvm::sys::fs::is_regular_file(status))
    return createStringError("is not a regular file");
  if (status.getSize() == 0)
    return createStringError("is empty");
  return status.getSize();
}

static Expected<Tensor> readArrayFile(StringRef path) {
  Expected<uint64_t> size = sizeOfFile(path);
  if (!size)
    return size.takeError();
  Expected<llvm::sys::fs::file_t> file =
      llvm::sys::fs::openNativeFileForRead(path);
  if (!file)
    return inContext("cannot be read", file.takeError());
  llvm::scope_exit close([&] { llvm::sys::fs::closeFile(*file); });
  auto read = [&](MutableArrayRef<char> bytes) {
    return llvm::sys::fs::readNativeFile(*file, bytes);
  };
  return readArray(read, *size);
}

Expected<Tensor> rlscan::readNpy(StringRef path) {
  Expected<Tensor> tensor = readArrayFile(path);
  if (!tensor)
    return inContext(path, tensor.takeError());
  return tensor;
}

//===----------------------------------------------------------------------===//
// Archives
//===----------------------------------------------------------------------===//

namespace {

struct DiscardArchive {
  void operator()(zip_t *archive) const { zip_discard(archive); }
};

struct CloseEntry {
  void operator()(zip_file_t *file) const { zip_fclose(file); }
};

} // namespace

using ArchivePtr = std::unique_ptr<zip_t, DiscardArchive>;
using EntryPtr = std::unique_ptr<zip_file_t, CloseEntry>;

static Expected<ArchivePtr> openArchive(StringRef path, int flags) {
  int code;
  if (zip_t *archive = zip_open(path.str().c_str(), flags, &code))
    return ArchivePtr(archive);
  zip_error_t error;
  zip_error_init_with_code(&error, code);
  std::string message = zip_error_strerror(&error);
  zip_error_fini(&error);
  return createStringError(Twine(message));
}

/// Refuses an entry that cannot be as large as it claims, because the claim
/// decides how much memory is asked for. Deflate makes of one byte 1032 at most
/// (https://zlib.net/zlib_tech.html).
static Error checkEntrySize(const zip_stat_t &stat, uint64_t sizeOfArchive) {
  if (stat.comp_method != ZIP_CM_STORE && stat.comp_method != ZIP_CM_DEFLATE)
    return createStringError("compression method " + Twine(stat.comp_method) +
                             " is not taken, only stored and deflated");
  uint64_t growth = stat.comp_method == ZIP_CM_STORE ? 1 : 1032;
  if (stat.comp_size > sizeOfArchive || stat.size / growth > stat.comp_size)
    return createStringError("its entry claims " + Twine(stat.size) +
                             " bytes, stored as " + Twine(stat.comp_size) +
                             " in a file of " + Twine(sizeOfArchive));
  return Error::success();
}

static Expected<Tensor> readEntry(zip_t *archive, const zip_stat_t &stat,
                                  uint64_t sizeOfArchive) {
  if (Error error = checkEntrySize(stat, sizeOfArchive))
    return error;
  EntryPtr entry(zip_fopen_index(archive, stat.index, 0));
  if (!entry)
    return createStringError(Twine("cannot be read: ") + zip_strerror(archive));
  auto read = [&](MutableArrayRef<char> bytes) -> Expected<size_t> {
    zip_int64_t count = zip_fread(entry.get(), bytes.data(), bytes.size());
    if (count < 0)
      return createStringError(Twine("cannot be read: ") +
                               zip_file_strerror(entry.get()));
    return count;
  };
  return readArray(read, stat.size);
}

static Expected<NamedTensors> readArchive(StringRef path) {
  // libzip takes an empty file for an empty archive.
  Expected<uint64_t> size = sizeOfFile(path);
  if (!size)
    return size.takeError();
  Expected<ArchivePtr> archive = openArchive(path, ZIP_RDONLY);
  if (!archive)
    return inContext("not a readable npz archive", archive.takeError());
  NamedTensors tensors;
  llvm::StringSet<> names;
  zip_int64_t count = zip_get_num_entries(archive->get(), 0);
  for (zip_int64_t index = 0; index < count; ++index) {
    zip_stat_t stat;
    if (zip_stat_index(archive->get(), index, 0, &stat) != 0)
      return createStringError(Twine("not a readable npz archive: ") +
                               zip_strerror(archive->get()));
    StringRef name = stat.name;
    if (!name.consume_back(".npy") || name.empty())
      return createStringError("entry '" + escaped(stat.name) +
                               "' is not named as an .npy array");
    if (!names.insert(name).second)
      return createStringError("array '" + escaped(name) + "' occurs twice");
    Expected<Tensor> tensor = readEntry(archive->get(), stat, *size);
    if (!tensor)
      return inContext(escaped(name), tensor.takeError());
    tensors.emplace_back(name.str(), std::move(*tensor));
  }
  return tensors;
}

Expected<NamedTensors> rlscan::readNpz(StringRef path) {
  Expected<NamedTensors> tensors = readArchive(path);
  if (!tensors)
    return inContext(path, tensors.takeError());
  return tensors;
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

static bool isPacked(const Tensor &tensor) {
  int64_t expected = 1;
  for (auto [size, stride] : llvm::zip_equal(llvm::reverse(tensor.sizes),
                                             llvm::reverse(tensor.strides))) {
    if (size != 1 && stride != expected)
      return false;
    expected *= size;
  }
  return true;
}

/// The same elements bit for bit in C order; shares memory that is so already.
/// (Tensor::converted goes through double, which changes large integers.)
static Tensor packed(const Tensor &tensor) {
  if (isPacked(tensor))
    return tensor;
  Tensor result = Tensor::allocate(tensor.dtype, tensor.sizes);
  int64_t width = byteWidth(tensor.dtype);
  int64_t rowSize = tensor.sizes.back();
  int64_t rowStride = tensor.strides.back() * width;
  char *to = result.data;
  llvm::SmallVector<int64_t, 3> index(tensor.sizes.size(), 0);
  for (int64_t left = tensor.numElements(); left > 0; left -= rowSize) {
    const char *from = tensor.data;
    for (auto [position, stride] : llvm::zip_equal(index, tensor.strides))
      from += position * stride * width;
    for (int64_t column = 0; column < rowSize; ++column, to += width)
      std::memcpy(to, from + column * rowStride, width);
    for (int64_t dim = tensor.rank() - 2;
         dim >= 0 && ++index[dim] == tensor.sizes[dim]; --dim)
      index[dim] = 0;
  }
  return result;
}

namespace {

/// What libzip reads when the archive is closed.
struct EntryToWrite {
  std::string name;
  std::string header;
  Tensor tensor;
};

} // namespace

static Error addEntry(zip_t *archive, EntryToWrite &entry) {
  int64_t bytes = entry.tensor.numElements() * byteWidth(entry.tensor.dtype);
  zip_buffer_fragment_t fragments[] = {
      {reinterpret_cast<zip_uint8_t *>(entry.header.data()),
       entry.header.size()},
      {reinterpret_cast<zip_uint8_t *>(entry.tensor.data),
       static_cast<zip_uint64_t>(bytes)}};
  zip_source_t *source = zip_source_buffer_fragment(archive, fragments, 2, 0);
  if (!source)
    return createStringError(Twine(zip_strerror(archive)));
  zip_int64_t index =
      zip_file_add(archive, entry.name.c_str(), source, ZIP_FL_ENC_UTF_8);
  if (index < 0) {
    zip_source_free(source);
    return createStringError(Twine(zip_strerror(archive)));
  }
  // The date is the first that zip can tell, as in np.savez.
  constexpr zip_uint16_t firstDay = (0 << 9) | (1 << 5) | 1;
  if (zip_set_file_compression(archive, index, ZIP_CM_STORE, 0) != 0 ||
      zip_file_set_dostime(archive, index, 0, firstDay, 0) != 0)
    return createStringError(Twine(zip_strerror(archive)));
  return Error::success();
}

/// libzip would delete the file of an archive without entries, keep one of two
/// names that agree up to a NUL, and let '' through.
static Error checkNames(ArrayRef<std::pair<std::string, Tensor>> arrays) {
  if (arrays.empty())
    return createStringError("no arrays to write");
  llvm::StringSet<> names;
  for (const auto &array : arrays) {
    StringRef name = array.first;
    if (name.empty() || name.contains('\0'))
      return createStringError("'" + escaped(name) +
                               "' cannot be the name of an array");
    if (!names.insert(name).second)
      return createStringError("array '" + escaped(name) + "' occurs twice");
  }
  return Error::success();
}

static Error writeArchive(StringRef path,
                          ArrayRef<std::pair<std::string, Tensor>> arrays) {
  if (Error error = checkNames(arrays))
    return error;
  std::vector<EntryToWrite> entries;
  for (const auto &[name, tensor] : arrays) {
    assert(tensor.sizes.size() <= maxRank && "NumPy takes no such array");
    entries.push_back({name + ".npy", npyHeaderOf(tensor), packed(tensor)});
  }
  Expected<ArchivePtr> archive = openArchive(path, ZIP_CREATE | ZIP_TRUNCATE);
  if (!archive)
    return inContext("cannot be written", archive.takeError());
  for (EntryToWrite &entry : entries)
    if (Error error = addEntry(archive->get(), entry))
      return inContext(escaped(entry.name), std::move(error));
  // Writes a temporary file beside `path` and renames it, or removes it.
  if (zip_close(archive->get()) != 0)
    return createStringError(Twine("cannot be written: ") +
                             zip_strerror(archive->get()));
  // Closing has freed it.
  (void)archive->release();
  return Error::success();
}

Error rlscan::writeNpz(StringRef path,
                       ArrayRef<std::pair<std::string, Tensor>> arrays) {
  if (Error error = writeArchive(path, arrays))
    return inContext(path, std::move(error));
  return Error::success();
}
