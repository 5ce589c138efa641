"""rsl_rl: PPO.compute_returns, and its loop over the storage.

    PPO.compute_returns = compute_returns
"""

import torch

import rlscan


def fill_returns(storage, last_values, gamma, lam):
    """Fills storage.returns and storage.advantages, tensors [T, N, 1], not normalised.

    dones[t] says that step t ended the episode; the reward of a time-out has gamma
    times the value of the step in it already.
    """
    advantages = torch.empty_like(storage.values)
    with torch.no_grad():
        rlscan.gae(storage.rewards, storage.values, storage.dones, last_value=last_values,
                   gamma=gamma, lam=lam, time_dim=0, out=(advantages, storage.returns))
    storage.advantages = advantages


def compute_returns(self, obs):
    """In the place of rsl_rl.algorithms.PPO.compute_returns."""
    hidden = self.critic.get_hidden_state()
    last_values = self.critic(obs).detach()
    self.critic.reset(hidden_state=hidden)
    fill_returns(self.storage, last_values, self.gamma, self.lam)
    if not self.normalize_advantage_per_mini_batch:
        advantages = self.storage.advantages
        self.storage.advantages = (advantages - advantages.mean()) / (advantages.std() + 1e-8)
