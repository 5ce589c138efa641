"""The estimators for JAX: rlscan.jax.gae(...) under jit, vmap and stop_gradient.

The same functions as rlscan's, on the CPU and CUDA, by XLA's foreign functions:
no callback to Python. Results are targets: no gradient flows through them.
"""

import functools

import jax
import jax.numpy as jnp
import numpy as np

from rlscan import _core, _route
from rlscan._signature import shape_and_type

_handled = set()


def is_array(x):
    return isinstance(x, jax.Array) or hasattr(x, "aval")


def _register(estimator):
    """Tells XLA of an estimator, once: under its name and number, which are never
    given twice."""
    target = f"rlscan_{estimator.signature.name}_{estimator.slot}"
    if target not in _handled:
        for platform, is_for_devices in (("cpu", False), ("CUDA", True)):
            handler = _core.jax_handler(estimator.slot, is_for_devices)
            jax.ffi.register_ffi_target(target, handler, platform=platform)
        _handled.add(target)
    return target


def _attribute(a, value):
    if a.element == "real":
        return np.float64(value)
    return np.int64(value)


def call(estimator, time_dim, out, inputs):
    """Inputs in the order of the recipe, None where one is left out."""
    signature = estimator.signature
    if out is not None:
        raise TypeError("out: JAX's arrays are never written to")
    given = [(a, jnp.asarray(x)) for a, x in zip(signature.inputs, inputs)
             if not a.is_param and x is not None]
    _, shape, typed = shape_and_type(signature, given, time_dim)
    attributes = {a.name: _attribute(a, x) for a, x in zip(signature.inputs, inputs)
                  if a.is_param}
    # Counted from the end: vmap adds dimensions in front.
    attributes["time_dim"] = np.int64(time_dim if time_dim < 0 else time_dim - len(shape))
    names = [a.name for a, _ in given]
    attributes["present"] = np.int64(sum(
        1 << place for place, a in enumerate(signature.arguments) if a.name in names))
    result = jax.ShapeDtypeStruct(shape, typed.dtype)
    function = jax.ffi.ffi_call(_register(estimator), [result] * len(signature.results),
                                vmap_method="broadcast_all")
    made = function(*(jax.lax.stop_gradient(x) for _, x in given), **attributes)
    made = tuple(jax.lax.stop_gradient(x) for x in made)
    return made[0] if len(made) == 1 else made


def _function(estimator):
    plain = _route.function_of(estimator.signature.name)

    @functools.wraps(plain)
    def function(*arguments, **keywords):
        arrays = [a.name for a in estimator.signature.arrays]
        given = {a.name: a.default for a in estimator.signature.params}
        given.update(zip(arrays, arguments))
        given.update(keywords)
        time_dim, out = given.pop("time_dim", -1), given.pop("out", None)
        for a in estimator.signature.inputs:
            if a.name not in given and not a.is_optional:
                raise TypeError(f"{function.__name__}() missing input {a.name!r}")
        for name in given:
            if name not in estimator.signature.names:
                raise TypeError(f"{function.__name__}() has no input {name!r}")
        return call(estimator, time_dim, out,
                    [given.get(a.name) for a in estimator.signature.inputs])
    return function


def __getattr__(name):
    if name not in _route.registry:
        raise AttributeError(f"module 'rlscan.jax' has no attribute {name!r}")
    return _function(_route.registry[name])


def __dir__():
    return list(_route.registry)
