"""The recipes' equations in float64, a loop over the steps of arrays [N, T].

Written from docs/recipes.md; shares nothing with the compiler. Flags are
booleans, what is left out has the recipe's default.
"""

import numpy as np


def _backward(alpha, beta, init):
    """y[t] = alpha[t] + beta[t] * y[t+1]; where beta is 0 nothing comes through."""
    result, carry = np.empty_like(alpha), np.array(init, dtype=np.float64)
    for t in reversed(range(alpha.shape[1])):
        carry = alpha[:, t] + np.where(beta[:, t] == 0, 0.0, beta[:, t] * carry)
        result[:, t] = carry
    return result


def _forward(alpha, beta, init):
    return _backward(alpha[:, ::-1], beta[:, ::-1], init)[:, ::-1]


def _following(x, last):
    """x[t+1], and `last` after the window."""
    return np.concatenate([x[:, 1:], np.asarray(last, dtype=x.dtype)[:, None]], axis=1)


def _gate(flag, x):
    return np.where(flag, x, 0.0)


def gae(reward, value, terminated, truncated, bootstrap, last_value, gamma=0.99, lam=0.95):
    next_value = np.where(truncated, bootstrap, _following(value, last_value))
    delta = reward + gamma * _gate(~terminated, next_value) - value
    beta = gamma * lam * _gate(~(terminated | truncated), np.ones_like(reward))
    advantage = _backward(delta, beta, np.zeros(len(reward)))
    return advantage, advantage + value


def vtrace(target_logp, behavior_logp, value, reward, terminated, truncated, bootstrap,
           last_value, gamma=0.99, lam=1.0, rho_bar=1.0, c_bar=1.0):
    ratio = np.exp(target_logp - behavior_logp)
    rho, c = np.minimum(rho_bar, ratio), lam * np.minimum(c_bar, ratio)
    next_value = np.where(truncated, bootstrap, _following(value, last_value))
    delta = rho * (reward + gamma * _gate(~terminated, next_value) - value)
    beta = gamma * c * _gate(~(terminated | truncated), np.ones_like(c))
    target = value + _backward(delta, beta, np.zeros(len(reward)))
    next_target = np.where(truncated, bootstrap, _following(target, last_value))
    advantage = rho * (reward + gamma * _gate(~terminated, next_target) - value)
    return target, advantage


def retrace(target_prob, behavior_prob, q, next_q, action, reward, terminated, truncated,
            next_target_prob, gamma=0.99, lam=1.0, c_bar=1.0, rho_bar=1.0,
            bootstrap_advantage=True):
    prob = np.take_along_axis(target_prob, action[..., None], axis=2)[..., 0]
    ratio = np.where(prob == 0, 0.0, prob / behavior_prob)
    c, rho = lam * np.minimum(c_bar, ratio), np.minimum(rho_bar, ratio)
    expected_q = np.where(next_target_prob != 0, next_target_prob * next_q, 0.0).sum(axis=2)
    delta = reward + gamma * _gate(~terminated, expected_q) - q
    zeros = np.zeros(len(reward))
    beta = gamma * _following(c, zeros) * _gate(~(terminated | truncated), np.ones_like(c))
    target = q + _backward(delta, beta, zeros)
    edge = expected_q[:, -1] if bootstrap_advantage and reward.shape[1] else zeros
    next_target = _following(target, edge)
    if bootstrap_advantage:
        next_target = np.where(truncated, expected_q, next_target)
    return target, rho * (reward + gamma * _gate(~terminated, next_target) - q)


def td_lambda(reward, next_value, terminated, truncated, bootstrap, last_value, gamma=0.99,
              lam=0.95):
    ends = terminated | truncated
    continued = np.where(truncated, bootstrap, (1 - lam) * next_value)
    alpha = reward + gamma * _gate(~terminated, continued)
    return (_backward(alpha, gamma * lam * _gate(~ends, np.ones_like(reward)), last_value),)


def discounted_return(reward, terminated, truncated, bootstrap, last_value, gamma=0.99):
    alpha = reward + gamma * _gate(truncated & ~terminated, bootstrap)
    beta = gamma * _gate(~(terminated | truncated), np.ones_like(reward))
    return (_backward(alpha, beta, last_value),)


def _preceding(flag):
    return np.concatenate([np.zeros_like(flag[:, :1]), flag[:, :-1]], axis=1)


def eligibility_trace(x, done, seed, gamma=0.99, lam=0.95):
    return (_forward(x, gamma * lam * _gate(~_preceding(done), np.ones_like(x)), seed),)


def episodic_prefix_sum(x, done, seed, starts_at=False):
    starts = done if starts_at else _preceding(done)
    return (_forward(x, _gate(~starts, np.ones_like(x)), seed),)


def linear_scan_forward(alpha, beta, init):
    return (_forward(alpha, beta, init),)


def linear_scan_backward(alpha, beta, init):
    return (_backward(alpha, beta, init),)
