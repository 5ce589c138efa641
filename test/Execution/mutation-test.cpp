//===- mutation-test.cpp - Kernels with a weaker operation ----------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// mutation-test RECIPE TARGET SCHEDULE ROWSxSTEPS,... [--resident=K]
// [--except=FILE] [--only=N]: compiles the recipe for a simulated device as
// often as something in the kernel can be made weaker, each time with one of
// these weaker: a barrier, a synchronisation of a subgroup, a fence or a wait
// for copies is gone, or orders less, or waits for less; an atomic access is a
// plain one, or the workgroup's alone; a shuffle, a vote or a synchronisation
// is for fewer lanes. In one of the shapes the simulator has to find fault with
// each, or the results have to be wrong; the kernel as it is has to be right in
// all. What lines of the file name, "OP, HOW: REASON", may go unnoticed.
//
//===----------------------------------------------------------------------===//

#include "Execute.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Pass/Pass.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace rlscan;
using namespace rlscan::test;

namespace {

/// What has been made weaker, or could be.
struct Mutation {
  int wanted = -1; // a number; -1: nothing
  int count = 0;
  std::string what, where;
};

class Weaken : public PassWrapper<Weaken, OperationPass<ModuleOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(Weaken)

  explicit Weaken(Mutation &mutation) : mutation(mutation) {}
  llvm::StringRef getArgument() const override { return "weaken"; }
  void runOnOperation() override;

private:
  void weaken(Operation *op);
  /// Calls `change` where its turn has come.
  void offer(Operation *op, llvm::StringRef how,
             llvm::function_ref<void()> change);
  void offerToErase(Operation *op) {
    offer(op, "gone", [&] { op->erase(); });
  }
  void weakenMask(Operation *op, OpOperand &mask);
  void weakenFence(LLVM::FenceOp fence);
  template <typename Op> void weakenScope(Op op);
  template <typename Access> void weakenAccess(Access access);

  Mutation &mutation;
  bool isDone = false; // the op may be gone
};

} // namespace

//===----------------------------------------------------------------------===//
// How ops are made weaker
//===----------------------------------------------------------------------===//

void Weaken::offer(Operation *op, llvm::StringRef how,
                   llvm::function_ref<void()> change) {
  if (isDone || mutation.count++ != mutation.wanted)
    return;
  isDone = true;
  mutation.what = (op->getName().getStringRef() + ", " + how).str();
  llvm::raw_string_ostream(mutation.where) << op->getLoc();
  change();
}

/// Another number in place of a constant.
static void setNumber(Operation *op, OpOperand &operand, int64_t number) {
  OpBuilder b(op);
  operand.set(arith::ConstantIntOp::create(b, op->getLoc(),
                                           operand.get().getType(), number));
}

/// Without the last lane.
void Weaken::weakenMask(Operation *op, OpOperand &mask) {
  offer(op, "a lane less", [&] { setNumber(op, mask, 0x7fffffff); });
}

static bool isOfDevice(std::optional<llvm::StringRef> scope) {
  return scope == "device" || scope == "agent";
}

template <typename Op> void Weaken::weakenScope(Op op) {
  offer(op, "of the workgroup", [&] {
    op.setSyncscope(*op.getSyncscope() == "device" ? "block" : "workgroup");
  });
}

template <typename Access> void Weaken::weakenAccess(Access access) {
  if (access.getOrdering() == LLVM::AtomicOrdering::not_atomic)
    return;
  weakenScope(access);
  offer(access, "plain", [&] {
    access.setOrdering(LLVM::AtomicOrdering::not_atomic);
    access.removeSyncscopeAttr();
  });
}

void Weaken::weakenFence(LLVM::FenceOp fence) {
  offerToErase(fence);
  if (!isOfDevice(fence.getSyncscope()))
    return;
  weakenScope(fence);
  offer(fence, "acquires alone",
        [&] { fence.setOrdering(LLVM::AtomicOrdering::acquire); });
  offer(fence, "releases alone",
        [&] { fence.setOrdering(LLVM::AtomicOrdering::release); });
}

void Weaken::weaken(Operation *op) {
  llvm::TypeSwitch<Operation *>(op)
      .Case<gpu::BarrierOp, NVVM::CpAsyncCommitGroupOp>(
          [&](auto) { offerToErase(op); })
      .Case<gpu::ShuffleOp>([&](gpu::ShuffleOp shuffle) {
        // Of NVIDIA's the width is their mask; AMD's have none.
        if (getConstantIntValue(shuffle.getWidth()) == 32)
          offer(op, "half the lanes",
                [&] { setNumber(op, shuffle.getWidthMutable(), 16); });
      })
      .Case<NVVM::VoteSyncOp>(
          [&](auto vote) { weakenMask(op, vote.getMaskMutable()); })
      .Case<NVVM::SyncWarpOp>([&](auto sync) {
        weakenMask(op, sync.getMaskMutable());
        offerToErase(op);
      })
      .Case<NVVM::CpAsyncWaitGroupOp>([&](NVVM::CpAsyncWaitGroupOp wait) {
        offer(op, "a group less", [&] { wait.setN(wait.getN() + 1); });
        offerToErase(op);
      })
      .Case<LLVM::FenceOp>([&](auto fence) { weakenFence(fence); })
      .Case<LLVM::AtomicRMWOp>([&](auto update) { weakenScope(update); })
      .Case<LLVM::LoadOp, LLVM::StoreOp>(
          [&](auto access) { weakenAccess(access); });
}

void Weaken::runOnOperation() {
  SmallVector<Operation *> ops;
  getOperation().walk([&](Operation *op) { ops.push_back(op); });
  mutation.count = 0;
  for (Operation *op : ops)
    if (!isDone)
      weaken(op);
}

//===----------------------------------------------------------------------===//
// Runs
//===----------------------------------------------------------------------===//

static std::string runOnce(TestRecipe &recipe, const Scenario &scenario,
                           SimExecutor &executor) {
  llvm::StringMap<Tensor> inputs = randomInputs(recipe, scenario);
  Execution execution = execute(recipe, scenario, inputs, executor);
  if (!execution.problem.empty())
    return execution.problem;
  double used = 0.0;
  for (const ReferenceResult &result : reference(recipe, scenario, inputs)) {
    std::string problem = compare(result, execution.result(result.name),
                                  Tolerance::contract(false), used);
    if (!problem.empty())
      return problem;
  }
  return {};
}

/// Rows and steps.
using Shape = std::pair<int64_t, int64_t>;

static bool parseShapes(llvm::StringRef text, SmallVectorImpl<Shape> &shapes) {
  for (llvm::StringRef shape : llvm::split(text, ',')) {
    auto [rows, steps] = shape.split('x');
    if (rows.getAsInteger(10, shapes.emplace_back().first) ||
        steps.getAsInteger(10, shapes.back().second))
      return false;
  }
  return true;
}

/// What is wrong with the kernel; empty where nothing was noticed.
static std::string runMutant(llvm::StringRef path, ArrayRef<Shape> shapes,
                             const TargetOptions &options, Mutation &mutation) {
  std::unique_ptr<TestRecipe> recipe = TestRecipe::load(path);
  if (!recipe)
    return "refused";
  recipe->setPasses([&](OpPassManager &manager) {
    manager.addPass(std::make_unique<Weaken>(mutation));
  });
  SimExecutor executor(options);
  constexpr int runs = 20; // in other orders of workgroups
  for (int i = 0; i < runs; ++i)
    for (auto [rows, steps] : shapes) {
      Scenario scenario = plainScenario(*recipe, rows, steps);
      std::string problem = runOnce(*recipe, scenario, executor);
      if (!problem.empty())
        return problem;
    }
  return {};
}

namespace {
struct Arguments {
  llvm::StringRef recipe;
  TargetOptions options;
  SmallVector<Shape> shapes;
  llvm::StringSet<> exceptions;
  int only = -1; // a number; -1: all

  bool parse(ArrayRef<char *> words);
  bool readExceptions(llvm::StringRef path);
};
} // namespace

bool Arguments::readExceptions(llvm::StringRef path) {
  auto file = llvm::MemoryBuffer::getFile(path);
  if (!file)
    return false;
  for (llvm::StringRef line : llvm::split((*file)->getBuffer(), '\n')) {
    if (line.empty() || line.starts_with("#"))
      continue;
    auto [what, reason] = line.split(": ");
    if (reason.empty())
      return false;
    exceptions.insert(what);
  }
  return true;
}

bool Arguments::parse(ArrayRef<char *> words) {
  if (words.size() < 4)
    return false;
  bool isGood = true;
  recipe = words[0];
  options.consume(("--target=" + llvm::Twine(words[1])).str(), isGood);
  options.consume(("--schedules=" + llvm::Twine(words[2])).str(), isGood);
  isGood &= options.simulated().has_value() && parseShapes(words[3], shapes);
  for (llvm::StringRef word : words.drop_front(4)) {
    if (options.consume(word, isGood))
      continue;
    if (word.consume_front("--only="))
      isGood &= !word.getAsInteger(10, only);
    else
      isGood &= word.consume_front("--except=") && readExceptions(word);
  }
  return isGood;
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  Arguments arguments;
  if (!arguments.parse(ArrayRef(argv, argc).drop_front())) {
    llvm::errs() << "usage: mutation-test RECIPE sim|sim:wave64 SCHEDULE "
                    "ROWSxSTEPS,... [--resident=K] [--except=FILE] "
                    "[--only=N]\n";
    return 2;
  }
  auto run = [&](Mutation &mutation) {
    return runMutant(arguments.recipe, arguments.shapes, arguments.options,
                     mutation);
  };
  Mutation none;
  std::string problem = run(none);
  if (!problem.empty()) {
    llvm::outs() << "FAIL: as it is: " << problem << '\n';
    return 1;
  }
  int failures = 0, excepted = 0;
  for (int i = 0; i < none.count; ++i) {
    Mutation mutation;
    mutation.wanted = i;
    if (arguments.only >= 0 && i != arguments.only)
      continue;
    problem = run(mutation);
    bool isExcepted = arguments.exceptions.contains(mutation.what);
    excepted += problem.empty() && isExcepted;
    failures += problem.empty() && !isExcepted;
    llvm::outs() << i << ": " << mutation.what << ": "
                 << (!problem.empty()
                         ? llvm::StringRef(problem).split('\n').first
                     : isExcepted ? "excepted"
                                  : "FAIL: nothing is noticed")
                 << (problem.empty() ? " at " + mutation.where : "") << '\n';
  }
  llvm::outs() << none.count << " mutations, " << excepted << " excepted, "
               << failures << " not noticed\n";
  return failures != 0 || none.count == 0;
}
