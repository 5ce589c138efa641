//===- CallChecker.cpp - What can be wrong with a call --------------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Execution/CallChecker.h"
#include "RecipeToRecurrence/RowInputs.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace rlscan;
using llvm::ArrayRef;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;

static StringRef nameOf(EstimatorOp estimator, unsigned input) {
  return estimator.getInput(input).getName().getValue();
}

static InputKind kindOf(EstimatorOp estimator, unsigned input) {
  return estimator.getInput(input).getKind();
}

mlir::Type rlscan::elementOf(EstimatorOp estimator, unsigned input) {
  mlir::Type type = estimator.getArgumentTypes()[input];
  if (auto along = mlir::dyn_cast<AlongType>(type))
    return along.getElement();
  return type;
}

/// The inner axis of an input, or empty.
static StringRef axisOf(EstimatorOp estimator, unsigned input) {
  auto along = mlir::dyn_cast<AlongType>(estimator.getArgumentTypes()[input]);
  return along ? along.getAxis().getValue() : StringRef();
}

/// "[16, 512]".
static std::string shapeText(ArrayRef<int64_t> sizes) {
  if (sizes.empty())
    return "a single number";
  std::string text = "[";
  for (auto [i, size] : llvm::enumerate(sizes))
    text += (i ? ", " : "") + std::to_string(size);
  return text + "]";
}

//===----------------------------------------------------------------------===//
// Indices of the recipe
//===----------------------------------------------------------------------===//

/// What the picks of an estimator use as index.
struct rlscan::IndexUses {
  /// The axis that an input counts.
  llvm::SmallDenseMap<unsigned, StringRef> axisOfInput;

  struct Constant {
    StringRef array, axis;
    int64_t position;
  };
  std::vector<Constant> constants;

  explicit IndexUses(EstimatorOp estimator);

private:
  void trace(EstimatorOp estimator, PickOp pick);
};

IndexUses::IndexUses(EstimatorOp estimator) {
  estimator.walk([&](PickOp pick) { trace(estimator, pick); });
}

/// Follows an index back to where it comes from. Indices have no arithmetic:
/// only neighbours and choices lie between.
void IndexUses::trace(EstimatorOp estimator, PickOp pick) {
  StringRef axis = pick.getInput().getType().getAxis().getValue();
  llvm::SetVector<mlir::Value> values;
  values.insert(pick.getIndex());
  for (size_t i = 0; i < values.size(); ++i) {
    mlir::Value value = values[i];
    llvm::APInt position;
    if (auto argument = mlir::dyn_cast<mlir::BlockArgument>(value)) {
      if (argument.getOwner()->getParentOp() == estimator)
        axisOfInput[argument.getArgNumber()] = axis;
    } else if (mlir::matchPattern(value, mlir::m_ConstantInt(&position))) {
      auto array = mlir::cast<mlir::BlockArgument>(pick.getInput());
      constants.push_back({nameOf(estimator, array.getArgNumber()), axis,
                           position.getSExtValue()});
    } else if (auto shift = value.getDefiningOp<ShiftOp>()) {
      values.insert(shift.getInput());
      values.insert(shift.getOtherwise());
    } else if (auto choice = value.getDefiningOp<mlir::arith::SelectOp>()) {
      values.insert(choice.getTrueValue());
      values.insert(choice.getFalseValue());
    }
  }
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

const Tensor *CallChecker::find(unsigned input) const {
  auto found = given.find(nameOf(estimator, input));
  return found == given.end() ? nullptr : &found->second;
}

/// The dimensions of a row or step input. Packed rows have one instead of two.
int64_t CallChecker::expectedRank(unsigned input) const {
  if (kindOf(estimator, input) == InputKind::Row)
    return 1;
  return (isPacked() ? 1 : 2) + !axisOf(estimator, input).empty();
}

int64_t CallChecker::extraOf(unsigned input) const {
  EstimatorOp called = estimator;
  int64_t extra = called.getInput(input).getExtraSteps();
  return extra > 0 && isPacked() ? packedRows().value_or(0) : extra;
}

/// "[16, 512, 4]", with names for what no other input tells.
std::string CallChecker::expectedShape(unsigned input) const {
  auto size = [](const Anchor &anchor, unsigned dim, StringRef name) {
    return anchor.tensor ? std::to_string(anchor.tensor->sizes[dim])
                         : name.str();
  };
  bool isRow = kindOf(estimator, input) == InputKind::Row;
  EstimatorOp called = estimator;
  bool hasExtra = called.getInput(input).getExtraSteps() > 0;
  auto stepsText = [&](StringRef name, StringRef more) {
    if (extent.tensor)
      return std::to_string(steps() + extraOf(input));
    return (hasExtra ? name + " + " + more : Twine(name)).str();
  };
  StringRef axis = axisOf(estimator, input);
  std::string text = "[";
  if (nameOf(estimator, input) == boundsName)
    text += "rows + 1";
  else if (isPacked())
    text += isRow ? packedRowsText() : stepsText("tokens", "rows");
  else
    text += size(extent, 0, "rows");
  if (!isRow && !isPacked())
    text += ", " + stepsText("steps", "1");
  if (!axis.empty())
    text += ", " + size(axes.lookup(axis), expectedRank(input) - 1, axis);
  return text + "]";
}

/// The first step input that has the right number of dimensions tells rows and
/// steps, the first one along an axis its size.
void CallChecker::findAnchors() {
  for (unsigned i = 0, e = estimator.getNumArguments(); i < e; ++i) {
    const Tensor *tensor = find(i);
    if (!tensor || kindOf(estimator, i) != InputKind::Step ||
        tensor->rank() != expectedRank(i))
      continue;
    Anchor anchor{nameOf(estimator, i), tensor, extraOf(i)};
    if (tensor->sizes[stepDim()] < anchor.extra)
      continue;
    bool isBetter = extent.extra > 0 && anchor.extra == 0;
    if (!extent.tensor || isBetter)
      extent = anchor;
    StringRef axis = axisOf(estimator, i);
    if (!axis.empty())
      axes.try_emplace(axis, anchor);
  }
}

void CallChecker::checkNames() {
  std::vector<StringRef> known;
  for (unsigned i = 0, e = estimator.getNumArguments(); i < e; ++i)
    known.push_back(nameOf(estimator, i));
  std::vector<StringRef> unknown;
  for (const auto &entry : given)
    if (!llvm::is_contained(known, entry.getKey()))
      unknown.push_back(entry.getKey());
  llvm::sort(unknown);
  for (StringRef name : unknown)
    problem("unknown input '" + name + "': " + estimator.getSymName() +
            " has " + llvm::join(known, ", "));
}

bool CallChecker::checkType(unsigned input, const Tensor &tensor) {
  mlir::Type element = elementOf(estimator, input);
  DType dtype = tensor.dtype;
  bool isFloat = dtype == DType::F32 || dtype == DType::F64 ||
                 dtype == DType::BF16 || dtype == DType::F16;
  // np.savez(file, gamma=1) stores an i64: a single number is converted.
  bool isNumber = tensor.rank() == 0 && dtype != DType::Bool;
  StringRef name = nameOf(estimator, input);
  if (mlir::isa<mlir::FloatType>(element) && !isFloat && !isNumber) {
    problem(name + ": stored as " + spelling(dtype) +
            ", a real takes f32, f64, bf16 or f16");
    return false;
  }
  if (mlir::isa<mlir::IndexType>(element) && dtype != DType::I32 &&
      dtype != DType::I64) {
    problem(name + ": stored as " + spelling(dtype) +
            ", an index takes i32 or i64");
    return false;
  }
  return true;
}

/// Compares one dimension with that of another input. Of two step inputs the
/// anchor is named first: either may be the wrong one.
bool CallChecker::checkDim(unsigned input, const Tensor &tensor, unsigned dim,
                           const Anchor &anchor) {
  Anchor first = anchor, second{nameOf(estimator, input), &tensor};
  if (!anchor.tensor || anchor.tensor->sizes[dim] == tensor.sizes[dim])
    return true;
  if (kindOf(estimator, input) == InputKind::Row)
    std::swap(first, second);
  problem(first.name + ": dim " + Twine(dim) + " is " +
          Twine(first.tensor->sizes[dim]) + ", " + second.name + " has " +
          Twine(second.tensor->sizes[dim]) + ": shapes " +
          shapeText(first.tensor->sizes) + " and " +
          shapeText(second.tensor->sizes));
  return false;
}

bool CallChecker::checkParamShape(unsigned input, const Tensor &tensor) {
  bool fits = tensor.rank() <= 2;
  for (int64_t dim = 0; fits && dim < tensor.rank(); ++dim)
    fits = extent.tensor && dim < extent.tensor->rank() &&
           tensor.sizes[dim] ==
               (dim == stepDim() ? steps() : extent.tensor->sizes[dim]);
  if (isPacked() && tensor.rank() == 1)
    fits |= tensor.sizes[0] == packedRows();
  if (fits)
    return true;
  if (isPacked()) {
    problem(nameOf(estimator, input) +
            ": expected a single number, or an array [" + packedRowsText() +
            "] or [" + (extent.tensor ? Twine(steps()) : Twine("tokens")) +
            "], got " + shapeText(tensor.sizes));
    return false;
  }
  std::string rows = "rows", steps = "steps";
  if (extent.tensor) {
    rows = std::to_string(extent.tensor->sizes[0]);
    steps = std::to_string(this->steps());
  }
  problem(nameOf(estimator, input) +
          ": expected a single number, or an array [" + rows + "] or [" + rows +
          ", " + steps + "], got " + shapeText(tensor.sizes));
  return false;
}

/// As many steps as the extent has, or these and the extra one.
bool CallChecker::checkSteps(unsigned input, const Tensor &tensor) {
  int64_t extra = extraOf(input);
  if (extent.tensor && extra == extent.extra)
    return checkDim(input, tensor, stepDim(), extent);
  int64_t size = tensor.sizes[stepDim()];
  if (extent.tensor ? size == steps() + extra : size >= extra)
    return true;
  problem(nameOf(estimator, input) + ": expected an array " +
          expectedShape(input) + ", with one value after the last step" +
          (isPacked() ? " of each row" : "") + ", got " +
          shapeText(tensor.sizes));
  return false;
}

bool CallChecker::checkShape(unsigned input, const Tensor &tensor) {
  if (kindOf(estimator, input) == InputKind::Param)
    return checkParamShape(input, tensor);
  bool isRow = kindOf(estimator, input) == InputKind::Row;
  bool fits = tensor.rank() == expectedRank(input);
  if (fits && isPacked() && isRow)
    fits = nameOf(estimator, input) == boundsName
               ? packedRows().has_value()
               : !packedRows() || tensor.sizes[0] == packedRows();
  if (!fits) {
    problem(nameOf(estimator, input) + ": expected an array " +
            expectedShape(input) + ", got " + shapeText(tensor.sizes));
    return false;
  }
  if (isPacked() && isRow)
    return true;
  if (!isPacked() && !checkDim(input, tensor, 0, extent))
    return false;
  if (!isRow && !checkSteps(input, tensor))
    return false;
  StringRef axis = axisOf(estimator, input);
  return axis.empty() ||
         checkDim(input, tensor, tensor.rank() - 1, axes.lookup(axis));
}

void CallChecker::checkInput(unsigned input) {
  if (const Tensor *tensor = find(input)) {
    bool typeFits = checkType(input, *tensor);
    if (checkShape(input, *tensor) && typeFits)
      good.insert(input);
    return;
  }
  if (estimator.getInput(input).isOptional())
    return;
  InputKind kind = kindOf(estimator, input);
  problem("missing input '" + nameOf(estimator, input) + "' (" +
          stringifyInputKind(kind) + "): expected " +
          (kind == InputKind::Param ? "a single number"
                                    : "an array " + expectedShape(input)));
}

/// The first element that is no position of an axis of `size`, in row-major
/// order. Past a row's length there may be anything.
template <typename T>
static std::optional<llvm::SmallVector<int64_t, 2>>
findOutside(const Tensor &tensor, int64_t size, const Tensor *lengths,
            int64_t extra) {
  int64_t rank = tensor.rank();
  int64_t rows = rank > 0 ? tensor.sizes[0] : 1;
  int64_t steps = rank > 1 ? tensor.sizes[1] : 1;
  int64_t rowStride = rank > 0 ? tensor.strides[0] : 0;
  int64_t stepStride = rank > 1 ? tensor.strides[1] : 0;
  const T *data = reinterpret_cast<const T *>(tensor.data);
  for (int64_t row = 0; row < rows; ++row) {
    int64_t length = steps;
    if (lengths && rank > 1)
      length = static_cast<int64_t>(lengths->read({row})) + extra;
    for (int64_t step = 0; step < length; ++step) {
      T position = data[row * rowStride + step * stepStride];
      if (position >= 0 && position < size)
        continue;
      llvm::SmallVector<int64_t, 2> place{row, step};
      place.truncate(rank);
      return place;
    }
  }
  return std::nullopt;
}

void CallChecker::checkIndices(const IndexUses &uses) {
  std::optional<unsigned> ofRows = estimator.findInput(lengthsName);
  const Tensor *lengths =
      ofRows && good.contains(*ofRows) ? find(*ofRows) : nullptr;
  auto outOf = [&](StringRef axis, const Anchor &anchor) {
    return " is out of axis " + axis.str() + " of size " +
           std::to_string(anchor.tensor->sizes.back());
  };
  for (unsigned i = 0, e = estimator.getNumArguments(); i < e; ++i) {
    StringRef axis = uses.axisOfInput.lookup(i);
    Anchor anchor = axes.lookup(axis);
    if (!anchor.tensor)
      continue;
    int64_t size = anchor.tensor->sizes.back();
    if (good.contains(i)) {
      const Tensor &tensor = *find(i);
      int64_t extra = estimator.getInput(i).getExtraSteps();
      auto place = tensor.dtype == DType::I32
                       ? findOutside<int32_t>(tensor, size, lengths, extra)
                       : findOutside<int64_t>(tensor, size, lengths, extra);
      if (place)
        problem(nameOf(estimator, i) + ": " +
                std::to_string(static_cast<int64_t>(tensor.read(*place))) +
                (place->empty() ? "" : " at " + shapeText(*place)) +
                outOf(axis, anchor));
      continue;
    }
    auto number = mlir::dyn_cast_if_present<mlir::IntegerAttr>(
        estimator.getInput(i).getDefaultValue());
    if (!find(i) && number && number.getInt() >= size)
      problem(nameOf(estimator, i) + ": its default, " +
              std::to_string(number.getInt()) + "," + outOf(axis, anchor));
  }
  for (const IndexUses::Constant &constant : uses.constants) {
    Anchor anchor = axes.lookup(constant.axis);
    if (anchor.tensor && constant.position >= anchor.tensor->sizes.back())
      problem(constant.array + "[" + Twine(constant.position) +
              "] in the recipe" + outOf(constant.axis, anchor));
  }
}

/// A param that is left out is passed as its default, not compiled in: the call
/// then gives the same bits as one that gives this number.
std::optional<Tensor> CallChecker::defaultNumber(unsigned input) {
  mlir::Attribute value = estimator.getInput(input).getDefaultValue();
  if (kindOf(estimator, input) != InputKind::Param || !value)
    return std::nullopt;
  if (auto number = mlir::dyn_cast<mlir::FloatAttr>(value)) {
    Tensor tensor = Tensor::allocate(DType::F64, {});
    tensor.write({}, number.getValueAsDouble());
    return tensor;
  }
  if (auto flag = mlir::dyn_cast<mlir::BoolAttr>(value)) {
    Tensor tensor = Tensor::allocate(DType::Bool, {});
    tensor.write({}, flag.getValue());
    return tensor;
  }
  return std::nullopt;
}

Expected<Call> CallChecker::run() {
  findAnchors();
  checkNames();
  for (unsigned i = 0, e = estimator.getNumArguments(); i < e; ++i)
    checkInput(i);
  if (isPacked())
    checkBounds();
  else
    checkLengths();
  checkIndices(IndexUses(estimator));
  if (problems.empty() && !extent.tensor)
    problem("no step input is given: the number of rows and steps is unknown");
  Error error = Error::success();
  for (const std::string &text : problems)
    error = llvm::joinErrors(std::move(error), llvm::createStringError(text));
  if (error)
    return error;
  Call call;
  call.isPacked = isPacked();
  call.rows = call.isPacked ? 1 : extent.tensor->sizes[0];
  call.steps = steps();
  for (const auto &axis : axes)
    call.axisSizes[axis.getKey()] = axis.second.tensor->sizes.back();
  if (call.isPacked) {
    call.axisSizes[packedRowAxis] = *packedRows();
    call.axisSizes[boundAxis] = *packedRows() + 1;
    call.axisSizes[extraStepAxis] = call.steps + *packedRows();
  }
  for (unsigned i = 0, e = estimator.getNumArguments(); i < e; ++i) {
    if (const Tensor *tensor = find(i))
      call.inputs.emplace_back(nameOf(estimator, i), inCall(i, *tensor));
    else if (std::optional<Tensor> number = defaultNumber(i))
      call.inputs.emplace_back(nameOf(estimator, i), *number);
  }
  return call;
}
