"""The estimators' inputs and results, and random inputs of a case.

Inputs are logical arrays [N, T]; with the order `tn` a row's steps are N apart in
memory. No step is both terminated and truncated, and `bootstrap` is 0 where nothing is
cut off, which some peers ask for.
"""

import math

import torch

INPUTS = {
    "gae": ("reward", "value", "terminated", "truncated", "bootstrap", "last_value"),
    "vtrace": ("target_logp", "behavior_logp", "value", "reward", "terminated", "truncated",
               "bootstrap", "last_value"),
    "retrace": ("target_prob", "behavior_prob", "q", "next_q", "action", "reward", "terminated",
                "truncated"),
    "td_lambda": ("reward", "next_value", "terminated", "truncated", "bootstrap", "last_value"),
    "discounted_return": ("reward", "terminated", "truncated", "bootstrap", "last_value"),
    "eligibility_trace": ("x", "done", "seed"),
    "episodic_prefix_sum": ("x", "done", "seed"),
}
RESULTS = {
    "gae": ("advantage", "target"),
    "vtrace": ("target", "advantage"),
    "retrace": ("target", "advantage"),
    "td_lambda": ("target",),
    "discounted_return": ("target",),
    "eligibility_trace": ("trace",),
    "episodic_prefix_sum": ("total",),
}
# The numbers that all are called with: rlscan's defaults. Retrace as published, which
# takes no value after the window for its advantages.
GAMMA, LAMBDA = 0.99, 0.95
PARAMS = {"retrace": {"bootstrap_advantage": False}}

FLAGS = ("terminated", "truncated", "done")
ROWS, AXES = ("last_value", "seed"), ("target_prob", "next_q")
SIZES = {"f32": 4, "bf16": 2, "u8": 1}
DTYPES = {"f32": torch.float32, "bf16": torch.bfloat16, "u8": torch.uint8}
END_RATE = 0.01  # of either kind


def inputs_of(case):
    names = INPUTS[case.estimator]
    return names if case.truncation else [n for n in names if n not in ("truncated", "bootstrap")]


def bytes_of(case):
    """Bytes that are read, and written, where each array is touched once."""
    steps, read = case.rows * case.steps, 0
    for name in inputs_of(case):
        if name in FLAGS:
            read += steps * SIZES[case.flags]
        elif name == "action":
            read += steps * 8
        else:
            count = case.rows if name in ROWS else steps * (case.actions if name in AXES else 1)
            read += count * SIZES[case.reals]
    return read, steps * SIZES[case.reals] * len(RESULTS[case.estimator])


class _Random:
    def __init__(self, case, sets, device):
        self.case, self.sets, self.device = case, sets, device
        self.generator = torch.Generator(device).manual_seed(case.rows * 31 + case.steps)
        order = (case.rows, case.steps) if case.order == "nt" else (case.steps, case.rows)
        self.shape = (sets, *order)

    def normal(self, *shape):
        return torch.randn(*shape, generator=self.generator, device=self.device)

    def uniform(self, *shape):
        return torch.rand(*shape, generator=self.generator, device=self.device)

    def array(self, name, drawn):
        case, reals = self.case, DTYPES[self.case.reals]
        if name in FLAGS:
            place = drawn["ends"] - (END_RATE if name == "truncated" else 0)
            return ((place >= 0) & (place < END_RATE)).to(DTYPES[case.flags])
        if name == "action":
            return torch.randint(0, case.actions, self.shape, generator=self.generator,
                                 device=self.device)
        if name in ROWS:
            return self.normal(self.sets, case.rows).to(reals)
        if name == "target_prob":
            x = self.uniform(*self.shape, case.actions) + 0.1
            return x.div_(x.sum(-1, keepdim=True)).to(reals)
        if name == "next_q":
            return self.normal(*self.shape, case.actions).to(reals)
        if name == "behavior_prob":
            return self.uniform(*self.shape).mul_(0.9).add_(0.1).to(reals)
        if name == "behavior_logp":
            return (drawn["target_logp"] + 0.3 * self.normal(*self.shape)).to(reals)
        x = self.normal(*self.shape)
        if name == "target_logp":
            return x.abs_().neg_().to(reals)
        return (x * (drawn["truncated"] != 0) if name == "bootstrap" else x).to(reals)


def draw(case, sets, device):
    """Random inputs of that many calls: dictionaries of arrays [N, T], [N] or [N, T, A]."""
    random = _Random(case, sets, device)
    drawn = {"ends": random.uniform(*random.shape)}
    for name in inputs_of(case):
        drawn[name] = random.array(name, drawn)
    del drawn["ends"]
    if case.estimator == "td_lambda":  # the same value twice, as some peers have it once
        last = drawn["next_value"].select(2 if case.order == "nt" else 1, -1)
        last.copy_(drawn["last_value"])
    if case.order == "tn":
        drawn = {k: x if k in ROWS else x.transpose(1, 2) for k, x in drawn.items()}
    return [{k: x[i] for k, x in drawn.items()} for i in range(sets)]


def sets_for(case, past):
    """How many inputs exceed `past` bytes together, two or more where that is not 0."""
    return max(2, min(512, math.ceil(past / sum(bytes_of(case))))) if past else 1
