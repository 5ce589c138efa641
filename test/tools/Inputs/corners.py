"""Makes the arrays of rlscan-run-corners.test: corners.py DIR."""

import os
import sys

import numpy as np

F4 = np.float32
LEAST = np.finfo(F4).smallest_subnormal
STEPS = 19  # more than a vector, and no whole number of them


def nested(rows, steps, a, b):
    rng = np.random.default_rng(1)
    return {
        "q": rng.standard_normal((rows, steps, a)).astype(F4),
        "w": rng.standard_normal((rows, steps, b)).astype(F4),
        "x": rng.standard_normal((rows, steps)).astype(F4),
        "on": rng.random((rows, steps, a)) < 0.5,
        "i": rng.integers(0, a, (rows, steps)),
    }


def small():
    """max(b) q * w is 4, -2 and 30, in sum 32; sum(a) q * w is 15 and 30."""
    return {
        "q": np.array([[[2, -2, 15]]], F4),
        "w": np.array([[[1, 2]]], F4),
    }


def rows_of(values):
    return np.repeat(np.array(values, F4)[:, None], STEPS, axis=1)


def ends():
    """A row for each value: the tolerance is one of the row."""
    x = [-np.inf, -1e30, -1000, -746, -744, -709, -104, -103, -98, -95, -90, -88,
         -87.4, -87.3, -86, -1, -0.0, 0, 1e-38, 1, 44.4, 88.3, 88.37, 88.38, 88.72,
         88.73, 89, 177, 709, 710, 1000, 1e30, np.inf, np.nan]
    y = [-np.inf, -1, -LEAST, -0.0, 0, LEAST, 3 * LEAST, 1e-42, 1e-39, 1.1754942e-38,
         1.1754944e-38, 2e-38, 1e-30, 0.5, 0.99999994, 1, 1.0000001, 2, 1e30,
         np.finfo(F4).max, np.inf, np.nan]
    return {"x": rows_of(x), "y": rows_of(y + [1] * (len(x) - len(y)))}


def returns(rows, steps):
    rng = np.random.default_rng(2)
    return {
        "reward": rng.standard_normal((rows, steps)).astype(F4),
        "terminated": rng.random((rows, steps)) < 0.2,
        "truncated": rng.random((rows, steps)) < 0.2,
        "bootstrap": rng.standard_normal((rows, steps)).astype(F4),
        "last_value": rng.standard_normal(rows).astype(F4),
    }


def few_returns():
    """With gamma inf: what a closed gate multiplies is 0 and inf."""
    return {
        "reward": np.array([[1, 2, 3, 4, 5, 6]], F4),
        "terminated": np.array([[0, 1, 0, 0, 1, 1]], bool),
        "truncated": np.array([[0, 0, 0, 1, 1, 0]], bool),
        "bootstrap": np.array([[0, 0, 0, -1, 0, 0]], F4),
    }


def make(folder):
    os.makedirs(folder, exist_ok=True)

    def save(name, arrays):
        np.savez(os.path.join(folder, name + ".npz"), **arrays)

    save("nested", nested(37, 43, 3, 5))
    save("one", nested(2, 5, 1, 1))
    save("empty", nested(18, 20, 2, 0))
    save("small", small())
    save("ends", ends())
    save("returns", returns(35, 67))
    save("few_returns", few_returns())
    save("never_cut", {k: few_returns()[k] for k in ("reward", "terminated")})


make(sys.argv[1])
