"""Imports the package with the drivers in the process before, and prints how often they
were called.

usage: imports.py FAKE-CUDA.so FAKE-HIP.so MODULE...
"""

import ctypes
import importlib
import sys

drivers = [ctypes.CDLL(path) for path in sys.argv[1:3]]
for module in sys.argv[3:]:
    importlib.import_module(module)
print("calls:", sum(driver.fakeTotal() for driver in drivers))
