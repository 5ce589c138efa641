"""lit: how the tests of the project are found and run."""

import os
import platform
import shutil
import subprocess
import sys

import lit.formats

config.name = "rlscan"
# The internal shell: no bash needed, the same everywhere.
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".rls", ".test"]
config.excludes = ["Inputs", "benchmark"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.rlscan_binary_dir, "test")

path = [os.path.join(config.rlscan_binary_dir, "bin"), config.llvm_tools_dir]
config.environment["PATH"] = os.pathsep.join(path + [config.environment["PATH"]])
# Variables of one CHECK-LABEL section do not leak into the next.
config.environment["FILECHECK_OPTS"] = "--enable-var-scope"
if config.sanitized:
    # The packaged MLIR is not instrumented: it keeps its own memory to the end, and
    # takes memory from pools that our inlined code would mark as unused.
    config.environment["ASAN_OPTIONS"] = "detect_leaks=0:detect_container_overflow=0:allow_user_poisoning=0"
    config.available_features.add("sanitized")

# In a process of its own: what a driver starts does not survive a fork. Exits with
# 0 where there is a device, with 1 where there is a library without one.
FIND_DEVICE = """
import ctypes, sys
names, initialize, count_devices = sys.argv[1].split(","), *sys.argv[2:]
for name in names:
    try:
        driver = ctypes.CDLL(name)
        break
    except OSError:
        continue
else:
    raise SystemExit(2)
count = ctypes.c_int()
found = getattr(driver, initialize)(0) == 0 and getattr(driver, count_devices)(ctypes.byref(count)) == 0
raise SystemExit(not (found and count.value))
"""
DRIVERS = {
    "cuda": ["libcuda.so.1", "cuInit", "cuDeviceGetCount"],
    "hip": [
        "libamdhip64.so,libamdhip64.so.7,libamdhip64.so.6,/opt/rocm/lib/libamdhip64.so",
        "hipInit",
        "hipGetDeviceCount",
    ],
}
for vendor, names in DRIVERS.items():
    found = subprocess.run([sys.executable, "-c", FIND_DEVICE, *names], stderr=subprocess.DEVNULL).returncode
    if found != 2:
        config.available_features.add(vendor + "-library")
    if found == 0:
        config.available_features.add(vendor + "-device")

if os.path.exists(os.path.join(config.rlscan_binary_dir, "bin", "ppo")):
    config.available_features.add("eigen")
if os.path.exists(os.path.join(config.rlscan_binary_dir, "bin", "host-test-msan")):
    config.available_features.add("msan")

# Which code a CPU of this machine runs: x86_64, aarch64.
config.available_features.add(platform.machine())

# NVIDIA's assembler, which needs no device.
ptxas = shutil.which("ptxas", path=os.pathsep.join([config.environment["PATH"], "/usr/local/cuda/bin"]))
if ptxas:
    config.available_features.add("ptxas")
    config.substitutions.append(("%ptxas", ptxas))

if shutil.which("clang", path=config.environment["PATH"]):
    config.available_features.add("clang")

# Virtual environments that scripts/python-env.sh has filled, and the package.
package = os.path.join(config.rlscan_binary_dir, "python")
for name, substitution in (("python-env", "%pytest"), ("python-env-oldest", "%pytest-oldest")):
    environment = os.path.join(config.rlscan_binary_dir, name)
    if not os.path.exists(os.path.join(environment, "filled")) or config.sanitized:
        continue
    config.available_features.add(name)
    python = os.path.join(environment, "bin", "python")
    prefix = f"env PYTHONPATH={package} PYTHONDONTWRITEBYTECODE=1 {python}"
    # The longer name goes first: the other is its beginning.
    config.substitutions.insert(0, (substitution, f"{prefix} -m pytest -q -p no:cacheprovider"))
    config.substitutions.append((f"%{name}", prefix))

source = config.rlscan_source_dir
recipes = os.path.join(source, "recipes")


def paths(names):
    return " ".join(os.path.join(recipes, name + ".rls") for name in names)


# Recipes that have tests of their own, and the wider catalogue, which is tested as a
# whole; %wider1 to %wider4 are its quarters. All that is in the folder is in one of them.
known = sorted(name[:-4] for name in os.listdir(recipes) if name.endswith(".rls"))
own = {name[:-5] for name in os.listdir(os.path.join(source, "test", "recipes"))}
wider = [name for name in known if name not in own]
config.substitutions += [(f"%wider{part + 1}", paths(wider[part::4])) for part in range(4)]
config.substitutions += [
    ("%wider", paths(wider)),
    ("%basic", paths(name for name in known if name in own)),
    ("%catalogue", os.path.join(source, "test", "cases", "catalogue.json")),
    ("%recipes", recipes),
    ("%rollouts", os.path.join(source, "examples", "rollouts")),
    ("%cases", os.path.join(source, "test", "cases", "cases.json")),
    ("%python(?!-)", config.python),
    ("%source", source),
    ("%build", config.rlscan_binary_dir),
]
