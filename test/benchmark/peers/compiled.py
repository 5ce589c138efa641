"""torch.compile of a scan that doubles its reach log2(T) times, in linear space.

After k rounds alpha[t] and beta[t] are those of 2^k steps from t on: that of t, then
that of the step that is 2^k further.
"""

import torch
from torch.nn import functional

from bench import formulas
from peers import Peer, Prepared


def doubling_scan(alpha, beta, init, forward=False):
    steps = alpha.shape[1]
    if init is not None:
        edge = slice(0, 1) if forward else slice(steps - 1, steps)
        seeded = alpha[:, edge] + beta[:, edge] * init[:, None]
        rest = alpha[:, 1:] if forward else alpha[:, :-1]
        alpha = torch.cat([seeded, rest] if forward else [rest, seeded], 1)
    reach = 1
    while reach < steps:
        if forward:
            far = [functional.pad(x[:, :-reach], (reach, 0)) for x in (alpha, beta)]
        else:
            far = [functional.pad(x[:, reach:], (0, reach)) for x in (alpha, beta)]
        alpha = alpha + beta * far[0]
        beta = beta * far[1]
        reach *= 2
    return alpha


class TorchCompile(Peer):
    name, label, every_case = "torch-compile", "torch.compile", False

    def takes(self, case, device):
        return case.reals == "f32" and case.steps <= 131072

    def prepare(self, case, sets, device):
        formula = getattr(formulas, case.estimator)
        torch._dynamo.reset()  # each case is compiled for its own shape
        compiled = torch.compile(lambda x: formula(torch, x, doubling_scan), dynamic=False)
        compiled(sets[0])
        return Prepared(compiled, sets)
