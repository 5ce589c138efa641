"""Off-policy targets, a row at a time; see formulas.py."""

import numpy as np


def _following(t, values, terminated, truncated, bootstrap, last):
    """What stands for the value after step t: none after a termination."""
    if terminated[t]:
        return 0.0
    if truncated[t]:
        return bootstrap[t]
    return values[t + 1] if t + 1 < len(values) else last


def _vtrace(rho, c, rho_pg, value, reward, mask, terminated, truncated, bootstrap,
            last_value, gamma, lam):
    """vtrace_td_error_and_advantage of rlax: errors are carried past masked steps."""
    steps = len(reward)
    errors, acc = np.zeros(steps), 0.0
    for t in reversed(range(steps)):
        if mask[t]:
            after = _following(t, value, terminated, truncated, bootstrap, last_value)
            td_error = rho[t] * (reward[t] + gamma * after - value[t])
            ends = terminated[t] or truncated[t]
            acc = td_error if ends else td_error + gamma * lam * c[t] * acc
        errors[t] = acc
    targets, advantage = value + errors, np.zeros(steps)
    for t in np.flatnonzero(mask):
        q = lam * _following(t, targets, terminated, truncated, bootstrap, last_value)
        q += (1 - lam) * _following(t, value, terminated, truncated, bootstrap, last_value)
        advantage[t] = rho_pg[t] * (reward[t] + gamma * q - value[t])
    return np.where(mask, targets, 0.0), advantage


def ding_vtrace(target_logp, behavior_logp, reward, value, gamma, lam, rho_bar, c_bar,
                pg_rho_bar):
    """vtrace_nstep_return and vtrace_advantage of DI-engine."""
    steps = len(reward)
    ratio = np.exp(target_logp - behavior_logp)
    rho, c = np.minimum(rho_bar, ratio), np.minimum(c_bar, ratio)
    returns, item = value.astype(float), 0.0
    for t in reversed(range(steps)):
        delta = rho[t] * (reward[t] + gamma * value[t + 1] - value[t])
        item = delta + gamma * lam * c[t] * item
        returns[t] += item
    advantage = np.minimum(pg_rho_bar, ratio) * (reward + gamma * returns[1:] - value[:-1])
    return returns[:-1], advantage


def masked_vtrace(target_logp, behavior_logp, value, reward, mask, terminated, truncated,
                  bootstrap, last_value, gamma, lam, rho_bar, c_bar, pg_rho_bar):
    ratio = np.exp(target_logp - behavior_logp)
    return _vtrace(np.minimum(rho_bar, ratio), np.minimum(c_bar, ratio),
                   np.minimum(pg_rho_bar, ratio), value, reward, mask, terminated, truncated,
                   bootstrap, last_value, gamma, lam)


def leaky_vtrace(ratio, value, reward, terminated, truncated, bootstrap,
                 last_value, gamma, alpha, lam, rho_bar, c_bar, pg_rho_bar):
    """leaky_vtrace_td_error_and_advantage of rlax."""
    rho, c, rho_pg = ((1 - alpha) * ratio + alpha * np.minimum(bar, ratio)
                      for bar in (rho_bar, c_bar, pg_rho_bar))
    return _vtrace(rho, c, rho_pg, value, reward, np.ones(len(reward), dtype=bool),
                   terminated, truncated, bootstrap, last_value, gamma, lam)


def seed_rl_vtrace(target_logp, behavior_logp, value, reward, terminated, truncated, last_value,
                   gamma, lam, max_importance_weight):
    """vtrace of agents/policy_gradient/modules/advantages.py of SEED RL."""
    steps = len(reward)
    rhos = np.exp(np.minimum(target_logp - behavior_logp, np.log(max_importance_weight)))
    values = np.append(value, last_value)
    target, advantage, accumulator = np.zeros(steps), np.zeros(steps), 0.0
    for t in reversed(range(steps)):
        if truncated[t]:
            accumulator = 0.0
        else:
            after = 0.0 if terminated[t] else values[t + 1] + lam * accumulator
            advantage[t] = reward[t] + gamma * after - value[t]
            accumulator = rhos[t] * advantage[t]
        target[t] = value[t] + accumulator
    return target, advantage


def importance_corrected_td(rho, value, reward, terminated, truncated,
                            bootstrap, last_value, gamma, lam):
    """importance_corrected_td_errors of rlax."""
    errors, acc = np.zeros(len(reward)), 0.0
    for t in reversed(range(len(reward))):
        after = _following(t, value, terminated, truncated, bootstrap, last_value)
        delta = reward[t] + gamma * after - value[t]
        ends = terminated[t] or truncated[t] or t == len(reward) - 1
        acc = delta if ends else delta + gamma * rho[t + 1] * lam * acc
        errors[t] = rho[t] * acc
    return errors, value + errors


def upgo(target_logp, behavior_logp, value, reward, terminated, truncated, bootstrap, last_value,
         gamma, rho_bar):
    """upgo_returns of DI-star, an episode at a time."""
    steps = len(reward)
    after = [_following(t, value, terminated, truncated, bootstrap, last_value)
             for t in range(steps)]
    target = np.zeros(steps)
    for t in reversed(range(steps)):
        follows = t + 1 < steps and not (terminated[t] or truncated[t])
        if follows and reward[t + 1] + gamma * after[t + 1] >= value[t + 1]:
            target[t] = reward[t] + gamma * target[t + 1]
        else:
            target[t] = reward[t] + gamma * after[t]
    rho = np.minimum(rho_bar, np.exp(target_logp - behavior_logp))
    return target, rho * (target - value)


def _general(reward, expected, q, c, terminated, truncated, gamma):
    """general_off_policy_returns_from_q_and_v of rlax; a coefficient of 0 drops q."""
    target, acc = np.zeros(len(reward)), 0.0
    for t in reversed(range(len(reward))):
        if terminated[t]:
            acc = reward[t]
        elif truncated[t] or t == len(reward) - 1 or c[t] == 0:
            acc = reward[t] + gamma * expected[t]
        else:
            acc = reward[t] + gamma * (expected[t] - c[t] * q[t] + c[t] * acc)
        target[t] = acc
    return target


def off_policy_return(reward, next_value, next_q, c, terminated, truncated, gamma):
    return _general(reward, next_value, next_q, c, terminated, truncated, gamma)


def _expected(prob, q):
    return np.where(prob == 0, 0.0, prob * q).sum(axis=1)


def _taken(x, action):
    return x[np.arange(len(action)), action]


def tree_backup(reward, next_q, next_target_prob, next_action, terminated, truncated, gamma, lam):
    return _general(reward, _expected(next_target_prob, next_q), _taken(next_q, next_action),
                    lam * _taken(next_target_prob, next_action), terminated, truncated, gamma)


def per_decision_is(reward, next_q, next_target_prob, next_behavior_prob, next_action, terminated,
                    truncated, gamma, lam):
    prob = _taken(next_target_prob, next_action)
    ratio = np.where(prob == 0, 0.0, prob / next_behavior_prob)
    return _general(reward, _expected(next_target_prob, next_q), _taken(next_q, next_action),
                    lam * ratio, terminated, truncated, gamma)


def _lambda_returns(reward, value, lam, terminated, truncated, gamma):
    """lambda_returns of rlax with a lambda a step; the last step takes the value."""
    target, acc = np.zeros(len(reward)), 0.0
    for t in reversed(range(len(reward))):
        if terminated[t]:
            acc = reward[t]
        elif truncated[t] or t == len(reward) - 1:
            acc = reward[t] + gamma * value[t]
        else:
            acc = reward[t] + gamma * ((1 - lam[t]) * value[t] + lam[t] * acc)
        target[t] = acc
    return target


def peng_q_lambda(reward, next_q, terminated, truncated, gamma, lam):
    return _lambda_returns(reward, next_q.max(axis=1), np.full(len(reward), lam), terminated,
                           truncated, gamma)


def watkins_q_lambda(reward, next_q, next_action, terminated, truncated, gamma, lam):
    greatest = next_q.max(axis=1)
    greedy = _taken(next_q, next_action) == greatest
    return _lambda_returns(reward, greatest, np.where(greedy, lam, 0.0), terminated, truncated,
                           gamma)


def sarsa_lambda(reward, next_q, next_action, terminated, truncated, gamma, lam):
    return _lambda_returns(reward, _taken(next_q, next_action), np.full(len(reward), lam),
                           terminated, truncated, gamma)


def transformed_q_lambda(reward, next_q, terminated, truncated, gamma, lam, eps):
    """transformed_q_lambda of rlax with SIGNED_HYPERBOLIC_PAIR."""
    x = next_q.max(axis=1)
    z = np.sqrt(1 + 4 * eps * (eps + 1 + np.abs(x))) / 2 / eps - 1 / 2 / eps
    y = _lambda_returns(reward, np.sign(x) * (np.square(z) - 1), np.full(len(reward), lam),
                        terminated, truncated, gamma)
    return np.sign(y) * (np.sqrt(np.abs(y) + 1) - 1) + eps * y


def acer_retrace(target_logp, behavior_logp, reward, value, q, terminated, truncated, bootstrap,
                 last_value, gamma, c_bar):
    """q_retrace of baselines/acer/acer.py."""
    c = np.minimum(c_bar, np.exp(target_logp - behavior_logp))
    target, qret = np.zeros(len(reward)), last_value
    for t in reversed(range(len(reward))):
        after = 0.0 if terminated[t] else gamma * (bootstrap[t] if truncated[t] else qret)
        target[t] = reward[t] + after
        qret = c[t] * (target[t] - q[t]) + value[t]
    return target
