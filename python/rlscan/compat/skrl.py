"""skrl: compute_gae of the PyTorch agents."""

import torch

import rlscan


def compute_gae(*, rewards, terminated, truncated, values, last_values, discount_factor=0.99,
                lambda_coefficient=0.95, time_limit_bootstrap=False):
    """returns, advantages of tensors [T, N, 1], advantages normalised, as
    skrl.agents.torch.ppo.ppo.compute_gae has them.

    A truncated step ends the episode where time_limit_bootstrap is set (its reward has
    the value in it then), and does not end it otherwise.
    """
    ends = terminated | truncated if time_limit_bootstrap else terminated
    with torch.no_grad():
        advantages, returns = rlscan.gae(rewards, values, ends, last_value=last_values,
                                         gamma=discount_factor, lam=lambda_coefficient,
                                         time_dim=0)
    return returns, (advantages - advantages.mean()) / (advantages.std() + 1e-8)
