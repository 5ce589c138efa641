"""Options and fixtures of the tests of the Python package."""

import pytest


def pytest_addoption(parser):
    parser.addoption("--device", default="cpu", help="cpu or cuda: where PyTorch's tensors are")


@pytest.fixture
def device(request):
    return request.config.getoption("--device")


@pytest.fixture
def place(device):
    """The device of JAX that stands for --device."""
    jax = pytest.importorskip("jax")
    try:
        return jax.devices("gpu" if device == "cuda" else device)[0]
    except RuntimeError:
        pytest.skip(f"JAX has no {device}")


def pytest_collection_modifyitems(config, items):
    if config.getoption("--device") != "cpu":
        return
    skip = pytest.mark.skip(reason="needs --device=cuda")
    for item in items:
        if "cuda" in item.keywords:
            item.add_marker(skip)


def pytest_configure(config):
    config.addinivalue_line("markers", "cuda: needs a GPU")
