"""Loops over time, of PyTorch's and of NumPy's operations; coefficients first, all at once."""

import numpy as np
import torch

from bench import formulas
from peers import Peer, Prepared


def torch_scan(alpha, beta, init, forward=False):
    steps = alpha.shape[1]
    carry = torch.zeros_like(alpha[:, 0]) if init is None else init
    columns = [None] * steps
    for t in range(steps) if forward else reversed(range(steps)):
        columns[t] = carry = torch.addcmul(alpha[:, t], beta[:, t], carry)
    return torch.stack(columns, 1)


def numpy_scan(alpha, beta, init, forward=False):
    """Time-major, so that a step is one piece of memory."""
    alpha, beta = np.ascontiguousarray(alpha.T), np.ascontiguousarray(beta.T)
    steps = len(alpha)
    carry = np.zeros_like(alpha[0]) if init is None else init
    result = np.empty_like(alpha)
    for t in range(steps) if forward else reversed(range(steps)):
        carry = np.multiply(beta[t], carry, out=result[t])
        carry += alpha[t]
    return result.T


class TorchLoop(Peer):
    name, label, every_case = "torch-loop", "torch loop", False
    most_steps = {"cuda": 512, "cpu": 2048}  # launches of the device; seconds of the CPU

    def takes(self, case, device):
        return case.reals == "f32" and case.steps <= self.most_steps[device]

    def prepare(self, case, sets, device):
        formula = getattr(formulas, case.estimator)
        return Prepared(lambda x: formula(torch, x, torch_scan), sets)


class NumpyLoop(Peer):
    name, label = "numpy-loop", "numpy loop"

    def takes(self, case, device):
        return (device == "cpu" and case.reals == "f32" and case.steps <= 65536
                and case.rows * case.steps <= 1 << 22)  # seconds a call

    def prepare(self, case, sets, device):
        formula = getattr(formulas, case.estimator)
        sets = [{k: x.numpy() for k, x in inputs.items()} for inputs in sets]

        def call(x):
            with np.errstate(over="ignore"):
                return formula(np, x, numpy_scan)

        return Prepared(call, sets, as_torch=lambda x: torch.from_numpy(np.ascontiguousarray(x)))
