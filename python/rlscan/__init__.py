"""rlscan: the estimators of reinforcement learning on the arrays you have.

    advantage, target = rlscan.gae(reward, value, terminated, last_value=last_value)

Arrays of NumPy, PyTorch (CPU and CUDA) and JAX, [N, T] or with time_dim=0
[T, N], float32, float64, bfloat16 and float16, any strides. docs/python.md is
the guide.
"""

from rlscan import _route
from rlscan._core import version as __version__
from rlscan._explain import explain, prepare
from rlscan._load import CompileError, load
from rlscan._recipes import *  # noqa: F401,F403 the functions of the recipes
from rlscan._recipes import __all__ as _names

__all__ = [*_names, "CompileError", "explain", "load", "prepare"]

_route.watch_for_torch()


def __getattr__(name):
    if name in ("jax", "compat"):
        import importlib
        return importlib.import_module(f"rlscan.{name}")
    raise AttributeError(f"module 'rlscan' has no attribute {name!r}")
