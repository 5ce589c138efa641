//===- Placement.cpp - Arrays anywhere in memory --------------------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Placement.h"

#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <cstring>
#include <sys/mman.h>
#include <unistd.h>

using namespace rlscan;
using namespace rlscan::test;
using llvm::ArrayRef;

//===----------------------------------------------------------------------===//
// The placements
//===----------------------------------------------------------------------===//

namespace {

/// Writes a placement as a sentence.
struct Make : Placement {
  explicit Make(const char *name) : Placement{name} {}

  Make rowsInside() const { return with(&Placement::rowsInside); }
  Make axisOutside() const { return with(&Placement::axisOutside); }
  Make reversed() const { return reversedRows().reversedSteps(); }
  Make reversedRows() const { return with(&Placement::reversesRows); }
  Make reversedSteps() const { return with(&Placement::reversesSteps); }
  Make repeatedRows() const { return with(&Placement::repeatsRows); }
  Make repeatedSteps() const { return with(&Placement::repeatsSteps); }
  Make everySecond() const { return with(&Placement::spacing, 2); }
  Make padded() const { return with(&Placement::padding, 5); }
  Make shifted() const { return with(&Placement::shift, 1); }

private:
  template <typename T> Make with(T Placement::*field, int value = true) const {
    Make changed = *this;
    changed.*field = value;
    return changed;
  }
};

} // namespace

static const Placement stepsContiguous[] = {
    Make("[N,T]"),
    Make("[N,T]-padded").padded(),
    Make("[N,T]-shifted").shifted(),
    Make("[N,T]-rows-reversed").reversedRows(),
    Make("[N,T]-rows-repeated").repeatedRows(),
};

static const Placement rowsContiguous[] = {
    Make("[T,N]").rowsInside(),
    Make("[T,N]-padded").rowsInside().padded(),
    Make("[T,N]-shifted").rowsInside().shifted(),
    Make("[T,N]-steps-reversed").rowsInside().reversedSteps(),
    Make("[T,N]-steps-repeated").rowsInside().repeatedSteps(),
};

static const Placement stridedArrays[] = {
    Make("[N,T]-reversed").reversed(),
    Make("[T,N]-reversed").rowsInside().reversed(),
    Make("[N,T]-every-second").everySecond().padded(),
    Make("[T,N]-every-second").rowsInside().everySecond().shifted(),
    Make("every-second-rows-repeated").everySecond().repeatedRows(),
    Make("every-second-steps-repeated").everySecond().repeatedSteps(),
    Make("all-repeated").repeatedRows().repeatedSteps(),
};

static const Placement axisArrays[] = {
    Make("[N,T,A]"),
    Make("[T,N,A]").rowsInside(),
    Make("[A,N,T]").axisOutside(),
    Make("[A,T,N]").axisOutside().rowsInside(),
    Make("[N,T,A]-reversed").reversed(),
    Make("[T,N,A]-reversed").rowsInside().reversed(),
    Make("[N,T,A]-padded").padded(),
    Make("[N,T,A]-every-second").everySecond().shifted(),
    Make("[A,T,N]-every-second").axisOutside().rowsInside().everySecond(),
    Make("[N,T,A]-rows-repeated").repeatedRows(),
    Make("[T,N,A]-steps-repeated").rowsInside().repeatedSteps(),
};

static const Placement denseRows[] = {Make("[N]"),
                                      Make("[N]-shifted").shifted()};

static const Placement stridedRows[] = {
    Make("[N]-reversed").reversedRows(),
    Make("[N]-every-second").everySecond(),
    Make("[N]-repeated").repeatedRows(),
};

ArrayRef<Placement> test::placements(Layout layout, int64_t rank) {
  if (rank == 3)
    return axisArrays;
  bool isStrided = layout == Layout::Strided;
  if (rank <= 1)
    return isStrided ? ArrayRef(stridedRows) : ArrayRef(denseRows);
  if (isStrided)
    return stridedArrays;
  return layout == Layout::Rows ? ArrayRef(rowsContiguous)
                                : ArrayRef(stepsContiguous);
}

ArrayRef<Placement> test::outputPlacements(Layout layout) {
  return placements(layout, 2).take_while(
      [](const Placement &placement) { return !placement.repeats(); });
}

//===----------------------------------------------------------------------===//
// From a placement to strides
//===----------------------------------------------------------------------===//

namespace {
/// The strides of an array and the elements of memory between its outermost
/// ones.
struct Span {
  llvm::SmallVector<int64_t, 3> strides;
  int64_t count = 1;
  int64_t first = 0; // where the element with all indices 0 lies
};
} // namespace

/// The dimensions, neighbours in memory first.
static llvm::SmallVector<unsigned, 3> fromInside(const Placement &placement,
                                                 unsigned rank) {
  llvm::SmallVector<unsigned, 3> order = {1, 0};
  if (placement.rowsInside)
    order = {0, 1};
  if (rank == 3)
    order.insert(placement.axisOutside ? order.end() : order.begin(), 2);
  llvm::erase_if(order, [&](unsigned dim) { return dim >= rank; });
  return order;
}

static Span spanOf(const Placement &placement, ArrayRef<int64_t> sizes) {
  unsigned rank = sizes.size();
  // The axis is reversed where all else is.
  bool reverses[] = {placement.reversesRows, placement.reversesSteps,
                     placement.reversesRows && placement.reversesSteps};
  bool repeats[] = {placement.repeatsRows, placement.repeatsSteps, false};
  Span span;
  span.strides.resize(rank);
  int64_t stride = placement.spacing, padding = placement.padding;
  for (unsigned dim : fromInside(placement, rank)) {
    if (repeats[dim])
      continue;
    span.strides[dim] = reverses[dim] ? -stride : stride;
    int64_t last = std::max<int64_t>(sizes[dim] - 1, 0);
    span.count += last * stride;
    if (reverses[dim])
      span.first += last * stride;
    stride = stride * (last + 1) + padding;
    padding = 0;
  }
  if (llvm::is_contained(sizes, 0))
    span.count = span.first = 0;
  return span;
}

void test::forEachElement(ArrayRef<int64_t> sizes,
                          llvm::function_ref<void(ArrayRef<int64_t>)> body) {
  if (llvm::is_contained(sizes, 0))
    return;
  llvm::SmallVector<int64_t, 3> index(sizes.size(), 0);
  while (true) {
    body(index);
    int64_t dim = static_cast<int64_t>(sizes.size()) - 1;
    while (dim >= 0 && ++index[dim] == sizes[dim])
      index[dim--] = 0;
    if (dim < 0)
      return;
  }
}

static char *elementOf(const Tensor &tensor, ArrayRef<int64_t> index) {
  int64_t offset = 0;
  for (auto [position, stride] : llvm::zip_equal(index, tensor.strides))
    offset += position * stride;
  return tensor.data + offset * byteWidth(tensor.dtype);
}

//===----------------------------------------------------------------------===//
// Inputs
//===----------------------------------------------------------------------===//

PlacedInput::PlacedInput(const Tensor &packed, const Placement &placement,
                         bool atEnd) {
  Span span = spanOf(placement, packed.sizes);
  int64_t width = byteWidth(packed.dtype);
  size_t page = sysconf(_SC_PAGESIZE);
  size_t bytes = (span.count + placement.shift) * width;
  size_t inner = llvm::alignTo(std::max<size_t>(bytes, 1), page);
  void *memory = mmap(nullptr, inner + 2 * page, PROT_NONE,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    llvm::reportFatalInternalError("mmap failed");
  pages = std::shared_ptr<char>(static_cast<char *>(memory), [=](char *begin) {
    munmap(begin, inner + 2 * page);
  });
  char *begin = pages.get() + page;
  mprotect(begin, inner, PROT_READ | PROT_WRITE);
  // Reading what lies between the elements gives NaN.
  std::memset(begin, 0xff, inner);
  tensor.dtype = packed.dtype;
  tensor.sizes = packed.sizes;
  tensor.strides = span.strides;
  tensor.data = begin + (atEnd ? inner - bytes : 0) +
                (placement.shift + span.first) * width;
  forEachElement(packed.sizes, [&](ArrayRef<int64_t> index) {
    std::memcpy(elementOf(tensor, index), elementOf(packed, index), width);
  });
  mprotect(begin, inner, PROT_READ);
}

//===----------------------------------------------------------------------===//
// Outputs
//===----------------------------------------------------------------------===//

PlacedOutput::PlacedOutput(DType dtype, ArrayRef<int64_t> sizes,
                           const Placement &placement) {
  Span span = spanOf(placement, sizes);
  int64_t width = byteWidth(dtype);
  int64_t longest = *std::max_element(sizes.begin(), sizes.end());
  int64_t zone = llvm::alignTo(longest * width + 4096, 64);
  int64_t bytes = (span.count + placement.shift) * width;
  tensor.dtype = dtype;
  tensor.sizes.assign(sizes.begin(), sizes.end());
  tensor.strides = span.strides;
  tensor.storage =
      std::make_shared<std::vector<char>>(bytes + 2 * zone + 64, '\xff');
  auto base = reinterpret_cast<uintptr_t>(tensor.storage->data());
  tensor.data = reinterpret_cast<char *>(llvm::alignTo(base, 64)) + zone +
                (placement.shift + span.first) * width;
}

std::string PlacedOutput::findStrayWrite() const {
  std::vector<char> expected(tensor.storage->size(), '\xff');
  const char *base = tensor.storage->data();
  int64_t width = byteWidth(tensor.dtype);
  forEachElement(tensor.sizes, [&](ArrayRef<int64_t> index) {
    const char *element = elementOf(tensor, index);
    std::memcpy(expected.data() + (element - base), element, width);
  });
  auto [found, other] = std::mismatch(tensor.storage->begin(),
                                      tensor.storage->end(), expected.begin());
  if (found == tensor.storage->end())
    return {};
  return "wrote outside of its elements, at byte " +
         std::to_string(&*found - tensor.data) + " from the first one";
}
