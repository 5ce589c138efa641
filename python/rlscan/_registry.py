"""Compiled estimators, known to the C++ side by number."""

import dataclasses
import os
import sys

from rlscan import _core, _route
from rlscan._signature import Signature

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "lib")


@dataclasses.dataclass(frozen=True)
class Estimator:
    signature: Signature
    slot: int


def register(signature, libraries):
    """Libraries: (path, symbol, is_for_devices), paths in the package or absolute."""
    libraries = [(os.path.join(FOLDER, path), symbol, is_for_devices)
                 for path, symbol, is_for_devices in libraries]
    slot = _core.register(signature.name, signature.names, signature.zero_if_absent,
                          libraries)
    estimator = Estimator(signature, slot)
    _route.registry[signature.name] = estimator
    if _route.torch is not None:
        from rlscan import _torch
        _torch.register(estimator)
    return estimator


def _empty_like(like, sizes, strides):
    """An array of the same library and type, its elements as strides say."""
    torch = sys.modules.get("torch")
    if torch is not None and isinstance(like, torch.Tensor):
        return torch.empty_strided(sizes, strides, dtype=like.dtype, device=like.device)
    numpy = sys.modules.get("numpy")
    if numpy is not None and isinstance(like, numpy.ndarray):
        order = sorted(range(len(sizes)), key=lambda dim: -strides[dim])
        dense = numpy.empty([sizes[dim] for dim in order], dtype=like.dtype)
        return dense.transpose([order.index(dim) for dim in range(len(sizes))])
    raise TypeError(f"give out=: rlscan cannot make arrays of {type(like).__module__}")


def _zero_bytes(like, count, on_host):
    import torch
    return torch.zeros(count, dtype=torch.uint8, device="cpu" if on_host else like.device)


_core.set_allocators(_empty_like, _zero_bytes)
