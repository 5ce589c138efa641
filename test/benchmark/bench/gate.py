"""Nothing is timed that does not compute the same: peers against the float64 reference."""

import torch

from bench import reference

TOLERANCE = 1e-4  # absolute and relative
STORED = {"f32": 0.0, "bf16": 2.0 ** -8}  # what a result loses when it is stored, relative


class Mismatch(Exception):
    """A peer computes something else."""


def expected(case, inputs):
    """The right results of a case, where the inputs are."""
    device = next(iter(inputs.values())).device
    return [torch.from_numpy(y.copy()).to(device) for y in reference.expected(case, inputs)]


def check(case, results, right):
    """The largest error beside what is allowed, at most 1; else Mismatch."""
    worst = 0.0
    for place, (found, y) in enumerate(zip(results, right)):
        if tuple(found.shape) != tuple(y.shape):
            raise Mismatch(f"result {place} has shape {list(found.shape)}, "
                           f"expected {list(y.shape)}")
        allowed = TOLERANCE + (TOLERANCE + STORED[case.reals]) * y.abs()
        ratio = (found.double() - y).abs_().div_(allowed)
        wrong = int((~(ratio <= 1)).sum())
        if wrong:
            at = int(torch.nan_to_num(ratio, nan=torch.inf).argmax())
            raise Mismatch(f"{wrong} of {y.numel()} elements of result {place} are wrong: "
                           f"{found.reshape(-1)[at].item():.7g} at row {at // y.shape[1]}, step "
                           f"{at % y.shape[1]}, expected {y.reshape(-1)[at].item():.7g}")
        worst = max(worst, float(ratio.max()) if y.numel() else 0.0)
    return worst
