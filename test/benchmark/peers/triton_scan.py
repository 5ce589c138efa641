"""A fused Triton kernel an estimator on tl.associative_scan, one program a row.

Written from the published description of such kernels; the number of warps is the
fastest one for the case. Rows are contiguous: other orders are copied first, within
the call, as such kernels' wrappers do.
"""

import math

import torch

from bench import estimators, timing
from bench.estimators import GAMMA, LAMBDA
from peers import Peer, Prepared

WARPS = (1, 2, 4, 8, 16, 32)
# A block's elements. One of 131072 takes half a minute to compile, one of 65536 seven seconds.
MOST = {"gae": 65536}
MOST_OF_OTHERS = 32768


def _padded(size):
    return 1 << (size - 1).bit_length()


def warps_for(elements):
    """Numbers of warps worth trying: two to eight elements a thread, fewer where the
    block is short, more where it is long."""
    fit = [w for w in WARPS if 2 <= elements / (32 * w) <= 8]
    return fit or ([1] if elements < 64 else [32])


class TritonScan(Peer):
    name, label, needs = "triton", "Triton", ("triton",)

    def missing(self, device):
        if device != "cuda" and not timing.triton_is_interpreted():
            return "Triton has no code for the CPU"
        return super().missing(device)

    def takes(self, case, device):
        elements = _padded(case.steps) * _padded(case.actions or 1)
        return elements <= MOST.get(case.estimator, MOST_OF_OTHERS)

    def prepare(self, case, sets, device):
        elements = _padded(case.steps) * _padded(case.actions or 1)
        choices = warps_for(elements)
        if len(choices) > 1 and not timing.triton_is_interpreted():
            calls = {w: (launcher(case, w), sets[:8]) for w in choices}
            times = timing.CudaClock().device(calls, rounds=3, in_a_graph=20)
            choices = [min(choices, key=lambda w: times[w].get("median", math.inf))]
        return Prepared(launcher(case, choices[0]), sets, note=f"{choices[0]} warps")


def launcher(case, warps):
    """A call of the case's kernel: results are allocated, inputs contiguous."""
    from peers import triton_kernels
    block, grid = _padded(case.steps), (case.rows,)
    results = len(estimators.RESULTS[case.estimator])
    forward = {"eligibility_trace": GAMMA * LAMBDA, "episodic_prefix_sum": 1.0}
    if case.estimator in forward:
        kernel, decay = triton_kernels.forward_sum, forward[case.estimator]

        def call(x):
            result = torch.empty((case.rows, case.steps), dtype=x["x"].dtype,
                                 device=x["x"].device)
            kernel[grid](x["x"].contiguous(), x["done"].contiguous(), x["seed"], result,
                         case.steps, decay, BLOCK=block, num_warps=warps)
            return (result,)

        return call
    kernel, names = getattr(triton_kernels, case.estimator), estimators.INPUTS[case.estimator]
    constants = {"TRUNCATION": case.truncation, "BLOCK": block, "num_warps": warps}
    if case.actions:
        constants.update(ACTIONS=case.actions, ENTRIES=_padded(case.actions))

    def call(x):
        reward = x["reward"]
        out = tuple(torch.empty((case.rows, case.steps), dtype=reward.dtype,
                                device=reward.device) for _ in range(results))
        arrays = [x[name].contiguous() if name in x else None for name in names]
        kernel[grid](*arrays, *out, case.steps, GAMMA, LAMBDA, **constants)
        return out

    return call
