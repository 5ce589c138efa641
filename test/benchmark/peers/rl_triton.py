"""rl-triton itself, from a checkout: --rl-triton PATH. Calls as its documentation has them."""

import os
import sys

import torch

from bench.estimators import GAMMA, LAMBDA
from peers import Peer, Prepared


def _with_last(x):
    """Its bootstrap values: at truncated steps, and after the window in the last column."""
    values = x["bootstrap"].clone() if "bootstrap" in x else torch.zeros_like(x["reward"])
    cut = x["truncated"][:, -1] != 0 if "truncated" in x else torch.zeros_like(values[:, -1]) != 0
    values[:, -1] = torch.where(cut, values[:, -1], x["last_value"])
    return values


def _convert(case, x):
    """The arrays that its functions take, made before anything is timed."""
    x = dict(x)
    if case.estimator in ("td_lambda", "discounted_return") or "truncated" in x:
        if "last_value" in x:
            x["boundary"] = _with_last(x)
    if case.estimator == "retrace" and "truncated" not in x:
        x["truncated"] = torch.zeros_like(x["terminated"])
    return x


def _gae(m, x):
    if "truncated" in x:
        return m.compute_gae(x["reward"], x["value"], x["terminated"], x["truncated"], GAMMA,
                             LAMBDA, bootstrap_values=x["boundary"])
    return m.compute_gae(x["reward"], x["value"], x["terminated"], None, GAMMA, LAMBDA,
                         last_value=x["last_value"])


def _vtrace(m, x):
    inputs = [x[k] for k in ("target_logp", "behavior_logp", "value", "reward", "terminated")]
    if "truncated" in x:
        return m.compute_vtrace(*inputs, x["truncated"], GAMMA, bootstrap_values=x["boundary"])
    return m.compute_vtrace(*inputs, None, GAMMA, last_value=x["last_value"])


def _retrace(m, x):
    return m.compute_retrace(*(x[k] for k in (
        "target_prob", "behavior_prob", "q", "next_q", "action", "reward", "terminated",
        "truncated")), GAMMA)


def _td_lambda(m, x):
    return m.compute_lambda_returns(
        x["reward"], x["next_value"], x["terminated"], x.get("truncated"), gamma=GAMMA,
        lambda_=LAMBDA, bootstrap_values=x["boundary"])


def _discounted_return(m, x):
    return m.compute_discounted_returns(x["reward"], x["terminated"], x.get("truncated"),
                                        gamma=GAMMA, bootstrap_values=x["boundary"])


def _eligibility_trace(m, x):
    return m.compute_eligibility_traces(x["x"], x["done"], gamma=GAMMA, lambda_=LAMBDA,
                                        seed_values=x["seed"])


def _episodic_prefix_sum(m, x):
    return m.compute_episodic_prefix_sum(x["x"], x["done"], x["seed"])


class RLTriton(Peer):
    name, label, needs = "rl-triton", "rl-triton", ("rl_triton",)

    def __init__(self, path):
        self.path = path

    def missing(self, device):
        if device != "cuda":
            return "no code for the CPU"
        if self.path is None:
            return "no checkout: --rl-triton PATH"
        for folder in (os.path.join(self.path, "src"), self.path):
            if os.path.isdir(os.path.join(folder, "rl_triton")) and folder not in sys.path:
                sys.path.insert(0, folder)
        return super().missing(device)

    def takes(self, case, device):
        # Blocks up to 131072, which take minutes to compile; beyond, backward recurrences
        # have another path, forward ones none.
        forward = case.estimator in ("eligibility_trace", "episodic_prefix_sum")
        fits = case.steps <= (65536 if case.estimator == "gae" else 32768)
        return ((case.reals, case.flags) == ("f32", "f32")
                and (fits or case.steps > 131072 and not forward))

    def prepare(self, case, sets, device):
        import rl_triton
        function = globals()["_" + case.estimator]

        def call(x):
            results = function(rl_triton, x)
            return results if isinstance(results, tuple) else (results,)

        note = "advantage alone, without target" if case.estimator == "gae" else ""
        return Prepared(call, [_convert(case, x) for x in sets], note=note)
