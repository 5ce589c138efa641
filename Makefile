# The two commands of the README, and a few more. Each installs what it needs
# and may be run again at any time.

BUILD := build
JOBS ?= $(shell nproc)

.PHONY: demo check build install-packages check-asan check-gpu check-nightly fuzz static bench format docs clean

# Recorded rollouts through gae on this CPU, checked against the reference.
demo: build
	@scripts/demo.sh $(BUILD)

# Every test.
check: build
	@scripts/python-env.sh $(BUILD)
	@cmake --build $(BUILD) --target check-tools -- -j $(JOBS) | scripts/progress.sh
	@scripts/run-tests.sh $(BUILD)

install-packages:
	@scripts/install-packages.sh

build: install-packages
	@cmake --preset dev > $(BUILD).log 2>&1 || { cat $(BUILD).log; exit 1; }
	@rm -f $(BUILD).log
	@cmake --build $(BUILD) --target rlscan-tools -- -j $(JOBS) | scripts/progress.sh

# Every test again with the address and undefined-behaviour sanitizers.
check-asan:
	@scripts/install-packages.sh --with-clang
	@cmake --preset asan > /dev/null
	@cmake --build build-asan --target check-tools -- -j $(JOBS) | scripts/progress.sh
	@scripts/run-tests.sh build-asan

# What only a machine with a GPU of NVIDIA's can say, beside the tests of `make check`.
check-gpu: build
	@scripts/python-env.sh $(BUILD)
	@cmake --build $(BUILD) --target check-tools -- -j $(JOBS) | scripts/progress.sh
	@scripts/check-gpu.sh $(BUILD)

# What takes hours: random recipes, mutants and exact arithmetic with new seeds,
# faults in the driver, kernels without their barriers, fuzzing. SECONDS=7200
# is for each part.
check-nightly: build
	@cmake --build $(BUILD) --target check-tools -- -j $(JOBS) | scripts/progress.sh
	@scripts/nightly.sh $(BUILD) $(SECONDS)
	@$(MAKE) fuzz SECONDS=$(SECONDS)

# Readers of recipes, arrays and packed code under libFuzzer, each for SECONDS.
SECONDS ?= 60
FUZZERS := recipe npz image
fuzz:
	@scripts/install-packages.sh --with-clang
	@cmake --preset asan > /dev/null
	@cmake --build build-asan --target $(FUZZERS:%=%-fuzzer) -- -j $(JOBS) | scripts/progress.sh
	@for target in $(FUZZERS); do scripts/fuzz.sh build-asan $$target $(SECONDS) || exit 1; done

# rlscan-compile as one file that runs without LLVM and MLIR: build-static/bin.
static: install-packages
	@cmake --preset static > /dev/null
	@cmake --build --preset static -- -j $(JOBS) | scripts/progress.sh

# How fast the CPU path is beside a copy; docs/performance-cpu.md has results.
bench: build
	@test/benchmark/cpu.sh $(BUILD)

format:
	@git ls-files '*.cpp' '*.h' | xargs clang-format-22 -i

# Generates docs/generated; a test fails where it is stale.
docs: build
	@cmake --build $(BUILD) --target rlscan-docs

clean:
	rm -rf build build-release build-asan build-coverage build-static
