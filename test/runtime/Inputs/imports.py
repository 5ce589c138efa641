"""Imports the package with the drivers in the process before, or not, and prints how
often they were called.

usage: imports.py there|absent FAKE-CUDA.so FAKE-HIP.so MODULE...
"""

import ctypes
import importlib
import sys


def main():
    is_there, paths, modules = sys.argv[1] == "there", sys.argv[2:4], sys.argv[4:]
    drivers = [ctypes.CDLL(path) for path in paths] if is_there else []
    for module in modules:
        importlib.import_module(module)
    libraries = {line.split("/", 1)[1].rsplit("/", 1)[-1].strip()
                 for line in open("/proc/self/maps", encoding="utf-8") if "/" in line}
    known = ("libcuda.so", "libamdhip64.so", "libfake-")
    print("drivers:", *sorted(name for name in libraries if name.startswith(known)))
    print("calls:", sum(driver.fakeTotal() for driver in drivers))


main()
