//===- ElementOps.h - What operations do to one element ---------*- C++ -*-===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RLSCAN_SIMULATOR_ELEMENTOPS_H
#define RLSCAN_SIMULATOR_ELEMENTOPS_H

#include "Simulator/LaneOps.h"

#include "llvm/ADT/bit.h"

#include <cmath>
#include <limits>
#include <type_traits>

namespace rlscan::sim {

//===----------------------------------------------------------------------===//
// For all elements
//===----------------------------------------------------------------------===//

template <unsigned operands, typename F, typename To, typename From>
Outcome apply(Subgroup &s, const Instruction &i) {
  To *__restrict to = s.at<To>(i.to);
  const From *a = s.at<From>(i.from[0]);
  if constexpr (operands == 1) {
    for (unsigned n = 0; n < i.count; ++n)
      to[n] = F()(a[n]);
  } else {
    const From *b = s.at<From>(i.from[1]);
    for (unsigned n = 0; n < i.count; ++n)
      to[n] = F()(a[n], b[n]);
  }
  return Outcome::Next;
}

/// A condition for each element.
template <typename T> Outcome choose(Subgroup &s, const Instruction &i) {
  T *__restrict to = s.at<T>(i.to);
  const auto *condition = s.at<uint8_t>(i.from[0]);
  const T *yes = s.at<T>(i.from[1]), *no = s.at<T>(i.from[2]);
  for (unsigned n = 0; n < i.count; ++n)
    to[n] = condition[n] & 1 ? yes[n] : no[n];
  return Outcome::Next;
}

/// One condition for a whole vector.
template <typename T> Outcome chooseWhole(Subgroup &s, const Instruction &i) {
  T *__restrict to = s.at<T>(i.to);
  const auto *condition = s.at<uint8_t>(i.from[0]);
  const T *yes = s.at<T>(i.from[1]), *no = s.at<T>(i.from[2]);
  unsigned lanes = s.lanes();
  for (unsigned first = 0; first < i.count; first += lanes)
    for (unsigned lane = 0; lane < lanes; ++lane)
      to[first + lane] =
          condition[lane] & 1 ? yes[first + lane] : no[first + lane];
  return Outcome::Next;
}

template <typename T> Outcome fmaOfLibrary(Subgroup &s, const Instruction &i) {
  T *__restrict to = s.at<T>(i.to);
  const T *a = s.at<T>(i.from[0]), *b = s.at<T>(i.from[1]),
          *c = s.at<T>(i.from[2]);
  for (unsigned n = 0; n < i.count; ++n)
    to[n] = std::fma(a[n], b[n], c[n]);
  return Outcome::Next;
}

#ifdef __x86_64__
/// The same bits, in one instruction for several elements.
template <typename T>
__attribute__((target("avx2,fma"))) Outcome fmaOfMachine(Subgroup &s,
                                                         const Instruction &i) {
  T *__restrict to = s.at<T>(i.to);
  const T *a = s.at<T>(i.from[0]), *b = s.at<T>(i.from[1]),
          *c = s.at<T>(i.from[2]);
  for (unsigned n = 0; n < i.count; ++n)
    to[n] = std::is_same_v<T, float> ? __builtin_fmaf(a[n], b[n], c[n])
                                     : __builtin_fma(a[n], b[n], c[n]);
  return Outcome::Next;
}
#endif

template <typename T> Handler fmaHandler() {
#ifdef __x86_64__
  if (__builtin_cpu_supports("fma") && __builtin_cpu_supports("avx2"))
    return fmaOfMachine<T>;
#endif
  return fmaOfLibrary<T>;
}

//===----------------------------------------------------------------------===//
// For one
//===----------------------------------------------------------------------===//

template <typename T> bool isShift(T by) {
  return by >= 0 && static_cast<uint64_t>(by) < 8 * sizeof(T);
}

template <typename T> T lesser(T a, T b) {
  return a < b || (a == b && std::signbit(a)) ? a : b;
}

/// Narrow integers are promoted, and wrap when they are narrowed again.
#define RLSCAN_BINARY(name, expression)                                        \
  template <typename T> struct name {                                          \
    auto operator()(T a, T b) const { return expression; }                     \
  };
RLSCAN_BINARY(Add, static_cast<T>(a + b))
RLSCAN_BINARY(Subtract, static_cast<T>(a - b))
RLSCAN_BINARY(Divide, a / b)
RLSCAN_BINARY(And, static_cast<T>(a &b))
RLSCAN_BINARY(Or, static_cast<T>(a | b))
RLSCAN_BINARY(ExclusiveOr, static_cast<T>(a ^ b))
RLSCAN_BINARY(Lesser, a < b ? a : b)
RLSCAN_BINARY(Larger, a < b ? b : a)
RLSCAN_BINARY(Equal, a == b)
RLSCAN_BINARY(NotEqual, a != b)
RLSCAN_BINARY(Less, a < b)
RLSCAN_BINARY(LessEqual, a <= b)
RLSCAN_BINARY(Greater, a > b)
RLSCAN_BINARY(GreaterEqual, a >= b)
RLSCAN_BINARY(NotLess, !(a < b))
RLSCAN_BINARY(NotLessEqual, !(a <= b))
RLSCAN_BINARY(NotGreater, !(a > b))
RLSCAN_BINARY(NotGreaterEqual, !(a >= b))
RLSCAN_BINARY(OrderedNotEqual, a<b || a> b)
RLSCAN_BINARY(UnorderedEqual, !(a < b || a > b))
RLSCAN_BINARY(Ordered, a == a && b == b)
RLSCAN_BINARY(Unordered, a != a || b != b)
// Lanes that are not active may divide by anything.
RLSCAN_BINARY(Quotient, static_cast<T>(b == 0 ? 0 : a / b))
RLSCAN_BINARY(Remainder, static_cast<T>(b == 0 ? 0 : a % b))
RLSCAN_BINARY(CeilQuotient, static_cast<T>(b == 0 ? 0 : a / b + (a % b != 0)))
RLSCAN_BINARY(ShiftLeft, static_cast<T>(isShift(b) ? T(a << b) : 0))
RLSCAN_BINARY(ShiftRight, static_cast<T>(isShift(b) ? a >> b : 0))
// -0 is less than 0. NaN is the result, or is not taken for a number.
RLSCAN_BINARY(Minimum, a != a || b != b ? a + b : lesser(a, b))
RLSCAN_BINARY(Maximum, a != a || b != b ? a + b : -lesser(-a, -b))
RLSCAN_BINARY(MinimumNumber, a != a ? b : b != b ? a : lesser(a, b))
RLSCAN_BINARY(MaximumNumber, a != a ? b : b != b ? a : -lesser(-a, -b))
#undef RLSCAN_BINARY

/// The product of narrow integers as ints may overflow.
template <typename T> struct Multiply {
  T operator()(T a, T b) const {
    if constexpr (std::is_integral_v<T>)
      return static_cast<T>(static_cast<uint64_t>(a) * b);
    else
      return a * b;
  }
};

/// Only the lowest bit of what integers give.
template <typename F> struct Flag {
  uint8_t operator()(uint8_t a) const { return F()(a & 1) & 1; }
  uint8_t operator()(uint8_t a, uint8_t b) const {
    return F()(a & 1, b & 1) & 1;
  }
};

template <typename T> struct Negate {
  T operator()(T a) const { return -a; }
};
template <typename T> struct Absolute {
  T operator()(T a) const { return std::abs(a); }
};
template <typename T> struct SquareRoot {
  T operator()(T a) const { return std::sqrt(a); }
};
template <typename T> struct Floor {
  T operator()(T a) const { return std::floor(a); }
};
template <typename T> struct TrailingZeros {
  T operator()(T a) const { return llvm::countr_zero(a); }
};

template <typename T> struct Same {
  T operator()(T a) const { return a; }
};
template <typename T> struct LeadingZeros {
  T operator()(T a) const { return llvm::countl_zero(a); }
};

template <typename To> struct Convert {
  template <typename From> To operator()(From a) const {
    return static_cast<To>(a);
  }
};
template <typename To> struct SpreadFlag {
  To operator()(uint8_t a) const { return a & 1 ? static_cast<To>(-1) : To(0); }
};
struct LowBit {
  template <typename From> uint8_t operator()(From a) const { return a & 1; }
};

/// Out of range, the nearest there is; NaN is 0.
template <typename To> struct ToInteger {
  template <typename From> To operator()(From a) const {
    constexpr From limit = static_cast<From>(uint64_t(1) << 31) *
                           (sizeof(To) == 8 ? From(uint64_t(1) << 32) : 1);
    if (a != a)
      return 0;
    if (a >= limit)
      return std::numeric_limits<To>::max();
    if (a < -limit)
      return std::numeric_limits<To>::min();
    return static_cast<To>(a);
  }
};

template <typename To, bool isBF16> struct FromHalf {
  To operator()(uint16_t a) const {
    return static_cast<To>(fromHalf(a, isBF16));
  }
};
template <bool isBF16> struct ToHalf {
  template <typename From> uint16_t operator()(From a) const {
    return toHalf(a, isBF16);
  }
};

/// Compares reals of 16 bits.
template <typename F, bool isBF16> struct OnHalves {
  uint8_t operator()(uint16_t a, uint16_t b) const {
    return F()(fromHalf(a, isBF16), fromHalf(b, isBF16));
  }
};

} // namespace rlscan::sim

#endif // RLSCAN_SIMULATOR_ELEMENTOPS_H
