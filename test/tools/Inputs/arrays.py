"""Makes the arrays of the rlscan-run tests, and reads results back.

arrays.py make DIR              writes the .npz and .npy files into DIR
arrays.py show FILE             prints name, dtype, shape and first values
arrays.py same FILE FILE TOL    results that differ by no more than TOL
arrays.py exits CODE COMMAND    runs a command, expects that exit code
"""

import os
import subprocess
import sys

import numpy as np

N, T, A = 4, 6, 3


def hand():
    """gae by hand, with gamma and lambda 0.5: see rlscan-run.test."""
    f4 = np.float32
    return {
        "reward": np.array([[1, 2, 3], [0, 0, 4]], f4),
        "value": np.array([[0, 1, 2], [1, 0, 0]], f4),
        "terminated": np.array([[0, 0, 0], [0, 1, 0]], bool),
        "last_value": np.array([4, 2], f4),
        "gamma": 0.5,
        "lambda": 0.5,
    }


def gae():
    """Arrays of order 1 for the gae recipe; episodes end here and there."""
    rng = np.random.default_rng(7)
    return {
        "reward": rng.standard_normal((N, T)).astype(np.float32),
        "value": rng.standard_normal((N, T)).astype(np.float32),
        "terminated": rng.random((N, T)) < 0.2,
        "truncated": rng.random((N, T)) < 0.2,
        "bootstrap": rng.standard_normal((N, T)).astype(np.float32),
        "last_value": rng.standard_normal(N).astype(np.float32),
    }


def retrace():
    rng = np.random.default_rng(8)
    prob = rng.random((N, T, A)).astype(np.float32)
    return {
        "target_prob": prob / prob.sum(axis=2, keepdims=True),
        "behavior_prob": np.full((N, T), 0.5, np.float32),
        "q": rng.standard_normal((N, T)).astype(np.float32),
        "next_q": rng.standard_normal((N, T, A)).astype(np.float32),
        "action": rng.integers(0, A, (N, T)),
        "reward": rng.standard_normal((N, T)).astype(np.float32),
        "terminated": rng.random((N, T)) < 0.2,
    }


def axes(size):
    """For Inputs/axes.rls and Inputs/flags.rls: whole numbers."""
    step = np.arange(N * T).reshape(N, T)
    return {
        "p": np.arange(N * T * size, dtype=np.float32).reshape(N, T, size),
        "action": step % A,
        "reward": step.astype(np.float32) / 64,
        "done": step % 3 == 2,
    }


def with_entry(array, place, value):
    copy = array.copy()
    copy[place] = value
    return copy


def wrong_gae(good):
    """Name of the file -> what is wrong with it."""
    f4 = np.float32
    return {
        "steps": {"value": good["value"][:, :3]},
        "rows": {"last_value": np.zeros(3, f4)},
        "more_rows": {"terminated": np.zeros((5, T), bool)},
        "flat": {"value": np.zeros(T, f4)},
        "scalar": {"value": f4(1)},
        "deep": {"value": good["value"][:, :, None]},
        "one_row": {"value": good["value"][:1]},
        "column": {"value": good["value"][:, :1]},
        "row_column": {"last_value": good["last_value"][:, None]},
        "param_shape": {"gamma": np.ones(3, f4)},
        "param_rank": {"gamma": np.ones((N, T, 1), f4)},
        "integers": {"reward": np.zeros((N, T), np.int32)},
        "booleans": {"value": np.zeros((N, T), bool)},
        "param_integers": {"gamma": np.ones(N, np.int64)},
        "two": {"value": good["value"][:, :3], "last_value": np.zeros(3, f4)},
    }


def wrong_retrace(good):
    return {
        "axis": {"next_q": np.zeros((N, T, A + 1), np.float32)},
        "no_axis": {"next_q": np.zeros((N, T), np.float32)},
        "real_index": {"action": good["action"].astype(np.float32)},
        "large_index": {"action": with_entry(good["action"], (2, 5), 7)},
        "negative_index": {
            "action": with_entry(good["action"], (0, 1), -1).astype(np.int32)
        },
    }


def make(folder):
    os.makedirs(folder, exist_ok=True)

    def save(name, arrays):
        np.savez(os.path.join(folder, name + ".npz"), **arrays)

    good = gae()
    save("hand", hand())
    save("gae", good)
    save("required", {k: good[k] for k in ("reward", "value", "terminated")})
    save("reward_only", {"reward": good["reward"]})
    save("misspelt", {**good, "bootstraps": good["bootstrap"], "x": np.ones(2)})
    save("fortran", {k: np.asfortranarray(v) for k, v in good.items()})
    save("mixed", {k: np.asfortranarray(v) if i % 2 else v
                   for i, (k, v) in enumerate(good.items())})
    save("large", {**good, "reward": good["reward"] * np.float32(60000)})
    save("f64", {k: v.astype(np.float64) for k, v in good.items()})
    save("integer_flags", {**good, "terminated": good["terminated"] * np.int64(4),
                           "truncated": good["truncated"] * np.int8(-128)})
    save("nothing", {"other": np.ones(2)})
    for name, arrays in wrong_gae(good).items():
        save(name, {**good, **arrays})
    for name, rows, steps in (("n0", 0, T), ("t0", N, 0), ("t1", N, 1),
                              ("n1", 1, T), ("n1t1", 1, 1)):
        save(name, {k: (v[:rows, :steps] if v.ndim == 2 else v[:rows])
                    for k, v in good.items()})
    discount = np.full((N, T), 0.5, np.float32)
    save("step_gamma", {**good, "gamma": discount})
    save("row_gamma", {**good, "gamma": discount[:, 0].astype(np.float64)})
    save("integer_gamma", {**good, "gamma": 1})
    stored = {"reward": good["reward"], "discount": discount,
              "value": np.concatenate([good["value"], good["last_value"][:, None]], axis=1)}
    save("stored", stored)
    save("stored_short", {**stored, "value": good["value"]})
    save("stored_none", {"value": stored["value"][:, :0]})
    save("stored_hand", {"reward": np.array([[1, 2]], np.float32),
                         "discount": np.full((1, 2), 0.5, np.float32),
                         "value": np.array([[1, 2, 4]], np.float32)})
    tokens = {"reward": good["reward"].reshape(-1), "discount": discount.reshape(-1),
              "value": np.concatenate([good["value"].reshape(-1), good["last_value"][:3]]),
              "cu_seqlens": np.array([0, 6, 6, N * T], np.int32)}
    save("stored_packed", tokens)
    save("stored_packed_short", {**tokens, "value": tokens["value"][:-1]})
    packed = {k: v.reshape(-1) for k, v in good.items()}
    packed["last_value"] = good["last_value"][:3]
    packed["cu_seqlens"] = np.array([0, 6, 6, N * T], np.int32)
    save("packed", packed)
    save("packed_gamma", {**packed, "gamma": np.array([0.5, 0.9, 1])})
    save("packed_gammas", {**packed, "gamma": np.full(N * T, 0.5)})
    for name, bounds in (("late", [1, 6, 6, 24]), ("back", [0, 6, 5, 24]),
                         ("short", [0, 6, 6, 23]), ("empty", [])):
        save("packed_" + name, {**packed, "cu_seqlens": np.array(bounds, np.int64)})
    save("packed_padded", {**packed, "lengths": np.array([6, 0, 18])})
    save("packed_rows", {**packed, "last_value": good["last_value"]})
    save("packed_steps", {**packed, "value": good["value"], "gamma": np.ones(5)})
    for name, lengths in (("lengths", [6, 0, 5, 3]), ("long", [6, 0, 7, 3]),
                          ("negative", [-1, 0, 7, 3]), ("hand_lengths", [2, 1])):
        np.save(os.path.join(folder, name + ".npy"), np.array(lengths, np.int32))
    save("infinite", {**good, "reward": with_entry(good["reward"], (1, 3), np.inf)})
    save("nan", {**good, "value": with_entry(good["value"], (2, 2), np.nan)})
    save("retrace", retrace())
    for name, arrays in wrong_retrace(retrace()).items():
        save(name, {**retrace(), **arrays})
    save("axes", axes(A))
    save("axes2", axes(A - 1))
    np.save(os.path.join(folder, "reward.npy"), good["reward"] + 1)
    np.save(os.path.join(folder, "short.npy"), good["reward"][:, :3])


def show(path):
    with np.load(path) as arrays:
        for name in arrays.files:
            values = arrays[name]
            first = "".join(f" {float(x):.5g}" for x in values.ravel()[:6])
            print(f"{name} {values.dtype} {list(values.shape)}:{first}")


def same(left, right, tolerance):
    with np.load(left) as a, np.load(right) as b:
        assert a.files == b.files, (a.files, b.files)
        for name in a.files:
            np.testing.assert_allclose(a[name], b[name], rtol=tolerance,
                                       atol=tolerance, err_msg=name)
            assert a[name].shape == b[name].shape, name


def exits(code, command):
    run = subprocess.run(command, stdout=subprocess.DEVNULL,
                         stderr=subprocess.DEVNULL, check=False)
    assert run.returncode == code, run.returncode


if __name__ == "__main__":
    if sys.argv[1] == "make":
        make(sys.argv[2])
    elif sys.argv[1] == "show":
        show(sys.argv[2])
    elif sys.argv[1] == "same":
        same(sys.argv[2], sys.argv[3], float(sys.argv[4]))
    else:
        exits(int(sys.argv[2]), sys.argv[3:])
