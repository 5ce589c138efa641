"""Every recipe x memory order x type x optional inputs against float64."""

import itertools

import numpy as np
import pytest
from inputs import RECIPES, assert_close, draw, expected, optional_names, signature_of

import rlscan

torch = pytest.importorskip("torch")

DTYPES = ["float32", "float64", "bfloat16", "float16"]
# What a trainer may have: [N, T] and [T, N] dense, a transposed view, a cut out of
# a larger array, a reversed one that steps over elements.
ORDERS = ["nt", "tn", "transposed", "sliced", "scattered"]


def choices(name):
    names = optional_names(name)
    return [set(c) for k in range(len(names) + 1) for c in itertools.combinations(names, k)]


def store(x, dtype, flags, device):
    """A tensor [N, T, ...] of how a call stores it, and what it holds in float64."""
    if x.dtype == bool:
        tensor = torch.tensor(x).to(getattr(torch, dtype if flags == "real" else flags))
    elif x.dtype == np.int64:
        tensor = torch.tensor(x)
    else:
        tensor = torch.tensor(x).to(getattr(torch, dtype))
    exact = tensor.double().numpy() if x.dtype == np.float64 else x
    return tensor.to(device), exact


def arrange(x, order):
    """The same numbers in another place of memory, and in the dims of a call."""
    if x.dim() == 1:
        if order in ("sliced", "scattered"):
            wide = torch.zeros(2 * len(x) + 1, dtype=x.dtype, device=x.device)
            wide[1::2] = x
            return wide[1::2]
        return x
    if order == "nt":
        return x.contiguous()
    if order == "tn":
        return x.transpose(0, 1).contiguous()
    if order == "transposed":
        return x.transpose(0, 1).contiguous().transpose(0, 1)
    n, t = x.shape[:2]
    if order == "sliced":
        wide = torch.zeros((n + 2, t + 3, *x.shape[2:]), dtype=x.dtype, device=x.device)
        wide[1:-1, 2:-1] = x
        return wide[1:-1, 2:-1]
    wide = torch.zeros((2 * n, 3 * t, *x.shape[2:]), dtype=x.dtype, device=x.device)
    wide[::2, ::3] = x
    return wide[::2, ::3]


def check(name, arrays, dtype, order, flags, device, **params):
    stored, exact = {}, {}
    for key, x in arrays.items():
        tensor, exact[key] = store(x, dtype, flags, device)
        stored[key] = arrange(tensor, order)
    time_dim = 0 if order == "tn" else 1
    results = getattr(rlscan, name)(**stored, **params, time_dim=time_dim)
    results = results if isinstance(results, tuple) else (results,)
    right = expected(name, exact, **params)
    assert len(results) == len(right) == len(signature_of(name).results)
    for found, want in zip(results, right):
        assert found.dtype == getattr(torch, dtype) and found.device.type == device
        found = found.transpose(0, 1) if order == "tn" else found
        assert_close(found.double().cpu().numpy(), want, dtype)


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", RECIPES)
def test_against_float64(name, dtype, order, device):
    for rows, steps in ((1, 1), (3, 7), (33, 65)):
        for present in choices(name):
            check(name, draw(name, rows, steps, present=present), dtype, order, "bool", device)


@pytest.mark.parametrize("flags", ["uint8", "int8", "real"])
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", RECIPES)
def test_flags(name, dtype, flags, device):
    for order in ("nt", "tn", "scattered"):
        check(name, draw(name, 9, 40), dtype, order, flags, device)


@pytest.mark.parametrize("name", RECIPES)
def test_params(name, device):
    signature = signature_of(name)
    params = {a.name: not a.default if a.element == "flag" else 0.7 for a in signature.params}
    check(name, draw(name, 17, 33), "float32", "nt", "bool", device, **params)


@pytest.mark.parametrize("name", RECIPES)
def test_long_and_empty(name, device):
    check(name, draw(name, 2, 20000), "float32", "nt", "bool", device)
    check(name, draw(name, 2, 20000), "float32", "tn", "bool", device)
    for rows, steps in ((0, 4), (4, 0), (0, 0)):
        arrays = {key: torch.tensor(x, device=device).float() if x.dtype == np.float64
                  else torch.tensor(x, device=device)
                  for key, x in draw(name, rows, steps).items()}
        result = getattr(rlscan, name)(**arrays)
        result = result[0] if isinstance(result, tuple) else result
        assert result.shape == (rows, steps)


@pytest.mark.parametrize("name", RECIPES)
def test_batch_dimensions(name, device):
    """[B, N, T], [T, B, N], [B, T, N] and a singleton at the end are the same rows.
    A GPU's kernel for another memory order adds in another order."""
    tolerance = {"rtol": 0, "atol": 0} if device == "cpu" else {"rtol": 1e-5, "atol": 1e-5}
    arrays = draw(name, 6, 11)
    plain = {k: store(x, "float32", "bool", device)[0] for k, x in arrays.items()}
    right = getattr(rlscan, name)(**plain)
    right = right if isinstance(right, tuple) else (right,)

    def shaped(x, a, time_dim, singleton):
        x = x.reshape(2, 3, *x.shape[1:])
        if a.kind == "step":
            x = x.movedim(2, time_dim).contiguous()
        return x.unsqueeze(-1) if singleton and not a.axis else x

    arguments = {a.name: a for a in signature_of(name).arrays}
    for time_dim in (0, 1, 2):
        for singleton in (False, True):
            given = {k: shaped(x, arguments[k], time_dim, singleton) for k, x in plain.items()}
            found = getattr(rlscan, name)(**given, time_dim=time_dim)
            for x, want in zip(found if isinstance(found, tuple) else (found,), right):
                x = x.squeeze(-1) if singleton else x
                x = x.movedim(time_dim, 2).reshape(6, 11)
                torch.testing.assert_close(x, want, **tolerance)


@pytest.mark.parametrize("name", RECIPES)
def test_broadcast_and_reversed(name, device):
    """Strides 0 of torch.expand; negative ones, which only NumPy has."""
    arrays = draw(name, 1, 13)
    one = {k: store(x, "float32", "bool", device)[0] for k, x in arrays.items()}
    many = {k: x.expand(4, *x.shape[1:]) for k, x in one.items()}
    found = getattr(rlscan, name)(**many)
    alone = getattr(rlscan, name)(**one)
    for x, want in zip(found if isinstance(found, tuple) else (found,),
                       alone if isinstance(alone, tuple) else (alone,)):
        assert torch.equal(x, want.expand(4, -1))
    flipped = {k: np.ascontiguousarray(x[:, ::-1]).astype(x.dtype)[:, ::-1] if x.ndim > 1 else x
               for k, x in draw(name, 5, 9).items()}
    plain = {k: np.ascontiguousarray(x) for k, x in flipped.items()}
    found, want = getattr(rlscan, name)(**flipped), getattr(rlscan, name)(**plain)
    np.testing.assert_array_equal(found, want)
