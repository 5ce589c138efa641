"""What a process has done to a GPU's driver, and what its children are told.

There is no driver: not in memory until a call needs it, then the tests' own.
"""

import ctypes
import os
import pathlib
import subprocess
import sys

import numpy as np
import rlscan

NAME = "RLSCAN_HIP_DRIVER" if "RLSCAN_HIP_DRIVER" in os.environ else "RLSCAN_CUDA_DRIVER"
DRIVER = os.path.realpath(os.environ[NAME])
TARGET = "hip" if NAME == "RLSCAN_HIP_DRIVER" else "cuda:ptx"


def say(text):
    print(text, flush=True)


def is_there():
    """Any driver: the test's own, or one of the machine's."""
    maps = pathlib.Path("/proc/self/maps").read_text()
    return any(name in maps for name in (DRIVER, "libcuda.so", "libamdhip64.so"))


def in_a_child(function):
    child = os.fork()
    if child == 0:
        try:
            function()
            os._exit(0)
        except BaseException as error:
            say(f"{type(error).__name__}: {error}")
            os._exit(1)
    assert os.WIFEXITED(os.waitpid(child, 0)[1])


say(f"imported: {is_there()}")
for name in ("cleanrl", "sb3", "rsl_rl", "skrl", "rlax"):
    getattr(__import__(f"rlscan.compat.{name}").compat, name)
x = np.ones((2, 3), np.float32)
ended = np.zeros((2, 3), bool)
right = rlscan.gae(x, x, ended)
rlscan.explain(rlscan.gae, x, x, ended)
say(f"used on the CPU: {is_there()}")
gae = rlscan.load(pathlib.Path(sys.argv[1]) / "gae.rls", targets=["cpu:x86-64", TARGET],
                  io=["f32"], present=["none"])
gae(x, x, ended)
for file in (pathlib.Path(rlscan.__file__).parent / "lib").glob("librlscan*_gae.so"):
    ctypes.CDLL(str(file))
say(f"with code for GPUs: {is_there()}")

# From here on the tests' arrays use it.
sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))


def on_gpu(fake):
    given = [fake.Array((64, 64), kind) for kind in (fake.FLOAT32, fake.FLOAT32, fake.BOOL)]
    return given, (fake.Array((64, 64)), fake.Array((64, 64)))


def first_call():
    import fake_device as fake
    fake.new_stream(0)
    given, out = on_gpu(fake)
    gae(*given, out=out)


say("a child before the first call:")
in_a_child(first_call)
say(f"the parent: {is_there()}")
import fake_device as fake  # noqa: E402

fake.new_stream(0)
given, out = on_gpu(fake)
gae(*given, out=out)
names = subprocess.run(["nm", "-D", "--defined-only", DRIVER], capture_output=True, text=True,
                       check=True).stdout.split()
names = [name.encode() for name in names if name.startswith(("cu", "hip"))]


def count():
    return sum(fake.driver.fakeCalls(name) for name in names)


def tried(function):
    try:
        function()
        say("done")
    except Exception as error:
        say(f"{type(error).__name__}: {error}")


def later_calls():
    before = count()
    tried(lambda: gae(*given, out=out))
    tried(lambda: rlscan.prepare(0, [gae]))
    same = all(np.array_equal(a, b) for a, b in zip(rlscan.gae(x, x, ended), right))
    say(f"on the CPU: {same}; calls of the driver: {count() - before}")


say(f"counted: {count() > 5}")
say("a child after it:")
in_a_child(later_calls)
say("the parent again:")
gae(*given, out=out)
