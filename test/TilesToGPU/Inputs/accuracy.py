"""Compiles exp and log of f64 as devices have them for this CPU, and compares them with
80-bit floats: accuracy.py FOLDER. Prints the largest errors, in units in the last place.
"""

import ctypes
import pathlib
import subprocess
import sys

import numpy as np

MODULE = """
func.func @device_exp(%x: f64) -> f64 {
  %0 = math.exp %x : f64
  return %0 : f64
}
func.func @device_log(%x: f64) -> f64 {
  %0 = math.log %x : f64
  return %0 : f64
}
"""


def compile_module(folder):
    def run(*command, text=None):
        return subprocess.run(command, input=text, check=True, capture_output=True, text=True).stdout

    llvm = run("rlscan-opt", "-", "--rlscan-device-math", "--rlscan-to-llvm", text=MODULE)
    ir = run("mlir-translate", "--mlir-to-llvmir", text=llvm)
    run("llc", "-O2", "-relocation-model=pic", "-filetype=obj", "-o", f"{folder}/math.o",
        text=ir)
    run("cc", "-shared", f"{folder}/math.o", "-o", f"{folder}/math.so", "-lm")
    return ctypes.CDLL(f"{folder}/math.so")


def function(library, name):
    found = library[name]
    found.restype, found.argtypes = ctypes.c_double, [ctypes.c_double]
    return lambda values: np.array([found(v) for v in values])


def largest_error(found, exact):
    """In units in the last place of the exact result, subnormal ones among them."""
    rounded = exact.astype(np.float64)
    unit = np.spacing(np.abs(rounded)).astype(np.longdouble)
    return float(np.max(np.abs(found.astype(np.longdouble) - exact) / unit))


folder = pathlib.Path(sys.argv[1])
folder.mkdir(parents=True, exist_ok=True)
library = compile_module(folder)
exp, log = function(library, "device_exp"), function(library, "device_log")
random = np.random.default_rng(1)

x = np.concatenate([random.uniform(-745, 709.7, 60000), random.uniform(-1, 1, 30000),
                    random.normal(0, 1e-8, 1000), [0.0, -0.0, 709.78, -745.13, -708.4]])
normal = x > -708
print(f"exp {largest_error(exp(x[normal]), np.exp(x[normal].astype(np.longdouble))):.2f}")
print(f"exp, subnormal {largest_error(exp(x[~normal]), np.exp(x[~normal].astype(np.longdouble))):.2f}")
x = np.concatenate([np.exp2(random.uniform(-1074, 1023.9, 60000)), random.uniform(0.5, 2, 40000),
                    1 + random.normal(0, 1e-6, 1000), [5e-324, 2.3e-308, 1.7976931348623157e308]])
print(f"log {largest_error(log(x), np.log(x.astype(np.longdouble))):.2f}")

inf, nan = float("inf"), float("nan")
print("exp ends", *exp([inf, -inf, nan, 710, -746, 1e308, -1e308, 0]))
print("log ends", *log([inf, -inf, nan, 0, -0.0, -1, 1]))
