"""PyTorch's operators, all of them: its own checks, and what a trace is told of results."""

import pytest
from inputs import RECIPES, WIDER, draw, signature_of

import rlscan  # noqa: F401 registers the operators

torch = pytest.importorskip("torch")
from torch._subclasses import FakeTensorMode  # noqa: E402

ALL = RECIPES + WIDER


def contiguous(x):
    return x


def transposed(x):
    return x.transpose(0, 1).contiguous().transpose(0, 1) if x.dim() > 1 else x


def sliced(x):
    """Every other row, and time from the middle of more."""
    wide = x.new_ones([2 * x.shape[0], *(n + 3 for n in x.shape[1:])])
    found = wide[(slice(None, None, 2), *(slice(2, 2 + n) for n in x.shape[1:]))]
    return found.copy_(x)


def expanded(x):
    """One row for all."""
    return x[:1].expand(x.shape)


def without_rows(x):
    return x[:0]


def without_steps(x):
    """Of [N, T+1] one is left."""
    return x[:, STEPS:] if x.dim() > 1 else x


def with_rows_in_two_dimensions(x):
    return x.reshape(2, 3, *x.shape[1:])


ROWS, STEPS = 6, 7
LAYOUTS = [contiguous, transposed, sliced, expanded, without_rows, without_steps,
           with_rows_in_two_dimensions]


def stored(name, device, present=None):
    arrays = {key: torch.tensor(x) for key, x in draw(name, ROWS, STEPS, present=present).items()}
    return {key: (x.float() if x.is_floating_point() else x).to(device)
            for key, x in arrays.items()}


def call_of(name, layout, device, present=None):
    """What the operator is called with: arrays in the order of its schema, then names."""
    given = {key: layout(x) for key, x in stored(name, device, present).items()}
    words = {a.name: not a.default if a.element == "flag" else 0.9
             for a in signature_of(name).params}
    if layout is with_rows_in_two_dimensions:
        words["time_dim"] = 2
    return [given.get(a.name) for a in signature_of(name).arrays], words


def as_tuple(result):
    return result if isinstance(result, tuple) else (result,)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("name", ALL)
def test_what_a_trace_is_told(name, layout, device):
    operator = getattr(torch.ops.rlscan, name)
    for present in ((), None):
        arrays, words = call_of(name, layout, device, present)
        found = as_tuple(operator(*arrays, **words))
        with FakeTensorMode() as mode:
            fake = [x if x is None else mode.from_tensor(x) for x in arrays]
            told = as_tuple(operator(*fake, **words))
        assert len(found) == len(told)
        for real, x in zip(found, told):
            assert x.stride() == real.stride() and x.shape == real.shape
            assert x.dtype == real.dtype and x.device == real.device
            assert x.storage_offset() == real.storage_offset() == 0
            assert x.untyped_storage().nbytes() == real.untyped_storage().nbytes()


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("name", ALL)
def test_pytorchs_own_checks(name, layout, device):
    arrays, words = call_of(name, layout, device)
    torch.library.opcheck(getattr(torch.ops.rlscan, name).default, arrays, words)


@pytest.mark.parametrize("name", ALL)
def test_with_arrays_for_the_results(name, device):
    arrays, words = call_of(name, sliced, device)
    made = as_tuple(getattr(torch.ops.rlscan, name)(*arrays, **words))
    outs = {f"out_{a.name}": sliced(torch.zeros_like(x))
            for a, x in zip(signature_of(name).results, made)}
    torch.library.opcheck(getattr(torch.ops.rlscan, name + "_out").default, arrays,
                          {**words, **outs}, test_utils=["test_schema", "test_faketensor"])
    getattr(torch.ops.rlscan, name + "_out")(*arrays, **words, **outs)
    for out, x in zip(outs.values(), made):
        assert torch.equal(out, x)


@pytest.mark.parametrize("name", ALL)
def test_gradients_are_refused(name, device):
    """Of each input of reals."""
    arrays, words = call_of(name, contiguous, device)
    for place, a in enumerate(signature_of(name).arrays):
        if a.element != "real" or arrays[place] is None:
            continue
        given = list(arrays)
        given[place] = arrays[place].clone().requires_grad_()
        with pytest.raises(RuntimeError, match=rf"{a.name}: requires a gradient.*detach"):
            getattr(torch.ops.rlscan, name)(*given, **words)
        with torch.no_grad():
            results = as_tuple(getattr(torch.ops.rlscan, name)(*given, **words))
        assert not any(x.requires_grad for x in results)
