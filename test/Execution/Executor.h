//===- Executor.h - What computes the results of a call ------- -*- C++ -*-===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RLSCAN_TEST_EXECUTION_EXECUTOR_H
#define RLSCAN_TEST_EXECUTION_EXECUTOR_H

#include "Execution/ThreadPool.h"
#include "TargetOptions.h"
#include "TestRecipe.h"

namespace rlscan::test {

class Executor {
public:
  virtual ~Executor() = default;

  /// Null after a message. `threads` are those of the CPU.
  static std::unique_ptr<Executor> make(const TargetOptions &options,
                                        unsigned threads);

  /// Compiles, or finds, the recipe's kernel for the call and computes the
  /// results where they are placed. What went wrong, or nothing.
  virtual std::string run(TestRecipe &recipe, const Call &call, bool isF64) = 0;
  /// Chooses a schedule for the runs that follow, where they take turns.
  virtual void setTurn(size_t number) {}
  /// How the last run was done, for messages: ", schedule v4_...", or nothing.
  virtual std::string how() const { return {}; }
  /// False once nothing more can run.
  virtual bool isUsable() const { return true; }
  /// Whether results depend on the order of operations: on the schedule, and on
  /// where in a row a step is.
  virtual bool ordersByPlace() const { return false; }
  /// Whether the betas of f32 reals are rounded to f32.
  virtual bool roundsBetas() const { return false; }
  /// Steps of a row that is long for it, in about a second.
  virtual int64_t longRow() const { return 1000003; }
};

/// Ends the program, with what it was doing, where a kernel does not end.
class Watchdog {
public:
  Watchdog();
  ~Watchdog();
};

class HostExecutor : public Executor {
public:
  explicit HostExecutor(unsigned threads) : pool(threads) {}
  std::string run(TestRecipe &recipe, const Call &call, bool isF64) override;

private:
  ThreadPool pool;
};

/// Launches thrice: a DeviceCall, then twice on fresh results with a workspace
/// that is not zeroed in between. All have to give the same bits.
class DeviceExecutor : public Executor {
public:
  explicit DeviceExecutor(const TargetOptions &options) : options(options) {}
  llvm::Error open();

  std::string run(TestRecipe &recipe, const Call &call, bool isF64) override;
  void setTurn(size_t number) override { turn = number; }
  std::string how() const override;
  bool isUsable() const override { return !isLost; }
  bool ordersByPlace() const override { return true; }
  bool roundsBetas() const override { return true; }

protected:
  /// Launches the kernel until the results are known, or a problem.
  virtual llvm::Error launchAll(const DeviceKernel &kernel, const Call &call,
                                std::string &problem);

  device::Device device;
  device::Stream stream;

private:
  llvm::Error launchOnce(const DeviceKernel &kernel, const Call &call);
  llvm::Error launchTwice(const DeviceKernel &kernel, const Call &call,
                          std::string &problem);

  const TargetOptions &options;
  SchedulePlan plan;
  size_t turn = 0;
  std::string schedule; // of the last run
  bool isLost = false;
  ScheduleTarget target = {};
};

/// In the simulator, whose faults are problems.
class SimExecutor : public Executor {
public:
  explicit SimExecutor(const TargetOptions &options);

  std::string run(TestRecipe &recipe, const Call &call, bool isF64) override;
  void setTurn(size_t number) override { turn = number; }
  std::string how() const override;
  bool ordersByPlace() const override { return true; }
  bool roundsBetas() const override { return true; }
  int64_t longRow() const override { return 20011; }

  unsigned subgroupSize() const { return device.subgroupSize(); }
  /// Of the last run's first launch.
  const sim::Traffic &traffic() const { return moved; }
  /// The most that its sweeps left in memory for later ones.
  int64_t bytesBetweenSweeps() const { return betweenSweeps; }
  /// How often it had to read an input: by each sweep that needs it, where its
  /// workgroups did not hold their rows.
  unsigned timesRead(llvm::StringRef input) const {
    return isLoop ? std::max(1u, readers.lookup(input)) : 1;
  }

protected:
  /// Launches the kernel until the results are known, or a problem.
  virtual llvm::Error launchAll(const SimKernel &kernel, const Call &call,
                                std::string &problem);

private:
  const TargetOptions &options;
  SimDevice device;
  sim::Traffic moved;
  int64_t betweenSweeps = 0;
  llvm::StringMap<unsigned> readers;
  bool isLoop = false;
  SchedulePlan plan;
  size_t turn = 0;
  uint64_t seed = 0;    // of the last shuffled order
  std::string schedule; // of the last run
};

} // namespace rlscan::test

#endif // RLSCAN_TEST_EXECUTION_EXECUTOR_H
