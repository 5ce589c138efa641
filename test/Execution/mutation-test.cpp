//===- mutation-test.cpp - Kernels without one of their barriers ----------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// mutation-test RECIPE TARGET SCHEDULE ROWSxSTEPS,... [--resident=K]
// [--except=OP,...]: compiles the recipe for a simulated device as often as the
// kernel has barriers, synchronisations of subgroups, fences, waits for copies
// and atomic accesses, each time without one of them (of an atomic access,
// without its atomicity). In one of the shapes the simulator has to find fault
// with each, or the results have to be wrong; the kernel as it is has to be
// right in all. What --except names may go unnoticed.
//
//===----------------------------------------------------------------------===//

#include "Execute.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Pass/Pass.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace rlscan;
using namespace rlscan::test;

namespace {

/// What has been taken away, or could be.
struct Mutation {
  int wanted = -1; // a number; -1: nothing is taken away
  int count = 0;
  std::string op;
};

struct TakeAway : PassWrapper<TakeAway, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TakeAway)

  explicit TakeAway(Mutation &mutation) : mutation(mutation) {}
  llvm::StringRef getArgument() const override { return "take-away"; }
  void runOnOperation() override;

  Mutation &mutation;
};

} // namespace

/// Makes a plain access of an atomic one; false where it is none.
template <typename Access> static bool isAtomic(Operation *op) {
  auto access = dyn_cast<Access>(op);
  return access && access.getOrdering() != LLVM::AtomicOrdering::not_atomic;
}

template <typename Access> static void makePlain(Operation *op) {
  auto access = cast<Access>(op);
  access.setOrdering(LLVM::AtomicOrdering::not_atomic);
  access.removeSyncscopeAttr();
}

void TakeAway::runOnOperation() {
  SmallVector<Operation *> ops;
  getOperation().walk([&](Operation *op) {
    if (isa<gpu::BarrierOp, NVVM::SyncWarpOp, NVVM::CpAsyncWaitGroupOp,
            LLVM::FenceOp>(op) ||
        isAtomic<LLVM::LoadOp>(op) || isAtomic<LLVM::StoreOp>(op))
      ops.push_back(op);
  });
  mutation.count = static_cast<int>(ops.size());
  if (mutation.wanted < 0 || mutation.wanted >= mutation.count)
    return;
  Operation *op = ops[mutation.wanted];
  mutation.op = op->getName().getStringRef().str();
  if (isa<LLVM::LoadOp>(op))
    makePlain<LLVM::LoadOp>(op);
  else if (isa<LLVM::StoreOp>(op))
    makePlain<LLVM::StoreOp>(op);
  else
    op->erase();
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
  recipe->addPasses([&](OpPassManager &manager) {
    manager.addPass(std::make_unique<TakeAway>(mutation));
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

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  TargetOptions options;
  SmallVector<Shape> shapes;
  bool isGood = argc >= 5;
  llvm::StringSet<> except;
  if (isGood) {
    options.consume(("--target=" + llvm::Twine(argv[2])).str(), isGood);
    options.consume(("--schedules=" + llvm::Twine(argv[3])).str(), isGood);
    isGood &= options.simulated().has_value() && parseShapes(argv[4], shapes);
  }
  llvm::StringRef exceptions;
  for (int i = 5; i < argc; ++i)
    if (llvm::StringRef argument = argv[i]; !options.consume(argument, isGood))
      isGood &= (exceptions = argument).consume_front("--except=");
  if (!isGood) {
    llvm::errs() << "usage: mutation-test RECIPE sim|sim:wave64 SCHEDULE "
                    "ROWSxSTEPS,... [--resident=K] [--except=OP,...]\n";
    return 2;
  }
  for (llvm::StringRef op : llvm::split(exceptions, ','))
    except.insert(op);
  Mutation none;
  std::string problem = runMutant(argv[1], shapes, options, none);
  if (!problem.empty()) {
    llvm::outs() << "FAIL: as it is: " << problem << '\n';
    return 1;
  }
  int failures = 0, excepted = 0;
  for (int i = 0; i < none.count; ++i) {
    Mutation mutation;
    mutation.wanted = i;
    problem = runMutant(argv[1], shapes, options, mutation);
    bool isExcepted = except.contains(mutation.op);
    if (problem.empty() && !isExcepted)
      llvm::outs() << "FAIL: nothing is noticed without " << mutation.op
                   << ", number " << i << '\n';
    failures += problem.empty() && !isExcepted;
    excepted += problem.empty() && isExcepted;
    if (!problem.empty())
      llvm::outs() << mutation.op << ": "
                   << llvm::StringRef(problem).split('\n').first << '\n';
  }
  llvm::outs() << none.count << " mutations, " << excepted << " excepted, "
               << failures << " not noticed\n";
  return failures != 0 || none.count == 0;
}
