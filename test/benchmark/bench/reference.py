"""What is right, in float64: the papers' equations by a loop over the steps in NumPy.

Shares nothing with rlscan or a peer. Arrays are time-major here, so that a step of all
rows is one piece of memory; inputs are those of bench.estimators, without NaN.
"""

import numpy as np

from bench.estimators import GAMMA, LAMBDA

PIECE = 4096  # steps; longer and fewer rows are computed in pieces


def _loop(alpha, beta, carry):
    result = np.empty_like(alpha)
    for t in reversed(range(len(alpha))):
        carry = alpha[t] + beta[t] * carry
        result[t] = carry
    return result


def _backward(alpha, beta, init):
    """y[t] = alpha[t] + beta[t] * y[t+1]; y[T] = init. Pieces of long rows are rows of a
    loop of their own: what they add to, then what a carry is multiplied by."""
    steps, rows = alpha.shape
    if steps <= 2 * PIECE or rows >= 256:
        return _loop(alpha, beta, init)
    pieces = -(-steps // PIECE)

    def cut(x, filler):
        padded = np.concatenate([x, np.full((pieces * PIECE - steps, rows), filler)])
        return np.ascontiguousarray(padded.reshape(pieces, PIECE, rows).swapaxes(0, 1))

    alpha, beta = cut(alpha, 0.0), cut(beta, 1.0)
    local = _loop(alpha, beta, np.zeros((pieces, rows)))
    through = _loop(np.zeros_like(alpha), beta, np.ones((pieces, rows)))
    carries, carry = np.empty((pieces, rows)), init
    for p in reversed(range(pieces)):
        carries[p] = carry
        carry = local[0, p] + through[0, p] * carry
    return (local + through * carries).swapaxes(0, 1).reshape(-1, rows)[:steps]


def _forward(alpha, beta, init):
    return _backward(alpha[::-1], beta[::-1], init)[::-1]


def _following(x, last):
    return np.concatenate([x[1:], last[None]])


def _preceding(flag):
    return np.concatenate([np.zeros_like(flag[:1]), flag[:-1]])


def gae(reward, value, terminated, last_value, truncated=False, bootstrap=0.0):
    next_value = np.where(truncated, bootstrap, _following(value, last_value))
    delta = reward + GAMMA * ~terminated * next_value - value
    advantage = _backward(delta, GAMMA * LAMBDA * ~(terminated | truncated), 0 * last_value)
    return advantage, advantage + value


def vtrace(target_logp, behavior_logp, value, reward, terminated, last_value, truncated=False,
           bootstrap=0.0):
    clipped = np.minimum(1.0, np.exp(target_logp - behavior_logp))
    next_value = np.where(truncated, bootstrap, _following(value, last_value))
    delta = clipped * (reward + GAMMA * ~terminated * next_value - value)
    beta = GAMMA * clipped * ~(terminated | truncated)
    target = value + _backward(delta, beta, 0 * last_value)
    next_target = np.where(truncated, bootstrap, _following(target, last_value))
    return target, clipped * (reward + GAMMA * ~terminated * next_target - value)


def retrace(target_prob, behavior_prob, q, next_q, action, reward, terminated, truncated=False):
    taken = np.take_along_axis(target_prob, action[..., None], axis=2)[..., 0]
    clipped = np.minimum(1.0, taken / behavior_prob)
    nothing = np.zeros(reward.shape[1])
    delta = reward + GAMMA * ~terminated * (target_prob * next_q).sum(axis=2) - q
    beta = GAMMA * _following(clipped, nothing) * ~(terminated | truncated)
    target = q + _backward(delta, beta, nothing)
    next_target = _following(target, nothing)
    return target, clipped * (reward + GAMMA * ~terminated * next_target - q)


def td_lambda(reward, next_value, terminated, last_value, truncated=False, bootstrap=0.0):
    continued = np.where(truncated, bootstrap, (1 - LAMBDA) * next_value)
    alpha = reward + GAMMA * ~terminated * continued
    return (_backward(alpha, GAMMA * LAMBDA * ~(terminated | truncated), last_value),)


def discounted_return(reward, terminated, last_value, truncated=False, bootstrap=0.0):
    alpha = reward + GAMMA * np.where(truncated, bootstrap, 0.0)
    return (_backward(alpha, GAMMA * ~(terminated | truncated), last_value),)


def eligibility_trace(x, done, seed):
    return (_forward(x, GAMMA * LAMBDA * ~_preceding(done), seed),)


def episodic_prefix_sum(x, done, seed):
    return (_forward(x, 1.0 * ~_preceding(done), seed),)


def expected(case, inputs):
    """The results for a call's inputs, tensors: arrays [N, T] of float64."""
    arrays = {}
    for name, x in inputs.items():
        x = x.transpose(0, 1) if x.dim() > 1 else x
        if name in ("terminated", "truncated", "done"):
            arrays[name] = (x != 0).cpu().contiguous().numpy()
        else:
            x = x if name == "action" else x.double()
            arrays[name] = x.cpu().contiguous().numpy()
    return [y.T for y in globals()[case.estimator](**arrays)]
