"""CleanRL: the loop over `t` of ppo.py and its relatives, as one call."""

import torch

import rlscan


def compute_gae(rewards, values, dones, next_value, next_done, gamma=0.99, gae_lambda=0.95):
    """advantages, returns of tensors [T, N], as the loop of cleanrl/ppo.py has them.

    dones[t] says that the observation of step t begins an episode, next_done the same
    of the one after the window: the flags stand a step later than rlscan's, and are
    moved, a copy of one array. A truncation counts as an end, as there.
    """
    ends = torch.cat([dones[1:], next_done.reshape(1, *dones.shape[1:]).to(dones.dtype)])
    with torch.no_grad():
        return rlscan.gae(rewards, values, ends, last_value=next_value.reshape(values.shape[1:]),
                          gamma=gamma, lam=gae_lambda, time_dim=0)
