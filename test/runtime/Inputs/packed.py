"""Calls a library with rows that are packed, and without, and compares with
rlscan-run.

usage: packed.py RUNTIME.so RECIPE.rls SHARED.so MANIFEST.json WORK-FOLDER
"""

import ctypes
import pathlib
import sys

import numpy as np

sys.dont_write_bytecode = True
sys.path.append(str(pathlib.Path(__file__).parents[2] / "Artefacts" / "Inputs"))
import libraries  # noqa: E402


class Packed(libraries.Recipe):
    """Calls of one dimension less where `cu_seqlens` is stored."""

    rows = 5

    def values(self, argument, stored, random, rows, steps):
        if argument["name"] == "cu_seqlens":
            inner = np.sort(random.integers(0, steps + 1, self.rows - 1))
            return np.concatenate([[0], inner, [steps]])
        if not self.is_packed:
            return super().values(argument, stored, random, rows, steps)
        if argument["kind"] == "row":
            return super().values(argument, stored, random, self.rows, steps)
        # Of an extra step each row has one; one is counted there.
        more = argument.get("extra_steps", 0) * (self.rows - 1)
        return super().values(argument, stored, random, 1, steps + more)[0]

    def result(self, rows, steps):
        return np.zeros(steps if self.is_packed else (rows, steps))

    def check(self, variant, rows, steps):
        self.is_packed = "cu_seqlens" in variant["stored"]
        super().check(variant, rows, steps)

    def refuse(self, name, wrong=None):
        """Prints what a packed call is told where an array is wrong, or where it
        has one too many."""
        self.is_packed = True
        random = np.random.default_rng(1)
        args = self.args(ctypes.sizeof(self.args), libraries.CPU)
        stored = next(variant["stored"] for variant in self.manifest["variants"]
                      if "cu_seqlens" in variant["stored"])
        stored = {name: "i64", **stored}
        kept = []
        for argument in self.manifest["arguments"]:
            called = argument["name"]
            if argument["kind"] == "param":
                setattr(args, argument["number_member"], 1)
            elif called in stored:
                is_result = argument["is"] == "result"
                values = self.result(1, 12) if is_result else \
                    self.values(argument, stored[called], random, 1, 12)
                if called == name and wrong is not None:
                    values = wrong
                kept.append(libraries.store(values, stored[called], "nt"))
                setattr(args, argument["member"],
                        libraries.tensor_of(kept[-1], stored[called]))
        symbol = self.manifest["symbol"]
        assert getattr(self.library, symbol + "_launch")(ctypes.byref(args), None)
        print(self.runtime.rlscan_last_error().decode())


def main():
    recipe = Packed(*sys.argv[1:])
    for variant in recipe.manifest["variants"]:
        for rows, steps in ((3, 40), (2, 7), (1, 1), (4, 0)):
            recipe.check(variant, rows, steps)
    names = [argument["name"] for argument in recipe.manifest["arguments"]]
    if "lengths" in names:
        recipe.refuse("lengths")
    recipe.refuse("cu_seqlens", np.zeros(0))
    if "last_value" in names:
        recipe.refuse("last_value", np.zeros(4))
    recipe.refuse("reward", np.zeros((1, 12)))
    recipe.refuse("reward", np.zeros(11))
    if "discount" in names:
        recipe.refuse("value", np.zeros(16))
    if "next_q" in names:
        recipe.refuse("next_q", np.zeros(12))
    print(f"{recipe.manifest['estimator']}: {len(recipe.manifest['variants'])} variants")


main()
