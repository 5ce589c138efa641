"""TorchRL's vectorised functional, where it is installed."""

import torch

from bench.estimators import GAMMA, LAMBDA
from peers import Peer, Prepared


class TorchRL(Peer):
    name, label, every_case = "torchrl", "TorchRL", False
    needs = ("torchrl.objectives.value.functional",)

    def takes(self, case, device):
        return (case.estimator in ("gae", "td_lambda") and case.reals == "f32"
                and not case.truncation and case.steps <= (4096 if device == "cuda" else 512))

    def prepare(self, case, sets, device):
        from torchrl.objectives.value import functional
        function = getattr(functional, {
            "gae": "vec_generalized_advantage_estimate",
            "td_lambda": "vec_td_lambda_return_estimate"}[case.estimator])

        def convert(x):
            """[N, T, 1], flags of bool, the next values as an array of their own."""
            x = dict(x)
            if case.estimator == "gae":
                x["next_value"] = torch.cat([x["value"][:, 1:], x["last_value"][:, None]], 1)
            else:  # the window is continued by the last next value
                x["next_value"] = x["next_value"].clone()
                x["next_value"][:, -1] = x["last_value"]
            x["terminated"] = x["terminated"] != 0
            return {k: y.unsqueeze(-1) for k, y in x.items() if y.dim() == 2}

        def gae(x):
            return function(GAMMA, LAMBDA, x["value"], x["next_value"], x["reward"],
                            x["terminated"], x["terminated"])

        def td_lambda(x):
            return (function(GAMMA, LAMBDA, x["next_value"], x["reward"], x["terminated"],
                             x["terminated"]),)

        # Its sums are convolutions, which TF32 would round; and it copies numbers to the
        # host, so that a graph cannot capture it, and an attempt spoils the next case.
        torch.backends.cudnn.allow_tf32 = False
        wait = None if device == "cpu" else lambda results: torch.cuda.synchronize()
        return Prepared(gae if case.estimator == "gae" else td_lambda,
                        [convert(x) for x in sets], as_torch=lambda x: x.squeeze(-1), wait=wait,
                        note="next values are given, as an array")
