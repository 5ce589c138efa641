"""Random inputs of any recipe, from its signature; and what is right for them."""

import pathlib
import sys

import numpy as np
import reference

from rlscan import _route

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "cases"))
import formulas  # noqa: E402

# What reference.py has is compiled for everything; the wider catalogue for less.
RECIPES = [name for name in _route.registry if hasattr(reference, name)]
WIDER = [name for name in _route.registry if name not in RECIPES]
ACTIONS = 5


def signature_of(name):
    return _route.registry[name].signature


def draw(name, rows, steps, seed=0, present=None):
    """Arrays [N, T] by the names of the inputs, float64 and bool; of those that are
    optional the names in `present`, by default all."""
    rng = np.random.default_rng(seed)
    arrays = {}
    for a in signature_of(name).arrays:
        if a.is_of_rows or (a.is_optional and present is not None and a.name not in present):
            continue
        shape = (rows,) if a.kind == "row" else (rows, steps + a.extra_steps)
        if a.element == "flag":
            arrays[a.name] = rng.random(shape) < 0.15
        elif a.element == "index":
            arrays[a.name] = rng.integers(0, ACTIONS, shape)
        elif a.axis:
            x = rng.random((*shape, ACTIONS))
            arrays[a.name] = x / x.sum(axis=-1, keepdims=True)
        elif a.name.endswith("prob"):
            arrays[a.name] = rng.uniform(0.1, 1.0, shape)
        elif a.name in ("beta", "discount", "c", "continues", "rho", "ratio"):
            arrays[a.name] = rng.uniform(-1.0, 1.0, shape)
        else:
            arrays[a.name] = rng.standard_normal(shape)
    return arrays


def optional_names(name):
    return [a.name for a in signature_of(name).arrays if a.is_optional and not a.is_of_rows]


def expected(name, arrays, **params):
    """The results in float64, in the order of the recipe."""
    filled = {}
    for a in signature_of(name).arrays:
        if a.is_of_rows:
            continue
        x = arrays.get(a.name)
        if x is None and a.name == "next_target_prob":
            x = arrays["target_prob"]
        if x is None:
            rows, steps = next(iter(arrays.values())).shape[:2]
            shape = (rows,) if a.kind == "row" else (rows, steps + a.extra_steps)
            x = np.full(shape, a.default or 0)
        kinds = {"flag": bool, "index": np.int64, "real": np.float64}
        filled[a.name] = np.asarray(x).astype(kinds[a.element])
    # What is behind a boundary may be anything: the numbers where it is read count.
    with np.errstate(all="ignore"):
        if name in RECIPES:
            return getattr(reference, name)(**filled, **params)
        numbers = {a.name: params.get(a.name, a.default) for a in signature_of(name).params}
        return formulas.formula(name, numbers, filled)


# Storage: how many bits a result keeps of the numbers that it is near.
EPSILON = {"float64": 1e-12, "float32": 1e-5, "float16": 2e-3, "bfloat16": 1.6e-2}


def assert_close(found, right, dtype):
    """As docs/rationale.md says of f32: 1e-5 * (1 + max|x| of the row)."""
    found, right = np.asarray(found, dtype=np.float64), np.asarray(right)
    assert found.shape == right.shape
    if right.size == 0:
        return
    error = np.abs(found - right)
    allowed = EPSILON[dtype] * (1 + np.abs(right).max(axis=-1, keepdims=True))
    worst = float((error / allowed).max())
    assert worst <= 1, f"{worst} times the tolerance"
