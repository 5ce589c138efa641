"""What is wrong is said: which argument, what was expected, what was given."""

import numpy as np
import pytest

import rlscan

torch = pytest.importorskip("torch")

N, T = 4, 7


def gae(device="cpu", **changes):
    given = dict(reward=torch.zeros(N, T), value=torch.zeros(N, T),
                 terminated=torch.zeros(N, T, dtype=torch.bool), last_value=torch.zeros(N))
    given.update(changes)
    given = {k: x.to(device) if isinstance(x, torch.Tensor) and x.device.type == "cpu" else x
             for k, x in given.items()}
    return rlscan.gae(**given)


SHAPES = [
    (dict(value=torch.zeros(N, T - 1)),
     r"value: dim 1 is 6, expected 7: shape \[4, 6\], expected \[4, 7\] as reward has"),
    (dict(terminated=torch.zeros(N + 1, T, dtype=torch.bool)), r"terminated: dim 0 is 5, expected 4"),
    (dict(value=torch.zeros(N)), r"value: 1 dimensions, expected 2: shape \[4\], expected \[4, 7\]"),
    (dict(last_value=torch.zeros(N, T)),
     r"last_value: 2 dimensions, expected 1: shape \[4, 7\], expected \[4\]"),
    (dict(last_value=torch.zeros(3)), r"last_value: dim 0 is 3, expected 4"),
    (dict(time_dim=2), r"time_dim: 2 is no dimension of reward with shape \[4, 7\]"),
    (dict(time_dim=-3), r"time_dim: -3 is no dimension of reward"),
    (dict(out=(torch.zeros(N, T), torch.zeros(N, T + 1))), r"target: dim 1 is 8, expected 7"),
    (dict(out=(torch.zeros(N, T),)), r"out: expected 2 arrays, got 1"),
]


@pytest.mark.parametrize("changes, message", SHAPES)
def test_shapes(changes, message, device):
    if "out" in changes:
        changes = dict(out=tuple(x.to(device) for x in changes["out"]))
    with pytest.raises(ValueError, match=message):
        gae(device, **changes)


TYPES = [
    (dict(reward=torch.zeros(N, T, dtype=torch.int16)),
     r"reward: elements are stored as DLPack type 0 with 16 bits, expected a float"),
    (dict(reward=torch.zeros(N, T, dtype=torch.int32)), r"reward: stored as i32, a real takes f32"),
    (dict(value=torch.zeros(N, T, dtype=torch.float64)),
     r"no code for reward:f32 value:f64 terminated:i8"),
    (dict(gamma="high"), r"gamma: expected a number, got <class 'str'>"),
    (dict(out=torch.zeros(N, T)), r"out: expected a tuple of 2 arrays"),
    (dict(value=[1.0]), r"value: expected an array of NumPy, PyTorch, JAX .* got <class 'list'>"),
]


@pytest.mark.parametrize("changes, message", TYPES)
def test_types(changes, message, device):
    with pytest.raises(TypeError, match=message):
        gae(device, **changes)


def test_missing():
    with pytest.raises(TypeError, match="terminated"):
        rlscan.gae(torch.zeros(N, T), torch.zeros(N, T))
    with pytest.raises(TypeError):
        gae(value=None)


def test_overlap(device):
    x = torch.zeros(N, T, device=device)
    with pytest.raises(ValueError, match="advantage.*reward|reward.*advantage"):
        gae(device, reward=x, out=(x, torch.zeros_like(x)))
    row = torch.zeros(1, T, device=device)
    with pytest.raises(ValueError, match="advantage"):
        gae(device, out=(row.expand(N, T), torch.zeros_like(x)))


def test_overlap_of_batches(device):
    """Rows in two dimensions, of which a result has one twice."""
    x = torch.zeros(2, T, N, device=device)
    result = torch.zeros(1, T, N, device=device).expand(2, T, N)
    with pytest.raises(ValueError, match="state: its elements share memory"):
        rlscan.linear_scan_forward(x, x, time_dim=1, out=result)


def test_nothing_is_written(device):
    out = torch.full((N, T), 3.0, device=device), torch.full((N, T), 3.0, device=device)
    with pytest.raises(ValueError):
        gae(device, value=torch.zeros(N, T - 1), out=out)
    assert all(bool((x == 3).all()) for x in out)


def test_read_only_results():
    x = np.zeros((N, T), np.float32)
    result = np.zeros((N, T), np.float32)
    result.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        rlscan.linear_scan_forward(x, x, out=result)


@pytest.mark.cuda
def test_devices():
    reward = torch.zeros(N, T, device="cuda")
    with pytest.raises(ValueError, match=r"value: on cpu, expected cuda:0, where reward is"):
        rlscan.gae(reward, torch.zeros(N, T), reward > 0)
    with pytest.raises(ValueError, match=r"last_value: on cpu, expected cuda:0"):
        rlscan.gae(reward, reward, reward > 0, last_value=torch.zeros(N))
