"""Which way a call goes: straight to the compiled code, or through the array
library that has to see it (PyTorch while it traces, JAX always)."""

import importlib.abc
import importlib.util
import sys
import warnings

torch = None  # once it is imported
is_compiling = bool  # PyTorch's own from then on: whether it traces this call
registry = {}  # name: Estimator, in the order of their numbers


def function_of(name):
    import rlscan
    return getattr(rlscan, name)


def other(name, time_dim, out, *inputs):
    """A call whose inputs are not plain arrays of NumPy's or PyTorch's."""
    estimator = registry[name]
    arrays = [x for x, a in zip(inputs, estimator.signature.inputs)
              if not a.is_param and x is not None]
    if torch is not None and any(isinstance(x, torch.Tensor) for x in arrays):
        return _through_torch(estimator, time_dim, out, inputs)
    if "jax" in sys.modules:
        from rlscan import jax as rlscan_jax
        if any(rlscan_jax.is_array(x) for x in arrays):
            return rlscan_jax.call(estimator, time_dim, out, inputs)
    kinds = sorted({f"{type(x).__module__}.{type(x).__name__}" for x in arrays})
    raise TypeError(f"{name}: no way to compute with arrays of {', '.join(kinds)}")


def _through_torch(estimator, time_dim, out, inputs):
    from rlscan import _torch
    if torch.is_grad_enabled():
        _torch.refuse_gradients(estimator.signature, inputs)
    inputs = [x.detach() if isinstance(x, torch.Tensor) and x.requires_grad else x
              for x in inputs]
    from rlscan import _core
    result = _core.call(estimator.slot, time_dim, out, *inputs)
    if result is NotImplemented:
        return _torch.call(estimator.signature, time_dim, out, inputs)
    return result


class _AfterTorch(importlib.abc.MetaPathFinder):
    """Registers the operators when PyTorch is imported after rlscan."""

    def find_spec(self, fullname, path, target=None):
        if fullname != "torch":
            return None
        sys.meta_path.remove(self)
        spec = importlib.util.find_spec("torch")
        if spec is None or spec.loader is None:
            return None
        execute = spec.loader.exec_module

        def exec_module(module):
            execute(module)
            connect_torch()

        spec.loader.exec_module = exec_module
        return spec


def connect_torch():
    """Registers what there is so far with PyTorch, once it is there."""
    global torch, is_compiling
    import torch as imported
    from rlscan import _core, _torch
    torch = imported
    is_compiling = imported.compiler.is_compiling
    count_modes = getattr(imported._C, "_len_torch_dispatch_stack", int)
    _core.set_tensor_type(imported.Tensor, count_modes)
    try:
        for estimator in registry.values():
            _torch.register(estimator)
    except RuntimeError as error:
        warnings.warn(f"rlscan: no operators for PyTorch, tensors are taken all the same: {error}")


def watch_for_torch():
    if hasattr(sys.modules.get("torch"), "compiler"):
        connect_torch()
    else:
        sys.meta_path.insert(0, _AfterTorch())
