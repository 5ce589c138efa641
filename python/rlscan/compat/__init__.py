"""Functions with the arguments, the timing of flags and the results of other
projects' own: one module a project, which imports nothing of it.

    from rlscan.compat.cleanrl import compute_gae
"""

import importlib

__all__ = ["cleanrl", "rlax", "rsl_rl", "sb3", "skrl", "torchrl", "verl"]


def __getattr__(name):
    if name in __all__:
        return importlib.import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
