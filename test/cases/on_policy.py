"""Advantages of on-policy learning, a row at a time; see formulas.py."""

import numpy as np


def gae_episode_starts(reward, value, episode_start, last_value, last_done, gamma, lam):
    """compute_returns_and_advantage of Stable-Baselines3's RolloutBuffer."""
    steps = len(reward)
    advantage, last_gae = np.zeros(steps), 0.0
    for t in reversed(range(steps)):
        if t == steps - 1:
            starts, next_value = last_done, last_value
        else:
            starts, next_value = episode_start[t + 1], value[t + 1]
        if starts:
            last_gae = reward[t] - value[t]
        else:
            delta = reward[t] + gamma * next_value - value[t]
            last_gae = delta + gamma * lam * last_gae
        advantage[t] = last_gae
    return advantage, advantage + value


def gae_bad_mask(reward, value, terminated, truncated, last_value, gamma, lam):
    """compute_returns of pytorch-a2c-ppo-acktr-gail: gae is multiplied by bad_masks."""
    values = np.append(value, last_value)
    advantage, gae = np.zeros(len(reward)), 0.0
    for t in reversed(range(len(reward))):
        if truncated[t]:
            gae = 0.0
        elif terminated[t]:
            gae = reward[t] - values[t]
        else:
            gae = reward[t] + gamma * values[t + 1] - values[t] + gamma * lam * gae
        advantage[t] = gae
    return advantage, advantage + value


def return_bad_mask(reward, value, terminated, truncated, last_value, gamma):
    """The same without use_gae: (return * gamma * mask + reward) * bad + (1 - bad) * value."""
    returns = np.append(np.zeros(len(reward)), last_value)
    for t in reversed(range(len(reward))):
        if truncated[t]:
            returns[t] = value[t]
        else:
            returns[t] = reward[t] + (0.0 if terminated[t] else gamma * returns[t + 1])
    return returns[:-1]


def rnd_gae(reward, value, intrinsic_reward, intrinsic_value, terminated, last_value,
            intrinsic_last_value, gamma, intrinsic_gamma, lam, weight, intrinsic_weight):
    """The loop of CleanRL's ppo_rnd_envpool.py: curiosity's next step is never terminal."""
    steps = len(reward)
    values = np.append(value, last_value)
    intrinsic_values = np.append(intrinsic_value, intrinsic_last_value)
    task, curiosity = np.zeros(steps), np.zeros(steps)
    last = intrinsic_last = 0.0
    for t in reversed(range(steps)):
        last = reward[t] - value[t] + (0.0 if terminated[t] else
                                       gamma * values[t + 1] + gamma * lam * last)
        intrinsic_last = (intrinsic_reward[t] + intrinsic_gamma * intrinsic_values[t + 1]
                          - intrinsic_value[t] + intrinsic_gamma * lam * intrinsic_last)
        task[t], curiosity[t] = last, intrinsic_last
    return (weight * task + intrinsic_weight * curiosity, task + value,
            curiosity + intrinsic_value)


def iw_opd(teacher_logp, behavior_logp, mask, gamma, epsilon):
    """The weights of TRL's IW-OPD trainer, over the tokens of the mask."""
    credit = np.where(mask, teacher_logp - behavior_logp, 0.0)
    size = np.abs(credit)
    before = np.concatenate([[0.0], np.cumsum(size)[:-1]]) / max(size.sum(), epsilon)
    return (credit * (1.0 + gamma * (1.0 - before)),)


def brax_gae(reward, value, terminated, truncated, last_value, gamma, lam):
    """compute_gae of brax/training/agents/ppo/losses.py."""
    steps = len(reward)
    vs = np.append(np.zeros(steps), last_value)
    values = np.append(value, last_value)
    advantage, acc = np.zeros(steps), 0.0
    for t in reversed(range(steps)):
        if truncated[t]:
            acc = 0.0
        elif terminated[t]:
            acc = reward[t] - value[t]
        else:
            acc = reward[t] + gamma * values[t + 1] - value[t] + gamma * lam * acc
        vs[t] = acc + value[t]
        if not truncated[t]:
            following = 0.0 if terminated[t] else gamma * vs[t + 1]
            advantage[t] = reward[t] + following - value[t]
    return advantage, vs[:-1]


def gae_validity(reward, value, terminated, truncated, valid, bootstrap, last_value, last_valid,
                 gamma, lam):
    """gae_advantages of Sample Factory; a time-out adds gamma * bootstrap to the reward."""
    steps = len(reward)
    values, valids = np.append(value, last_value), np.append(valid, last_valid)
    advantage, last = np.zeros(steps), 0.0
    for t in reversed(range(steps)):
        done = terminated[t] or truncated[t]
        delta = reward[t] - value[t] if valid[t] else 0.0
        if valid[t] and truncated[t] and not terminated[t]:
            delta += gamma * bootstrap[t]
        if not done and valids[t + 1]:
            delta += gamma * values[t + 1]
        decay = gamma * lam if valid[t] else 1.0
        last = delta + (0.0 if done else decay * last)
        advantage[t] = last
    return advantage, np.where(valid, advantage + np.where(valid, value, 0.0), advantage)


def _gae_of_steps(reward, value, terminated, truncated, bootstrap, last_value, gamma, lam):
    """Plain GAE of a row that has only the steps that count."""
    steps = len(reward)
    advantage, last_gae = np.zeros(steps), 0.0
    for t in reversed(range(steps)):
        ends = terminated[t] or truncated[t]
        next_value = value[t + 1] if t + 1 < steps else last_value
        if terminated[t]:
            next_value = 0.0
        elif truncated[t]:
            next_value = bootstrap[t]
        delta = reward[t] + gamma * next_value - value[t]
        last_gae = delta if ends else delta + gamma * lam * last_gae
        advantage[t] = last_gae
    return advantage


def masked_gae(reward, value, mask, terminated, truncated, bootstrap, last_value, gamma, lam):
    advantage, target, kept = np.zeros(len(reward)), np.zeros(len(reward)), np.flatnonzero(mask)
    advantage[kept] = _gae_of_steps(reward[kept], value[kept], terminated[kept], truncated[kept],
                                    bootstrap[kept], last_value, gamma, lam)
    target[kept] = advantage[kept] + value[kept]
    return advantage, target


def decoupled_gae(reward, value, mask, terminated, last_value, gamma, lambda_policy,
                  lambda_value):
    kept = np.flatnonzero(mask)
    never = np.zeros(len(kept), dtype=bool)
    both = []
    for lam in (lambda_policy, lambda_value):
        result = np.zeros(len(reward))
        result[kept] = _gae_of_steps(reward[kept], value[kept], terminated[kept], never, value[kept],
                                     last_value, gamma, lam)
        both.append(result)
    both[1][kept] += value[kept]
    return tuple(both)


def bi_level_gae(reward, value, mask, turn_end, gamma, lam, turn_gamma):
    """compute_bi_level_gae_advantage_return of RAGEN, with the turns' ends given."""
    advantage, target = np.zeros(len(reward)), np.zeros(len(reward))
    valid = np.flatnonzero(mask)
    ends = np.flatnonzero(turn_end & mask)
    updated, last = reward.copy(), 0.0
    for i in reversed(range(len(ends))):
        next_value = value[ends[i + 1]] if i + 1 < len(ends) else 0.0
        delta = reward[ends[i]] + turn_gamma * next_value - value[ends[i]]
        last = delta + turn_gamma * lam * last
        updated[ends[i]] = last + value[ends[i]]
    last = 0.0
    for i in reversed(range(len(valid))):
        now = valid[i]
        if now in ends:
            next_value = last = 0.0
        else:
            next_value = value[valid[i + 1]] if i + 1 < len(valid) else 0.0
        last = updated[now] + gamma * next_value - value[now] + gamma * lam * last
        advantage[now], target[now] = last, last + value[now]
    return advantage, target


def truncated_gae(reward, discount, value, lam):
    """truncated_generalized_advantage_estimation of rlax."""
    advantage, acc = np.zeros(len(reward)), 0.0
    for t in reversed(range(len(reward))):
        if discount[t] == 0:
            acc = reward[t] - value[t]
        else:
            acc = reward[t] + discount[t] * value[t + 1] - value[t] + discount[t] * lam * acc
        advantage[t] = acc
    return advantage, advantage + value[:-1]


def rlinf_gae(reward, value, episode_start, gamma, lam):
    """compute_gae_advantages_and_returns of RLinf, which says dones for episode_start."""
    advantage, acc = np.zeros(len(reward)), 0.0
    for t in reversed(range(len(reward))):
        if episode_start[t + 1]:
            acc = reward[t] - value[t]
        else:
            acc = reward[t] + gamma * value[t + 1] - value[t] + gamma * lam * acc
        advantage[t] = acc
    return advantage, advantage + value[:-1]


def puffer_advantage(value, reward, done, ratio, gamma, lam, rho_bar, c_bar):
    """puff_advantage of PufferLib: rho multiplies the whole TD error."""
    steps = len(reward)
    advantage, last = np.zeros(steps), 0.0
    for t in reversed(range(steps - 1)):
        rho, c = min(rho_bar, ratio[t]), min(c_bar, ratio[t])
        if done[t + 1]:
            last = rho * (reward[t + 1] - value[t])
        else:
            delta = rho * (reward[t + 1] + gamma * value[t + 1] - value[t])
            last = delta + gamma * lam * c * last
        advantage[t] = last
    return advantage, value + advantage
