"""verl: compute_gae_advantage_return of verl.trainer.ppo.core_algos.

Steps that response_mask leaves out are skipped: what is carried passes them by, also
between others (tokens of an observation, say). The two recurrences of the loop there,
the value of the next step that counts and the advantage, are one here, of

    carry[t] = mask * ((1 - lam) * value + lam * reward) + (mask * gamma * lam + 1 - mask) * carry[t+1]
    advantage[t] = reward + gamma * carry[t+1] - value        where the mask is set
"""

import torch

import rlscan


def _skip(x, mask):
    """x where the mask is set, elsewhere what the next such step has."""
    return rlscan.linear_scan_backward(mask * x, 1 - mask)


def masked_whiten(x, mask):
    """Mean 0 and variance 1 over the steps that count, as verl has it."""
    count = mask.sum()
    mean = (x * mask).sum() / count
    variance = ((x - mean) ** 2 * mask).sum() / count * count / (count - 1)
    return (x - mean) * torch.rsqrt(variance + 1e-8)


@torch.no_grad()
def compute_gae_advantage_return(token_level_rewards, values, response_mask, gamma, lam):
    """advantages, returns [B, L]; advantages are whitened over the mask."""
    gamma, lam = float(gamma), float(lam)
    mask = response_mask.to(values.dtype)
    rewards = token_level_rewards.to(values.dtype)
    carry = rlscan.linear_scan_backward(mask * ((1 - lam) * values + lam * rewards),
                                        mask * (gamma * lam) + 1 - mask)
    following = torch.cat([carry[:, 1:], torch.zeros_like(carry[:, :1])], dim=1)
    advantages = _skip(rewards + gamma * following - values, mask)
    return masked_whiten(advantages, mask), advantages + values
