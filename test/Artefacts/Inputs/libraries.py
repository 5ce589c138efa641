"""Calls compiled estimators from Python and compares them with rlscan-run, which
compiles the same recipes in process and is itself checked by the reference.

usage: libraries.py RUNTIME.so RECIPE.rls SHARED.so MANIFEST.json WORK-FOLDER
"""

import ctypes
import itertools
import json
import pathlib
import subprocess
import sys

import numpy as np

DTYPES = {"f32": (1, np.float32), "f64": (2, np.float64), "bf16": (3, np.uint16),
          "f16": (4, np.float16), "i8": (5, np.uint8), "i32": (8, np.int32),
          "i64": (9, np.int64)}
HEAD = 40
CPU = -1


class Tensor(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("dtype", ctypes.c_int32),
                ("rank", ctypes.c_int32), ("sizes", ctypes.c_int64 * 3),
                ("strides", ctypes.c_int64 * 3)]


class Head(ctypes.Structure):
    _fields_ = [("size", ctypes.c_size_t), ("device", ctypes.c_int32),
                ("reserved", ctypes.c_int32), ("workspace", ctypes.c_void_p),
                ("workspace_size", ctypes.c_size_t),
                ("parallel", ctypes.c_void_p)]


def struct_of(manifest):
    """The struct of a call, as a C compiler lays it out."""
    fields = list(Head._fields_)
    types = {"real": ctypes.c_double, "flag": ctypes.c_int32, "index": ctypes.c_int64}
    for argument in manifest["arguments"]:
        if "number_member" in argument:
            fields.append((argument["number_member"], types[argument["element"]]))
        fields.append((argument["member"], Tensor))
    made = type("Args", (ctypes.Structure,), {"_fields_": fields})
    assert ctypes.sizeof(made) == manifest["args_size"]
    return made


def to_bf16(array):
    bits = array.astype(np.float32).view(np.uint32)
    return ((bits + 0x7FFF + (bits >> 16 & 1)) >> 16).astype(np.uint16)


def from_bf16(array):
    return (array.astype(np.uint32) << 16).view(np.float32)


def store(values, stored, layout):
    """A copy of the values of a type and memory order."""
    array = to_bf16(values) if stored == "bf16" else values.astype(DTYPES[stored][1])
    if layout == "tn" and array.ndim == 2:
        return np.asfortranarray(array)
    if layout == "strided":
        wide = np.zeros([2 * n for n in array.shape], array.dtype)
        view = wide[tuple(slice(None, None, 2) for _ in array.shape)]
        view[...] = array
        return view
    return np.ascontiguousarray(array)


def tensor_of(array, stored):
    tensor = Tensor(array.ctypes.data, DTYPES[stored][0], array.ndim)
    for dim in range(array.ndim):
        tensor.sizes[dim] = array.shape[dim]
        tensor.strides[dim] = array.strides[dim] // array.itemsize
    return tensor


class Recipe:
    def __init__(self, runtime, recipe, shared, manifest, work):
        self.runtime = ctypes.CDLL(runtime, mode=ctypes.RTLD_GLOBAL)
        self.runtime.rlscan_last_error.restype = ctypes.c_char_p
        self.library = ctypes.CDLL(shared)
        self.manifest = json.loads(pathlib.Path(manifest).read_text())
        self.recipe, self.work = recipe, pathlib.Path(work)
        self.args = struct_of(self.manifest)

    def values(self, argument, stored, random, rows, steps):
        if argument["name"] == "lengths":
            return random.integers(0, steps + 1, rows)
        axis = 3
        extra = argument.get("extra_steps", 0)
        shape = {"row": (rows,), "step": (rows, steps + extra)}[argument["kind"]]
        if "axis" in argument:
            shape += (axis,)
        if argument["element"] == "flag":
            return (random.random(shape) < 0.1).astype(np.uint8)
        if argument["element"] == "index":
            return random.integers(0, axis, shape)
        values = random.random(shape).astype(np.float32)
        # What every type holds, so that all see the same numbers.
        return from_bf16(to_bf16(values)) * 0.5 + 0.25 if stored != "bf16" else \
            from_bf16(to_bf16(values * 0.5 + 0.25))

    def result(self, rows, steps):
        return np.zeros((rows, steps))

    def expected(self, inputs, dtype):
        """What rlscan-run computes, by the names of the results."""
        path, out = self.work / "in.npz", self.work / "out.npz"
        np.savez(path, **inputs)
        command = ["rlscan-run", self.recipe, f"--inputs={path}", f"--outputs={out}"]
        if dtype == "f64":
            command.append("--dtype=f64")
        subprocess.run(command, check=True, capture_output=True)
        with np.load(out) as results:
            return {name: results[name] for name in results.files}

    def check(self, variant, rows, steps):
        random = np.random.default_rng(rows * 1000 + steps)
        stored, layout = variant["stored"], variant["layout"]
        args = self.args(ctypes.sizeof(self.args), CPU)
        inputs, results, kept = {}, {}, []
        for argument in self.manifest["arguments"]:
            name = argument["name"]
            if argument["kind"] == "param":
                is_flag = argument["element"] == "flag"
                setattr(args, argument["number_member"], 1 if is_flag else 0.5)
                inputs[name] = np.bool_(True) if is_flag else 0.5
                continue
            if name not in stored:
                continue
            if argument["is"] == "result":
                array = store(self.result(rows, steps), stored[name], layout)
                results[name] = (array, stored[name])
            else:
                values = self.values(argument, stored[name], random, rows, steps)
                array = store(values, stored[name], layout)
                # Results of rlscan-run have the type of the first reals.
                wide = {"bf16": from_bf16, "f16": np.float32}.get(stored[name])
                inputs[name] = wide(array.copy()) if wide else array
                if argument["element"] == "flag":
                    inputs[name] = inputs[name].astype(bool)
            kept.append(array)
            setattr(args, argument["member"], tensor_of(array, stored[name]))
        self.launch(args)
        expected = self.expected(inputs, variant["computed_in"])
        for name, (array, kind) in results.items():
            got = from_bf16(array.copy()) if kind == "bf16" else array
            tolerance = {"bf16": 2**-8, "f16": 2**-10, "f64": 1e-12}.get(kind, 1e-5)
            np.testing.assert_allclose(got, expected[name], rtol=tolerance,
                                       atol=tolerance, err_msg=variant["name"])

    def launch(self, args):
        symbol = self.manifest["symbol"]
        size = ctypes.c_size_t()
        status = self.library[symbol + "_workspace_size"](ctypes.byref(args),
                                                          ctypes.byref(size))
        memory = ctypes.create_string_buffer(size.value + 1)
        args.workspace = ctypes.addressof(memory)
        args.workspace_size = size.value
        status = status or self.library[symbol + "_launch"](ctypes.byref(args), None)
        if status:
            sys.exit(f"{symbol}: {self.runtime.rlscan_last_error().decode()}")


def main():
    recipe = Recipe(*sys.argv[1:])
    variants = recipe.manifest["variants"]
    shapes = [(1, 1), (5, 33), (37, 8)]
    # Each variant with one of the shapes.
    for variant, (rows, steps) in zip(variants, itertools.cycle(shapes)):
        recipe.check(variant, rows, steps)
    print(f"{recipe.manifest['estimator']}: {len(variants)} variants")


if __name__ == "__main__":
    main()
