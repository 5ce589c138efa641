"""rlscan's Python package, as a trainer calls it."""

import rlscan
from bench.estimators import GAMMA, LAMBDA, PARAMS
from peers import Peer, Prepared

TAKES_LAMBDA = ("gae", "td_lambda", "eligibility_trace")


class RLScan(Peer):
    name, label = "rlscan", "rlscan"

    def prepare(self, case, sets, device):
        params = dict(PARAMS.get(case.estimator, {}))
        if case.estimator != "episodic_prefix_sum":
            params["gamma"] = GAMMA
        if case.estimator in TAKES_LAMBDA:
            params["lam"] = LAMBDA
        function = getattr(rlscan, case.estimator)

        def call(x):
            results = function(**x, **params)
            return results if isinstance(results, tuple) else (results,)

        def into(x, out):
            function(**x, **params, out=out if len(out) > 1 else out[0])

        return Prepared(call, sets, into=into, note=self.kernel(case, sets[0], params))

    def kernel(self, case, inputs, params):
        """Which code the call runs."""
        found = rlscan.explain(case.estimator, **inputs, **params)
        return found["kernel"] or found["variant"]
