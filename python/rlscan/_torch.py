"""The operators torch.ops.rlscan: registered in C++, their types here."""

import os

import torch

from rlscan import _core
from rlscan._signature import schemas, shape_and_type

_registered = set()


def refuse_gradients(signature, inputs):
    """Inputs in the order of the recipe."""
    for argument, x in zip(signature.inputs, inputs):
        if isinstance(x, torch.Tensor) and x.requires_grad:
            raise RuntimeError(
                f"{argument.name}: requires a gradient, but no gradient flows through "
                f"{signature.name}: its results are targets. Call it under "
                f"torch.no_grad(), or give {argument.name}.detach()")


def dense_strides(sizes, strides):
    """Of results: dense, in the order in memory of the input they are like. As
    Call::orderResult() in python/src/Call.cpp."""
    order = list(range(len(sizes)))
    if not any(n > 1 and s <= 0 for n, s in zip(sizes, strides)):
        for i in range(1, len(order)):
            for j in range(i, 0, -1):
                a, b = order[j - 1], order[j]
                if sizes[a] == 1 or sizes[b] == 1 or strides[a] >= strides[b]:
                    break
                order[j - 1], order[j] = b, a
    result, stride = [0] * len(order), 1
    for dim in reversed(order):
        result[dim] = stride
        stride = stride * sizes[dim] if sizes[dim] > 1 else stride
    return result


def _in_recipe_order(signature, arrays):
    given = dict(zip((a.name for a in signature.arrays), arrays))
    return [(a, given[a.name]) for a in signature.inputs if not a.is_param]


def _check_fake(shaped, arrays):
    """The mistakes that a trace can see; the kernel sees them all."""
    for argument, x in arrays:
        if x.device != shaped.device:
            raise ValueError(f"{argument.name}: on {x.device}, expected {shaped.device}")


def _fake(signature):
    def fake(*arrays, time_dim=-1, **params):
        arrays = list(arrays) + [None] * (len(signature.arrays) - len(arrays))
        given = [(a, x) for a, x in _in_recipe_order(signature, arrays) if x is not None]
        shaped, sizes, typed = shape_and_type(signature, given, time_dim)
        _check_fake(shaped, given)
        strides = dense_strides(sizes, shaped.stride())
        made = [torch.empty_strided(sizes, strides, dtype=typed.dtype, device=shaped.device)
                for _ in signature.results]
        return made[0] if len(made) == 1 else tuple(made)
    return fake


def _refuse_backward(signature):
    def setup_context(ctx, inputs, keyword_only_inputs, output):
        by_name = dict(zip((a.name for a in signature.arrays), inputs))
        refuse_gradients(signature, [by_name.get(a.name) for a in signature.inputs])

    def backward(ctx, *gradients):
        raise RuntimeError(f"no gradient flows through {signature.name}")
    return backward, setup_context


def register(estimator):
    """Once an estimator; needs PyTorch 2.9 or later."""
    signature = estimator.signature
    if signature.name in _registered:
        return
    folder = os.path.join(os.path.dirname(torch.__file__), "lib")
    _core.define_torch_op(estimator.slot, folder, signature.name, *schemas(signature))
    _registered.add(signature.name)
    torch.library.register_fake(f"rlscan::{signature.name}")(_fake(signature))
    torch.library.register_fake(f"rlscan::{signature.name}_out")(lambda *a, **k: None)
    backward, setup_context = _refuse_backward(signature)
    torch.library.register_autograd(f"rlscan::{signature.name}", backward,
                                    setup_context=setup_context)


def call(signature, time_dim, out, inputs):
    """Through PyTorch's dispatcher; inputs in the order of the recipe."""
    given = dict(zip((a.name for a in signature.inputs), inputs))
    arrays = [given[a.name] for a in signature.arrays]
    keywords = {a.name: given[a.name] for a in signature.params}
    operators = torch.ops.rlscan
    if out is None:
        return getattr(operators, signature.name)(*arrays, time_dim=time_dim, **keywords)
    outs = out if isinstance(out, (tuple, list)) else (out,)
    keywords.update({f"out_{a.name}": x for a, x in zip(signature.results, outs)})
    getattr(operators, signature.name + "_out")(*arrays, time_dim=time_dim, **keywords)
    return out
