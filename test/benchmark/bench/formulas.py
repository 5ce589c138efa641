"""The estimators for array libraries: coefficients, a scan of theirs, what follows it.

What a user writes who has no kernel: array operations around a scan over alpha and
beta. `xp` is torch, numpy or jax.numpy; arrays are [N, T] of float32.
"""

from bench.estimators import GAMMA, LAMBDA


def _following(xp, x, last):
    return xp.concatenate([x[:, 1:], last[:, None]], 1)


def _preceding(xp, x):
    return xp.concatenate([xp.zeros_like(x[:, :1]), x[:, :-1]], 1)


def _next(xp, x, y):
    """y one step on; where an episode is cut, the value that it is continued by."""
    after = _following(xp, y, x["last_value"])
    return xp.where(x["truncated"] != 0, x["bootstrap"], after) if "truncated" in x else after


def _alive(x):
    ends = x["terminated"] + x["truncated"] if "truncated" in x else x["terminated"]
    return 1.0 - ends


def gae(xp, x, scan):
    delta = x["reward"] + GAMMA * (1.0 - x["terminated"]) * _next(xp, x, x["value"]) - x["value"]
    advantage = scan(delta, GAMMA * LAMBDA * _alive(x), None)
    return advantage, advantage + x["value"]


def vtrace(xp, x, scan):
    clipped = xp.clip(xp.exp(x["target_logp"] - x["behavior_logp"]), None, 1.0)
    discount = GAMMA * (1.0 - x["terminated"])
    delta = clipped * (x["reward"] + discount * _next(xp, x, x["value"]) - x["value"])
    target = x["value"] + scan(delta, GAMMA * clipped * _alive(x), None)
    return target, clipped * (x["reward"] + discount * _next(xp, x, target) - x["value"])


def retrace(xp, x, scan):
    along = getattr(xp, "take_along_dim", None) or xp.take_along_axis
    taken = along(x["target_prob"], x["action"][:, :, None], 2)[:, :, 0]
    clipped = xp.clip(taken / x["behavior_prob"], None, 1.0)
    nothing = xp.zeros_like(x["reward"][:, 0])
    discount = GAMMA * (1.0 - x["terminated"])
    delta = x["reward"] + discount * (x["target_prob"] * x["next_q"]).sum(2) - x["q"]
    target = x["q"] + scan(delta, GAMMA * _following(xp, clipped, nothing) * _alive(x), None)
    next_target = _following(xp, target, nothing)
    return target, clipped * (x["reward"] + discount * next_target - x["q"])


def td_lambda(xp, x, scan):
    alpha = x["reward"] + GAMMA * (1 - LAMBDA) * _alive(x) * x["next_value"]
    if "truncated" in x:
        alpha = alpha + GAMMA * x["truncated"] * x["bootstrap"]
    return (scan(alpha, GAMMA * LAMBDA * _alive(x), x["last_value"]),)


def discounted_return(xp, x, scan):
    alpha = x["reward"]
    if "truncated" in x:
        alpha = alpha + GAMMA * x["truncated"] * x["bootstrap"]
    return (scan(alpha, GAMMA * _alive(x), x["last_value"]),)


def eligibility_trace(xp, x, scan):
    beta = GAMMA * LAMBDA * (1.0 - _preceding(xp, x["done"]))
    return (scan(x["x"], beta, x["seed"], forward=True),)


def episodic_prefix_sum(xp, x, scan):
    return (scan(x["x"], 1.0 - _preceding(xp, x["done"]), x["seed"], forward=True),)
