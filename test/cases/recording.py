"""What the recorders of libraries.json share: random inputs, and a list of cases."""

import importlib.metadata
import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import make  # noqa: E402

N, T, A = 4, 9, 3
GAMMA, LAMBDA = 0.875, 0.75
random = np.random.default_rng(20)
CASES = []


def normal(*shape):
    return random.integers(-100, 101, shape) / 32


def flags(chance=0.25, steps=T):
    """Also one at a last step."""
    set_ = random.random((N, steps)) < chance
    set_[1, -1] = True
    return set_


def probabilities(*shape):
    cuts = np.sort(random.integers(1, 32, (*shape, A - 1)), axis=-1)
    return np.diff(cuts, axis=-1, prepend=0, append=32) / 32


def taken(x, action):
    return np.take_along_axis(x, action[..., None], axis=-1)[..., 0]


def name_of(recipe, package, function):
    """Of a case; what is asked again has a number."""
    name = f"{recipe}-{package}-{function}"
    again = sum(case["id"].startswith(name) for case in CASES)
    return f"{name}-{again + 1}" if again else name


def add(package, function, recipe, params, inputs, **expected):
    version = importlib.metadata.version(package)
    CASES.append({
        "id": name_of(recipe, package, function), "recipe": recipe,
        "note": f"{package} {version}, {function}",
        "params": {key: make.plain(x) for key, x in params.items()},
        "inputs": {key: make.plain(np.asarray(x)) for key, x in inputs.items()},
        "expected": {key: make.plain(np.asarray(x, dtype=np.float64))
                     for key, x in expected.items()},
        "tolerance": {"rtol": 1e-5, "atol": 2e-5}})


def tensors(*arrays):
    import torch
    return [torch.tensor(np.ascontiguousarray(x)) for x in arrays]


def log_probabilities(logits, action):
    import torch
    logp = torch.log_softmax(torch.as_tensor(logits), dim=-1).detach().numpy()
    return taken(logp, action)


def weight_of(logits, action, loss):
    """What a loss that is -(weight * log pi(action)) has as weight at each step."""
    loss.backward()
    rest = 1 - np.exp(log_probabilities(logits, action))
    return -taken(logits.grad.numpy(), action) / rest
