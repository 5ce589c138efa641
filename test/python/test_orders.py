"""PyTorch, JAX and rlscan in one process, in every order."""

import itertools
import subprocess
import sys

import pytest

CALLS = """
import numpy as np
right = [[1.75, 1.5, 1.0]] * 2

x = np.ones((2, 3), np.float32)
assert rlscan.discounted_return(x, x == 0, gamma=0.5).tolist() == right

x = torch.ones(2, 3)
assert rlscan.discounted_return(x, x == 0, gamma=0.5).tolist() == right
assert torch.ops.rlscan.discounted_return(x, x == 0, gamma=0.5).tolist() == right
assert (x + x).tolist() == [[2.0] * 3] * 2

x = jax.numpy.ones((2, 3))
for function in (rlscan.discounted_return, rlscan.jax.discounted_return):
    found = jax.jit(lambda x: function(x, x == 0, gamma=0.5))(x)
    assert isinstance(found, jax.Array) and found.tolist() == right
assert (x + x).tolist() == [[2.0] * 3] * 2

found = rlscan.discounted_return(torch.ones(2, 3), torch.zeros(2, 3, dtype=torch.bool), gamma=0.5)
assert isinstance(found, torch.Tensor) and found.tolist() == right
"""


@pytest.mark.parametrize("order", list(itertools.permutations(["torch", "jax", "rlscan"])),
                         ids=" ".join)
def test_imported_in_every_order(order):
    pytest.importorskip("torch")
    pytest.importorskip("jax")
    program = "".join(f"import {name}\n" for name in order) + CALLS
    # With faults of memory, too: what one library has loaded is another's as well.
    done = subprocess.run([sys.executable, "-X", "faulthandler", "-c", program],
                          capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
