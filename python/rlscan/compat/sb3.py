"""stable-baselines3: RolloutBuffer.compute_returns_and_advantage.

    RolloutBuffer.compute_returns_and_advantage = compute_returns_and_advantage
"""

import numpy as np

import rlscan


def compute_returns_and_advantage(self, last_values, dones):
    """Fills self.advantages and self.returns, NumPy arrays [T, N].

    self.episode_starts[t] says that step t begins an episode, `dones` that the last
    one ended it: the flags stand a step later than rlscan's, and are moved. Rewards
    have the value of a truncated state in them already, as the algorithms add it.
    """
    last_values = last_values.detach().cpu().numpy().reshape(-1).astype(self.values.dtype)
    last_start = np.asarray(dones).reshape(1, -1).astype(self.episode_starts.dtype)
    ends = np.concatenate([self.episode_starts[1:], last_start])
    self.returns = np.empty_like(self.advantages)
    rlscan.gae(self.rewards, self.values, ends, last_value=last_values, gamma=self.gamma,
               lam=self.gae_lambda, time_dim=0, out=(self.advantages, self.returns))
