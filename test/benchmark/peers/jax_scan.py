"""JAX: jax.lax.associative_scan over (alpha, beta), the whole estimator under jit."""

import os

import torch

from bench import formulas
from peers import Peer, Prepared


class JaxScan(Peer):
    name, label, every_case, needs = "jax", "JAX", False, ("jax",)

    def missing(self, device):
        os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")
        os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")
        why = super().missing(device)
        if why:
            return why
        import jax
        try:
            jax.devices("gpu" if device == "cuda" else "cpu")
        except RuntimeError as error:
            return str(error).splitlines()[0]
        return None

    def takes(self, case, device):
        return (case.reals, case.order) == ("f32", "nt") and case.steps <= 131072

    def prepare(self, case, sets, device):
        import jax
        import jax.numpy as jnp

        def compose(first, second):
            return second[0] + second[1] * first[0], first[1] * second[1]

        def scan(alpha, beta, init, forward=False):
            through, product = jax.lax.associative_scan(compose, (alpha, beta), axis=1,
                                                        reverse=not forward)
            return through if init is None else through + product * init[:, None]

        formula = getattr(formulas, case.estimator)
        jitted = jax.jit(lambda x: formula(jnp, x, scan))
        sets = [{k: jax.dlpack.from_dlpack(x.to(torch.int32) if k == "action" else x)
                 for k, x in inputs.items()} for inputs in sets]
        return Prepared(jitted, sets, as_torch=torch.from_dlpack, wait=jax.block_until_ready)
