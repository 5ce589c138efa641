"""Returns and lambda-returns, a row at a time; see formulas.py."""

import numpy as np


def lambda_return(reward, discount, next_value, lam):
    """lambda_returns of rlax."""
    result, acc = np.zeros(len(reward)), next_value[-1] if len(reward) else 0.0
    for t in reversed(range(len(reward))):
        if discount[t] == 0:
            acc = reward[t]
        else:
            acc = reward[t] + discount[t] * ((1 - lam) * next_value[t] + lam * acc)
        result[t] = acc
    return result


def _steps_ahead(reward, discount, next_value, steps):
    """n-step returns by their sums: fewer steps at the end, none after a discount of 0."""
    result = np.zeros(len(reward))
    for t in range(len(reward)):
        weight = 1.0
        for k in range(t, min(t + steps, len(reward))):
            result[t] += weight * reward[k]
            weight *= discount[k]
            if weight == 0:
                break
            is_last = k + 1 == min(t + steps, len(reward))
            if is_last:
                result[t] += weight * next_value[k]
    return result


def nstep_return(reward, value, terminated, truncated, bootstrap, last_value, gamma):
    """Three steps, or up to the end of the episode."""
    values, result = np.append(value, last_value), np.zeros(len(reward))
    for t in range(len(reward)):
        for k in range(3):
            at = t + k
            result[t] += gamma ** k * reward[at]
            if terminated[at]:
                break
            if truncated[at]:
                result[t] += gamma ** (k + 1) * bootstrap[at]
                break
            if k == 2 or at + 1 == len(reward):
                result[t] += gamma ** (k + 1) * values[at + 1]
                break
    return result


def r2d2_target(reward, discount, next_q, next_action, eps):
    """transformed_n_step_returns of rlax with SIGNED_HYPERBOLIC_PAIR and n = 5."""
    q = next_q[np.arange(len(reward)), next_action]
    z = np.sqrt(1 + 4 * eps * (eps + 1 + np.abs(q))) / 2 / eps - 1 / 2 / eps
    y = _steps_ahead(reward, discount, np.sign(q) * (np.square(z) - 1), 5)
    return np.sign(y) * (np.sqrt(np.abs(y) + 1) - 1) + eps * y


def generalized_lambda_return(reward, value, done, gamma, lam):
    """generalized_lambda_returns of DI-engine, by its multistep_forward_view."""
    steps = len(reward)
    result, discount = np.zeros(steps), gamma * lam
    if steps:
        result[-1] = reward[-1] + (0.0 if done[-1] else gamma * value[-1])
    for t in reversed(range(steps - 1)):
        following = discount * result[t + 1] + (gamma - discount) * value[t + 1]
        result[t] = reward[t] + (0.0 if done[t] else following)
    return result


def dreamer_lambda_return(reward, value, terminated, last, gamma, lam):
    """lambda_return of dreamerv3/agent.py, with the value of the last step appended."""
    rets = [value[-1]]
    for t in reversed(range(len(reward) - 1)):
        if terminated[t + 1]:
            rets.append(reward[t + 1])
            continue
        cont = 0.0 if last[t + 1] else lam
        carried = cont * rets[-1] if cont else 0.0
        rets.append(reward[t + 1] + gamma * ((1 - cont) * value[t + 1] + carried))
    return np.array(rets[::-1])


def dreamer_weight(continues, gamma):
    return np.cumprod(gamma * continues) / gamma


def pymarl_td_lambda(reward, value, terminated, mask, last_value, gamma, lam):
    """build_td_lambda_targets of PyMARL."""
    steps = len(reward)
    values = np.append(value, last_value)
    ret = np.zeros(steps + 1)
    ret[-1] = 0.0 if terminated.any() else last_value
    for t in reversed(range(steps)):
        ret[t] = lam * gamma * ret[t + 1]
        if mask[t]:
            ret[t] += reward[t]
            if not terminated[t]:
                ret[t] += (1 - lam) * gamma * values[t + 1]
    return ret[:-1]


def masked_return(reward, mask, last_value, gamma):
    target, acc = np.zeros(len(reward)), last_value
    for t in reversed(np.flatnonzero(mask)):
        acc = reward[t] + gamma * acc
        target[t] = acc
    return target


def reinforce_plus_plus(reward, mask, gamma):
    """compute_reinforce_plus_plus_outcome_advantage of verl before it skipped tokens:
    running = running * mask after each token."""
    target, running = np.zeros(len(reward)), 0.0
    for t in reversed(range(len(reward))):
        if mask[t]:
            running = reward[t] + gamma * running
            target[t] = running
        else:
            running = 0.0
    return target


def minillm_return(reward, mask, gamma, length_normalization):
    """The trainer of TRL's MiniLLM, with the powers as it has them."""
    power = np.power(gamma, np.arange(len(reward), dtype=np.float64))
    kept = np.where(mask, reward, 0.0)
    advantage = np.cumsum((power * kept)[::-1])[::-1]
    if length_normalization:
        lengths = np.where(mask, 1.0, 1e-4) * power
        advantage = advantage / np.cumsum(lengths[::-1])[::-1]
    return advantage


def reward_forward_filter(reward, done, seed, gamma):
    """VecNormalize of Stable-Baselines3: returns[dones] = 0 after each step."""
    result, returns = np.zeros(len(reward)), seed
    for t in range(len(reward)):
        returns = returns * gamma + reward[t]
        result[t] = returns
        if done[t]:
            returns = 0.0
    return result


def shac_return(reward, done, gamma):
    """rew_acc and gamma of compute_actor_loss in shac.py."""
    total, weight, acc, power = np.zeros(len(reward)), np.zeros(len(reward)), 0.0, 1.0
    for t in range(len(reward)):
        acc = acc + power * reward[t]
        total[t], weight[t] = acc, power
        power *= gamma
        if done[t]:
            acc, power = 0.0, 1.0
    return total, weight
