"""The arrays of rlscan-run-corners.test.

corners.py make DIR           writes them into DIR
corners.py units IN OUT X Y   exp and log in OUT are those of x and y in IN, to X
                              and Y units in the last place
"""

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


def powers():
    """Arguments of exp from the end of its range to the other; of log, all sizes."""
    x = np.linspace(-104, 88.72283, 200000).astype(F4)
    y = np.arange(1, 0x7F800000, 0x7F800000 // 200000, dtype=np.uint32)[:200000]
    return {"x": x.reshape(100, -1), "y": y.view(F4).reshape(100, -1)}


def units(found, exact):
    step = np.spacing(np.abs(exact).astype(F4)).astype(np.float64)
    return np.max(np.abs(found - exact) / step)


def check_units(given, found, most_exp, most_log):
    with np.load(given) as arrays, np.load(found) as results:
        x, y = (arrays[name].astype(np.float64) for name in "xy")
        exp, log = units(results["power"], np.exp(x)), units(results["logarithm"], np.log(y))
    assert exp <= most_exp and log <= most_log, (exp, log)


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
    save("powers", powers())
    save("returns", returns(35, 67))
    save("few_returns", few_returns())
    save("never_cut", {k: few_returns()[k] for k in ("reward", "terminated")})


if __name__ == "__main__":
    if sys.argv[1] == "make":
        make(sys.argv[2])
    else:
        check_units(sys.argv[2], sys.argv[3], float(sys.argv[4]), float(sys.argv[5]))
