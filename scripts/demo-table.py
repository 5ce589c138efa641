"""Prints a few steps of row 0: demo-table.py INPUTS.npz RESULTS.npz.

The first steps, and those around the first end of an episode.
"""

import sys

import numpy as np

COLUMNS = ["reward", "value", "terminated", "truncated", "advantage", "target"]


def cell(value):
    if value.dtype == bool:
        return "yes" if value else "-"
    return f"{value:.4f}"


def main(inputs, results):
    arrays = {}
    for path in (inputs, results):
        with np.load(path) as file:
            arrays.update((name, file[name][0]) for name in file.files
                          if name in COLUMNS)
    ends = np.flatnonzero(arrays["terminated"] | arrays["truncated"])
    steps = len(arrays["reward"])
    shown = set(range(4))
    if ends.size:
        shown.update(range(ends[0] - 2, ends[0] + 3))
    print("step" + "".join(f"{name:>12}" for name in COLUMNS))
    previous = -1
    for step in sorted(step for step in shown if 0 <= step < steps):
        if step != previous + 1:
            print(" ...")
        print(f"{step:4}" + "".join(f"{cell(arrays[name][step]):>12}"
                                    for name in COLUMNS))
        previous = step
    if previous != steps - 1:
        print(" ...")


main(*sys.argv[1:])
