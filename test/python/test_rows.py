"""Rows with lengths, and packed rows: each row is what it would be alone."""

import numpy as np
import pytest
from inputs import RECIPES, WIDER, assert_close, draw, expected, signature_of

import rlscan

LENGTHS = np.array([5, 0, 1, 12, 7])
BOUNDS = np.concatenate([[0], np.cumsum(LENGTHS)])
STEPS = 12


def f32(x):
    return x.astype(np.float32) if x.dtype.kind == "f" else x


def padded(name, seed=0):
    return {k: f32(x) for k, x in draw(name, len(LENGTHS), STEPS, seed=seed).items()}


def row_of(name, arrays, n):
    """One row, as long as it is; of inputs [N, T+1] one entry more."""
    kinds = {a.name: a for a in signature_of(name).arrays}
    return {k: x[n:n + 1] if kinds[k].kind == "row"
            else x[n:n + 1, :LENGTHS[n] + kinds[k].extra_steps] for k, x in arrays.items()}


def packed(name, arrays):
    rows = [row_of(name, arrays, n) for n in range(len(LENGTHS))]
    return {k: np.concatenate([row[k] if row[k].ndim == 1 else row[k][0] for row in rows])
            for k in arrays}


def as_tuple(result):
    return result if isinstance(result, tuple) else (result,)


def check_rows(name, arrays, row_result):
    """row_result(k, n): the k-th result's row n, without padding."""
    for n, length in enumerate(LENGTHS):
        if length == 0:
            continue
        alone = {k: x.astype(np.float64) if x.dtype.kind == "f" else x
                 for k, x in row_of(name, arrays, n).items()}
        for k, right in enumerate(expected(name, alone)):
            assert_close(row_result(k, n), right[0], "float32")


@pytest.mark.parametrize("stored", ["int64", "int32"])
@pytest.mark.parametrize("order", ["nt", "tn"])
@pytest.mark.parametrize("name", RECIPES + WIDER)
def test_lengths(name, order, stored):
    arrays = padded(name)
    given = {k: np.asfortranarray(x) if order == "tn" and x.ndim == 2 else x
             for k, x in arrays.items()}
    found = as_tuple(getattr(rlscan, name)(**given, lengths=LENGTHS.astype(stored)))
    check_rows(name, arrays, lambda k, n: found[k][n, :LENGTHS[n]])
    for result in found:
        past = np.arange(STEPS)[None, :] >= LENGTHS[:, None]
        assert (result[past] == 0).all()


@pytest.mark.parametrize("stored", ["int64", "int32"])
@pytest.mark.parametrize("name", RECIPES + WIDER)
def test_packed(name, stored):
    arrays = padded(name)
    found = as_tuple(getattr(rlscan, name)(**packed(name, arrays),
                                           cu_seqlens=BOUNDS.astype(stored)))
    assert all(x.shape == (BOUNDS[-1],) for x in found)
    check_rows(name, arrays, lambda k, n: found[k][BOUNDS[n]:BOUNDS[n + 1]])


@pytest.mark.parametrize("name", RECIPES + WIDER)
def test_padding_is_not_read(name):
    arrays = padded(name)
    right = as_tuple(getattr(rlscan, name)(**arrays, lengths=LENGTHS))
    for a in signature_of(name).arrays:
        if a.kind == "step" and not a.is_of_rows and a.element == "real":
            past = np.arange(STEPS + a.extra_steps)[None, :] >= LENGTHS[:, None] + a.extra_steps
            arrays[a.name][past] = np.nan
    for x, y in zip(as_tuple(getattr(rlscan, name)(**arrays, lengths=LENGTHS)), right):
        np.testing.assert_array_equal(x, y)


def test_rows_of_several_dimensions():
    arrays = padded("gae")
    right = rlscan.gae(**arrays, lengths=LENGTHS)
    twice = {k: np.stack([x, x]) for k, x in arrays.items()}
    found = rlscan.gae(**twice, lengths=np.stack([LENGTHS, LENGTHS]))
    for x, y in zip(found, right):
        np.testing.assert_array_equal(x, np.stack([y, y]))


def test_nothing_packed():
    none = np.zeros(0, np.float32)
    advantage, _ = rlscan.gae(none, none, none.astype(bool), cu_seqlens=np.zeros(1, np.int64))
    assert advantage.shape == (0,)


def gae(**changes):
    given = padded("gae")
    given.update(changes)
    return rlscan.gae(**given)


def gae_packed(**changes):
    given = packed("gae", padded("gae"))
    given.update(cu_seqlens=BOUNDS)
    given.update(changes)
    return rlscan.gae(**given)


VALUES = [
    (gae, dict(lengths=LENGTHS[:4]), r"lengths: dim 0 is 4, expected 5"),
    (gae, dict(lengths=LENGTHS[:, None].repeat(2, 1)), r"lengths: 2 dimensions, expected 1"),
    (gae, dict(lengths=LENGTHS, cu_seqlens=BOUNDS), r"reward: shape \[5, 12\], expected one dimension"),
    (gae_packed, dict(lengths=LENGTHS), r"lengths and cu_seqlens: rows are padded or packed"),
    (gae_packed, dict(cu_seqlens=BOUNDS[:, None]),
     r"cu_seqlens: shape \[6, 1\], expected \[B \+ 1\]: where each of B rows begins"),
    (gae_packed, dict(cu_seqlens=BOUNDS[:0]), r"cu_seqlens: shape \[0\], expected \[B \+ 1\]"),
    (gae_packed, dict(last_value=np.zeros(4, np.float32)),
     r"last_value: shape \[4\], expected \[5\], one value for each packed row"),
    (gae_packed, dict(value=np.zeros(9, np.float32)), r"value: dim 0 is 9, expected 25"),
]


@pytest.mark.parametrize("call, changes, message", VALUES)
def test_mistakes(call, changes, message):
    with pytest.raises(ValueError, match=message):
        call(**changes)


def test_types():
    with pytest.raises(TypeError, match="lengths: stored as f32, an index takes i32 or i64"):
        gae(lengths=LENGTHS.astype(np.float32))
    given = {k: x.astype(np.float64) if x.dtype.kind == "f" else x
             for k, x in padded("gae").items()}
    with pytest.raises(TypeError, match="no code for .*reward:f64.* lengths:i64"):
        rlscan.gae(**given, lengths=LENGTHS)


def test_extra_step_is_checked():
    arrays = padded("truncated_gae")
    arrays["value"] = arrays["value"][:, :-1]
    with pytest.raises(ValueError, match=r"value: dim 1 is 12, expected 13: .* and one value after"):
        rlscan.truncated_gae(**arrays)
    tokens = packed("truncated_gae", padded("truncated_gae"))
    tokens["value"] = tokens["value"][:-1]
    with pytest.raises(ValueError, match="value: dim 0 is 29, expected 30"):
        rlscan.truncated_gae(**tokens, cu_seqlens=BOUNDS)


def test_explain():
    chosen = rlscan.explain(rlscan.gae, **padded("gae"), lengths=LENGTHS)
    assert "lengths" in chosen["variant"]
    chosen = rlscan.explain(rlscan.gae, **packed("gae", padded("gae")), cu_seqlens=BOUNDS)
    assert "cu_seqlens" in chosen["variant"] and chosen["rows"] == 1
    assert "lengths: [N], int32 or int64" in rlscan.gae.__doc__


# What the package has no code for on GPUs: see python/Estimators.cmake.
HOST_ONLY = ("truncated_gae", "retrace")
NO_CODE = r"no code for (lengths|cu_seqlens) on GPUs; rlscan.load\(recipe"


def check_both(name, arrays, in_rows, in_tokens, device):
    """Results on the CPU have the bits of NumPy's arrays; those of a GPU are near the reference."""
    in_rows, in_tokens = as_tuple(in_rows), as_tuple(in_tokens)
    if device == "cpu":
        for x, y in zip(in_rows, as_tuple(getattr(rlscan, name)(**arrays, lengths=LENGTHS))):
            np.testing.assert_array_equal(x, y)
        alone = getattr(rlscan, name)(**packed(name, arrays), cu_seqlens=BOUNDS)
        for x, y in zip(in_tokens, as_tuple(alone)):
            np.testing.assert_array_equal(x, y)
        return
    check_rows(name, arrays, lambda k, n: np.asarray(in_rows[k])[n, :LENGTHS[n]])
    check_rows(name, arrays, lambda k, n: np.asarray(in_tokens[k])[BOUNDS[n]:BOUNDS[n + 1]])


@pytest.mark.parametrize("name", ["gae", "masked_gae", "vtrace", "truncated_gae", "retrace"])
def test_torch(name, device):
    torch = pytest.importorskip("torch")
    arrays = padded(name)
    tensors = {k: torch.tensor(x, device=device) for k, x in arrays.items()}
    tokens = {k: torch.tensor(x, device=device) for k, x in packed(name, arrays).items()}

    @torch.compile(fullgraph=True, backend="aot_eager")
    def both(tensors, tokens, lengths, bounds):
        function = getattr(rlscan, name)
        return function(**tensors, lengths=lengths), function(**tokens, cu_seqlens=bounds)

    given = (torch.tensor(LENGTHS, device=device),
             torch.tensor(BOUNDS, dtype=torch.int32, device=device))
    if device == "cuda" and name in HOST_ONLY:
        with pytest.raises((TypeError, RuntimeError), match=NO_CODE):
            both(tensors, tokens, *given)
        return
    in_rows, in_tokens = both(tensors, tokens, *given)
    in_rows, in_tokens = (tuple(x.cpu().numpy() for x in as_tuple(found))
                          for found in (in_rows, in_tokens))
    check_both(name, arrays, in_rows, in_tokens, device)


@pytest.mark.parametrize("name", ["gae", "masked_gae", "vtrace", "truncated_gae", "retrace"])
def test_jax(name, device, place):
    jax = pytest.importorskip("jax")
    arrays = padded(name)

    def stored(arrays):
        return {k: jax.device_put(x.astype(np.int32) if x.dtype == np.int64 else x, place)
                for k, x in arrays.items()}

    function = jax.jit(getattr(rlscan.jax, name))
    lengths = stored({"lengths": LENGTHS})
    if device == "cuda" and name in HOST_ONLY:
        with pytest.raises(Exception, match=NO_CODE):
            jax.block_until_ready(function(**stored(arrays), **lengths))
        return
    in_rows = function(**stored(arrays), **lengths)
    in_tokens = function(**stored(packed(name, arrays)), **stored({"cu_seqlens": BOUNDS}))
    check_both(name, arrays, in_rows, in_tokens, device)
