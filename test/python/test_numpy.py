"""NumPy alone: nothing of PyTorch or JAX is imported."""

import subprocess
import sys

import numpy as np
import pytest
from inputs import RECIPES, WIDER, assert_close, draw, expected

import rlscan


@pytest.mark.parametrize("dtype", ["float32", "float64", "float16"])
@pytest.mark.parametrize("name", RECIPES)
def test_against_float64(name, dtype):
    arrays = {k: x.astype(dtype) if x.dtype.kind == "f" else x
              for k, x in draw(name, 5, 30).items()}
    found = getattr(rlscan, name)(**arrays)
    found = found if isinstance(found, tuple) else (found,)
    for x, right in zip(found, expected(name, arrays)):
        assert isinstance(x, np.ndarray) and x.dtype == dtype
        assert_close(x, right, dtype)


def test_bfloat16():
    ml_dtypes = pytest.importorskip("ml_dtypes")
    x = np.linspace(-1, 1, 12).reshape(3, 4).astype(ml_dtypes.bfloat16)
    found = rlscan.linear_scan_forward(x, np.zeros_like(x))
    assert found.dtype == x.dtype
    np.testing.assert_array_equal(found, x)


def test_memory_order_is_kept():
    x = np.asfortranarray(np.random.default_rng(0).standard_normal((4, 6)))
    found = rlscan.linear_scan_forward(x, np.zeros_like(x))
    assert found.strides == x.strides
    np.testing.assert_array_equal(found, x)


def test_out():
    x = np.ones((3, 4), np.float32)
    wide = np.zeros((3, 8), np.float32)
    found = rlscan.episodic_prefix_sum(x, out=wide[:, ::2])
    assert found.base is wide
    np.testing.assert_array_equal(wide, np.array([[1, 0, 2, 0, 3, 0, 4, 0]] * 3))


def test_alone():
    """In a process that cannot import PyTorch or JAX."""
    program = """
import sys
sys.modules["torch"] = sys.modules["jax"] = None
import numpy as np
import rlscan
reward = np.ones((2, 3), np.float32)
assert rlscan.discounted_return(reward, reward == 0, gamma=0.5).tolist() == [[1.75, 1.5, 1]] * 2
assert "gamma: number; default 0.99" in rlscan.gae.__doc__
"""
    subprocess.run([sys.executable, "-c", program], check=True)


def test_any_library_with_dlpack():
    class Array:
        def __init__(self, x):
            self.x = x

        def __dlpack__(self, **keywords):
            return self.x.__dlpack__()

    x = np.arange(6, dtype=np.float32).reshape(2, 3)
    out = np.empty_like(x)
    rlscan.linear_scan_forward(Array(x), Array(np.zeros_like(x)), out=out)
    np.testing.assert_array_equal(out, x)
    with pytest.raises(TypeError, match="give out="):
        rlscan.linear_scan_forward(Array(x), Array(x))


def test_documentation():
    for name in RECIPES + WIDER:
        text = getattr(rlscan, name).__doc__
        assert "time_dim" in text and "out:" in text and "[N, T]" in text
    assert "arXiv:1506.02438" in rlscan.gae.__doc__
    assert "advantage[t] = delta + gamma" in rlscan.gae.__doc__
