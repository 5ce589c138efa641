"""The wider catalogue: every recipe x type x memory order against the formulas of test/cases."""

import numpy as np
import pytest
from inputs import WIDER, assert_close, draw, expected, optional_names, signature_of

import rlscan

torch = pytest.importorskip("torch")


def tensor(x, dtype):
    return torch.tensor(x) if x.dtype != np.float64 else torch.tensor(x).to(getattr(torch, dtype))


def check(name, dtype, order, present=None, **params):
    arrays = {key: tensor(x, dtype) for key, x in draw(name, 9, 40, present=present).items()}
    exact = {key: x.double().numpy() if x.is_floating_point() else x.numpy()
             for key, x in arrays.items()}
    if order == "tn":
        arrays = {key: x if x.dim() == 1 else x.transpose(0, 1).contiguous().transpose(0, 1)
                  for key, x in arrays.items()}
    results = getattr(rlscan, name)(**arrays, **params)
    results = results if isinstance(results, tuple) else (results,)
    right = expected(name, exact, **params)
    assert len(results) == len(right)
    for found, want in zip(results, right):
        assert found.dtype == getattr(torch, dtype)
        assert_close(found.double().numpy(), want, dtype)


@pytest.mark.parametrize("order", ["nt", "tn"])
@pytest.mark.parametrize("dtype", ["float32", "float64", "bfloat16", "float16"])
@pytest.mark.parametrize("name", WIDER)
def test_against_float64(name, dtype, order):
    check(name, dtype, order)


@pytest.mark.parametrize("name", WIDER)
def test_optional_inputs(name):
    """One left out, one given, none given."""
    optional = optional_names(name)
    for present in [[], *([one] for one in optional),
                    *([x for x in optional if x != one] for one in optional)]:
        check(name, "float32", "nt", present=present)


@pytest.mark.parametrize("name", WIDER)
def test_params(name):
    params = {a.name: not a.default if a.element == "flag" else 0.7
              for a in signature_of(name).params}
    check(name, "float32", "nt", **params)
