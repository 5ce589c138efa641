"""JAX: foreign functions under jit, vmap and grad, and PyTorch's bits."""

import numpy as np
import pytest
from inputs import RECIPES, WIDER, assert_close, draw, expected, signature_of

import rlscan

jax = pytest.importorskip("jax")
jnp = pytest.importorskip("jax.numpy")
enable_x64 = jax.enable_x64 if hasattr(jax, "enable_x64") else jax.experimental.enable_x64


def arrays(name, place, rows=6, steps=19, dtype=np.float32, present=None, seed=0):
    drawn = draw(name, rows, steps, present=present, seed=seed)
    stored = {k: x.astype(dtype) if x.dtype.kind == "f" else x for k, x in drawn.items()}
    stored = {k: x.astype(np.int32) if x.dtype == np.int64 else x for k, x in stored.items()}
    return {k: jax.device_put(x, place) for k, x in stored.items()}


def as_tuple(result):
    return result if isinstance(result, tuple) else (result,)


def in_numpy(given):
    """What PyTorch and NumPy take: indices have 64 bits."""
    return {k: np.asarray(x).astype(np.int64) if x.dtype == jnp.int32 else np.asarray(x)
            for k, x in given.items()}


@pytest.mark.parametrize("name", RECIPES)
def test_against_float64(name, place):
    for present in (set(), None):
        given = arrays(name, place, present=present)
        found = as_tuple(getattr(rlscan.jax, name)(**given))
        for x, right in zip(found, expected(name, in_numpy(given))):
            assert isinstance(x, jax.Array) and x.dtype == jnp.float32
            assert_close(x, right, "float32")
        for x, same in zip(as_tuple(getattr(rlscan, name)(**given)), found):
            assert isinstance(x, jax.Array)
            np.testing.assert_array_equal(x, same)


@pytest.mark.parametrize("name", RECIPES)
def test_few_and_long_rows(name, place):
    """On a GPU several workgroups share a row, in workspace that XLA gives."""
    given = arrays(name, place, rows=2, steps=40000)
    found = as_tuple(jax.jit(getattr(rlscan.jax, name))(**given))
    for x, right in zip(found, expected(name, in_numpy(given))):
        assert_close(x, right, "float32")


@pytest.mark.parametrize("name", RECIPES)
def test_bits_of_pytorch(name, place, device):
    torch = pytest.importorskip("torch")
    with enable_x64(True):
        drawn = {k: x.astype(np.float32) if x.dtype.kind == "f" else x
                 for k, x in draw(name, 33, 70).items()}
        found = getattr(rlscan.jax, name)(**{k: jax.device_put(x, place)
                                             for k, x in drawn.items()})
        right = getattr(rlscan, name)(**{k: torch.tensor(x, device=device)
                                         for k, x in drawn.items()})
        for x, y in zip(as_tuple(found), as_tuple(right)):
            np.testing.assert_array_equal(np.asarray(x), y.cpu().numpy())


@pytest.mark.parametrize("dtype", ["float64", "float16", "bfloat16"])
def test_types(dtype, place):
    with enable_x64(True):
        given = arrays("gae", place, dtype=jnp.dtype(dtype))
        found = rlscan.jax.gae(**given)
        for x, right in zip(found, expected("gae", in_numpy(given))):
            assert x.dtype == dtype
            assert_close(np.asarray(x.astype(np.float64)), right, dtype)


def test_jit(place):
    given = arrays("vtrace", place)
    right = rlscan.jax.vtrace(**given, gamma=0.9)

    @jax.jit
    def step(given):
        target, advantage = rlscan.jax.vtrace(**given, gamma=0.9)
        return target + 1, advantage * 2

    target, advantage = step(given)
    np.testing.assert_array_equal(target, right[0] + 1)
    np.testing.assert_array_equal(advantage, right[1] * 2)
    # Through rlscan's own function as well, and without a callback to Python.
    text = jax.jit(lambda given: rlscan.vtrace(**given, gamma=0.9)).lower(given).as_text()
    assert "rlscan_vtrace" in text and "callback" not in text


@pytest.mark.parametrize("time_dim", [0, 1, -1])
def test_time_dim(time_dim, place):
    given = arrays("td_lambda", place)
    right = rlscan.jax.td_lambda(**given)
    turned = {k: x.T if x.ndim == 2 and time_dim == 0 else x for k, x in given.items()}
    found = rlscan.jax.td_lambda(**turned, time_dim=time_dim)
    np.testing.assert_array_equal(found.T if time_dim == 0 else found, right)


@pytest.mark.parametrize("time_dim", [0, 1, -1])
def test_vmap(time_dim, place):
    """Over sets of rollouts; last_value is the same for all."""
    sets = [arrays("gae", place, seed=seed) for seed in range(3)]
    if time_dim == 0:
        sets = [{k: x.T if x.ndim == 2 else x for k, x in given.items()} for given in sets]
    stacked = {k: jnp.stack([given[k] for given in sets]) for k in sets[0]}
    last_value = stacked.pop("last_value")[0]
    found = jax.vmap(lambda given: rlscan.jax.gae(**given, last_value=last_value,
                                                  time_dim=time_dim))(stacked)
    for i, given in enumerate(sets):
        right = rlscan.jax.gae(**{**given, "last_value": last_value}, time_dim=time_dim)
        for x, y in zip(found, right):
            np.testing.assert_array_equal(x[i], y)


def test_vmap_of_jit_in_a_loop(place):
    given = arrays("discounted_return", place)

    @jax.jit
    def step(given):
        def body(i, total):
            return total + rlscan.jax.discounted_return(**given)
        return jax.lax.fori_loop(0, 3, body, jnp.zeros((6, 19)))

    np.testing.assert_allclose(step(given), 3 * rlscan.jax.discounted_return(**given),
                               rtol=1e-6)


def test_no_gradient(place):
    given = arrays("gae", place)

    def loss(value, reward):
        advantage, target = rlscan.jax.gae(**{**given, "value": value, "reward": reward})
        return ((value - target) ** 2).mean() + advantage.sum()

    value, reward = jax.jit(jax.grad(loss, argnums=(0, 1)))(given["value"], given["reward"])
    _, target = rlscan.jax.gae(**given)
    np.testing.assert_allclose(value, 2 * (given["value"] - target) / target.size, rtol=1e-5)
    assert not np.asarray(reward).any()


def test_mistakes(place):
    given = arrays("gae", place)
    given["value"] = given["value"][:, :-1]
    with pytest.raises(Exception, match="value: dim 1 is 18, expected 19"):
        jax.block_until_ready(rlscan.jax.gae(**given))
    with pytest.raises(TypeError, match="missing input 'terminated'"):
        rlscan.jax.gae(given["reward"], given["reward"])
    with pytest.raises(TypeError, match="no input 'values'"):
        rlscan.jax.gae(given["reward"], given["reward"], given["terminated"], values=1)
    with pytest.raises(TypeError, match="never written to"):
        rlscan.jax.gae(given["reward"], given["reward"], given["terminated"],
                       out=(given["reward"], given["reward"]))
    with pytest.raises(ValueError, match="time_dim: 2"):
        rlscan.jax.gae(given["reward"], given["reward"], given["terminated"], time_dim=2)


def test_names():
    assert set(dir(rlscan.jax)) == set(RECIPES + WIDER)
    assert rlscan.jax.gae.__doc__ == rlscan.gae.__doc__
    assert [a.name for a in signature_of("gae").results] == ["advantage", "target"]
