"""Makes catalogue.json: cases of the recipes that formulas.py has, with its answers.

usage: make.py [OUTPUT]

Each recipe has four: episodes that end inside the window and at its last step, cut or
terminated, with masks where it has them; the same with NaN and infinities wherever the
formula's answer does not depend on what is there; what is optional left out; one step.
"""

import json
import pathlib
import sys

import numpy as np

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).parent))
import formulas  # noqa: E402
import signature  # noqa: E402

ACTIONS, STEPS = 3, 7
PARAMS = {"gamma": 0.875, "lambda": 0.6875, "lambda_policy": 0.75, "lambda_value": 0.5,
          "turn_gamma": 0.625, "alpha": 0.25, "rho_bar": 1.25, "c_bar": 0.75, "pg_rho_bar": 1.5,
          "intrinsic_gamma": 0.75, "epsilon": 0.0625, "weight": 1.75, "intrinsic_weight": 0.5,
          "max_importance_weight": 1.25, "eps": 0.01, "step_size": 0.25}
# By row; see flags_of.
ENDS = {"terminated": ["", "2", "6", "", "14"], "truncated": ["", "", "", "36", "45"]}
OTHER_ENDS = ["", "2", "6", "03", "145"]
KEPT = ["0123456", "12345", "0135", "26", "346"]


def flags_of(name, rows, steps):
    """Rows take turns: no end; one inside; one at the last step; cuts inside and at the
    last step; both kinds, at once and side by side."""
    table = KEPT if name in ("mask", "valid", "turn_end") else ENDS.get(name, OTHER_ENDS)
    flags = np.zeros((rows, max(STEPS, steps)), dtype=bool)
    for i in range(rows):
        at = table[i % len(table)]
        flags[i, [int(t) for t in (at[::2] if name == "turn_end" else at)]] = True
    return flags[:, flags.shape[1] - steps:]


def shape_of(entry, rows, steps):
    return (rows,) if entry.kind == "row" else (rows, steps + (entry.kind == "step+1"))


def draw(entry, rows, steps, random):
    """Numbers that f32 holds, and so many of them that few are equal by chance."""
    shape = shape_of(entry, rows, steps)
    if entry.type == "index":
        return random.integers(0, ACTIONS, shape)
    if entry.type == "flag":
        return random.random(shape) < 0.5 if entry.kind == "row" else \
            flags_of(entry.name, rows, shape[1])
    if entry.name.endswith("_prob") and entry.axis:
        cuts = np.sort(random.integers(0, 9, (*shape, ACTIONS - 1)), axis=-1)
        return np.diff(cuts, axis=-1, prepend=0, append=8) / 8
    if entry.axis:
        return (random.integers(-50, 50, (*shape, ACTIONS)) * 2 + 1) / 32
    if entry.name.endswith("_prob") or entry.name in ("rho", "ratio", "interest"):
        return random.integers(1, 9, shape) / 4
    if entry.name.endswith("_logp"):
        return -random.integers(0, 9, shape) / 8
    if entry.name == "continues":
        return random.integers(1, 5, shape) / 4
    if entry.name in ("discount", "c"):
        return random.integers(0, 5, shape) / 4
    if entry.name == "feature":  # often absent
        return random.integers(-1, 2, shape) * random.integers(1, 9, shape) / 8
    return (random.integers(-50, 50, shape) * 2 + 1) / 32


def default_of(entry, rows, steps):
    shape = shape_of(entry, rows, steps)
    value = {"true": True, "false": False}.get(entry.default)
    return np.full(shape, float(entry.default) if value is None else value)


def answer(name, params, given):
    """The formula's results, with defaults for what is not given."""
    entries = signature.read(name)
    rows, steps = next(given[e.name].shape[:2] for e in entries if e.name in given
                       and e.kind == "step")
    numbers, arrays = {}, {}
    for e in entries:
        if e.kind == "param":
            numbers[e.name] = params.get(e.name, default_of(e, 1, 1).item())
        else:
            arrays[e.name] = given[e.name] if e.name in given else default_of(e, rows, steps)
    return formulas.formula(name, numbers, arrays)


def unread(name, params, given):
    """The reals that may change at will, one at a time, and no result does."""
    right = answer(name, params, given)
    for e in signature.read(name):
        if e.type != "real" or e.name not in given:
            continue
        for index in np.ndindex(given[e.name].shape):
            changed = dict(given)
            for value in (given[e.name][index] + 1, 64.0, -64.0):
                changed[e.name] = given[e.name].astype(float)
                changed[e.name][index] = value
                if any((x != y).any() for x, y in zip(right, answer(name, params, changed))):
                    break
            else:
                yield e.name, index


def with_garbage(name, params, given):
    changed = {key: x.copy() for key, x in given.items()}
    garbage = (np.nan, np.inf, -np.inf)
    places = list(unread(name, params, given))
    for k, (key, index) in enumerate(places):
        changed[key] = changed[key].astype(float)
        changed[key][index] = garbage[k % 3]
    for x, y in zip(answer(name, params, given), answer(name, params, changed)):
        np.testing.assert_array_equal(x, y, err_msg=name)
    return changed, len(places)


def plain(x):
    """As JSON has it."""
    if isinstance(x, np.ndarray):
        return [plain(entry) for entry in x]
    if isinstance(x, (bool, np.bool_)):
        return int(x)
    if not np.isfinite(x):
        return str(float(x))
    return int(x) if x == int(x) else float(f"{float(x):.12g}")


def case(name, kind, params, given, right):
    return {"id": f"{name}-{kind}", "recipe": name,
            "params": {key: plain(x) for key, x in params.items()},
            "inputs": {key: plain(x) for key, x in given.items()},
            "expected": dict(zip(signature.results(name), map(plain, right))),
            "tolerance": {"rtol": 1e-5, "atol": 1e-5}}


def cases_of(name):
    entries = signature.read(name)
    arrays = [e for e in entries if e.kind != "param"]
    params = {e.name: PARAMS[e.name] for e in entries if e.kind == "param" and e.name in PARAMS}
    random = np.random.default_rng([8, *name.encode()])
    given = {e.name: draw(e, len(KEPT), STEPS, random) for e in arrays}
    right = answer(name, params, given)
    yield case(name, "episodes", params, given, right)
    changed, count = with_garbage(name, params, given)
    if count:
        yield case(name, "garbage", params, changed, right)
    given = {e.name: draw(e, len(KEPT), STEPS, random) for e in arrays if e.default is None}
    yield case(name, "defaults", {}, given, answer(name, {}, given))
    given = {e.name: draw(e, len(KEPT), 1, random) for e in arrays}
    yield case(name, "one-step", params, given, answer(name, params, given))


def main(output=pathlib.Path(__file__).with_name("catalogue.json")):
    lines = [json.dumps(case) for name in sorted(formulas.FUNCTIONS) for case in cases_of(name)]
    pathlib.Path(output).write_text("[\n" + ",\n".join(lines) + "\n]\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
