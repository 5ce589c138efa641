"""numba: the loop over time in machine code, rows on all threads, where it is installed."""

import numpy as np
import torch

from bench.estimators import RESULTS
from peers import Peer, Prepared


class NumbaLoop(Peer):
    name, label, needs = "numba", "numba", ("numba",)

    def takes(self, case, device):
        return (device == "cpu" and case.reals == "f32" and not case.truncation
                and case.estimator != "retrace")

    def prepare(self, case, sets, device):
        from peers import numba_kernels
        loop = getattr(numba_kernels, case.estimator)
        sets = [{k: x.numpy() for k, x in inputs.items()} for inputs in sets]
        count = len(RESULTS[case.estimator])

        def call(x):
            out = tuple(np.empty_like(next(iter(x.values()))) for _ in range(count))
            loop(*x.values(), *out)
            return out

        return Prepared(call, sets, into=lambda x, out: loop(*x.values(), *out),
                        as_torch=torch.from_numpy)
