"""rlscan.compat beside the other projects' own code, or the loop that it replaces."""

import types

import numpy as np
import pytest

torch = pytest.importorskip("torch")

T, N = 23, 5


@pytest.fixture
def rollout(device):
    random = torch.Generator().manual_seed(0)

    def normal(*shape):
        return torch.randn(*shape, generator=random).to(device)

    def flags(*shape):
        return (torch.rand(*shape, generator=random) < 0.2).to(device)

    return types.SimpleNamespace(
        rewards=normal(T, N), values=normal(T, N), last_values=normal(N), next_values=normal(T, N),
        terminated=flags(T, N), truncated=flags(T, N), dones=flags(T, N), last_done=flags(N))


def close(found, right):
    torch.testing.assert_close(torch.as_tensor(found), torch.as_tensor(right), rtol=1e-5,
                               atol=1e-5)


def test_cleanrl(rollout, device):
    from rlscan.compat.cleanrl import compute_gae
    r, gamma, gae_lambda = rollout, 0.97, 0.9
    rewards, values, dones = r.rewards, r.values, r.dones.float()
    next_value, next_done = r.last_values.reshape(1, -1), r.last_done.float()
    found = compute_gae(rewards, values, dones, next_value, next_done, gamma, gae_lambda)
    # The loop of cleanrl/ppo.py.
    advantages = torch.zeros_like(rewards)
    lastgaelam = 0
    for t in reversed(range(T)):
        if t == T - 1:
            nextnonterminal, nextvalues = 1.0 - next_done, next_value
        else:
            nextnonterminal, nextvalues = 1.0 - dones[t + 1], values[t + 1]
        delta = rewards[t] + gamma * nextvalues * nextnonterminal - values[t]
        lastgaelam = delta + gamma * gae_lambda * nextnonterminal * lastgaelam
        advantages[t] = lastgaelam
    close(found[0], advantages)
    close(found[1], advantages + values)


def test_sb3(rollout):
    buffers = pytest.importorskip("stable_baselines3.common.buffers")
    spaces = pytest.importorskip("gymnasium").spaces
    from rlscan.compat.sb3 import compute_returns_and_advantage

    def filled():
        box = spaces.Box(-1, 1, (1,))
        buffer = buffers.RolloutBuffer(T, box, box, gamma=0.97, gae_lambda=0.9, n_envs=N)
        buffer.rewards = rollout.rewards.cpu().numpy()
        buffer.values = rollout.values.cpu().numpy()
        buffer.episode_starts = rollout.dones.float().cpu().numpy()
        return buffer

    mine, theirs = filled(), filled()
    last_values, dones = rollout.last_values[:, None], rollout.last_done.cpu().numpy()
    compute_returns_and_advantage(mine, last_values, dones)
    theirs.compute_returns_and_advantage(last_values, dones)
    close(mine.advantages, theirs.advantages)
    close(mine.returns, theirs.returns)
    assert mine.returns.dtype == theirs.returns.dtype


def test_rsl_rl(rollout):
    algorithms = pytest.importorskip("rsl_rl.algorithms")
    from rlscan.compat.rsl_rl import compute_returns

    class Critic:
        def get_hidden_state(self):
            return None

        def reset(self, hidden_state):
            pass

        def __call__(self, obs):
            return rollout.last_values[:, None]

    def algorithm():
        storage = types.SimpleNamespace(
            num_transitions_per_env=T, rewards=rollout.rewards[..., None],
            values=rollout.values[..., None], dones=rollout.dones[..., None].byte(),
            returns=torch.zeros_like(rollout.values[..., None]), advantages=None)
        return types.SimpleNamespace(storage=storage, critic=Critic(), gamma=0.97, lam=0.9,
                                     normalize_advantage_per_mini_batch=False)

    mine, theirs = algorithm(), algorithm()
    compute_returns(mine, None)
    algorithms.PPO.compute_returns(theirs, None)
    close(mine.storage.returns, theirs.storage.returns)
    close(mine.storage.advantages, theirs.storage.advantages)


@pytest.mark.parametrize("time_limit_bootstrap", [False, True])
def test_skrl(rollout, time_limit_bootstrap):
    ppo = pytest.importorskip("skrl.agents.torch.ppo.ppo")
    from rlscan.compat.skrl import compute_gae
    arguments = dict(rewards=rollout.rewards[..., None], values=rollout.values[..., None],
                     terminated=rollout.terminated[..., None],
                     truncated=rollout.truncated[..., None],
                     last_values=rollout.last_values[..., None], discount_factor=0.97,
                     lambda_coefficient=0.9, time_limit_bootstrap=time_limit_bootstrap)
    for found, right in zip(compute_gae(**arguments), ppo.compute_gae(**arguments)):
        close(found, right)


@pytest.mark.parametrize("shape", [(T, 1), (3, T, 2), (2, 2, T, 1)])
def test_torchrl(shape, device):
    theirs = pytest.importorskip("torchrl.objectives.value.functional")
    from rlscan.compat import torchrl as mine
    random = torch.Generator().manual_seed(1)
    value, following, reward = (torch.randn(shape, generator=random).to(device) for _ in range(3))
    terminated = (torch.rand(shape, generator=random) < 0.1).to(device)
    done = terminated | (torch.rand(shape, generator=random) < 0.1).to(device)
    for name in ("generalized_advantage_estimate", "vec_generalized_advantage_estimate"):
        found = getattr(mine, name)(0.97, 0.9, value, following, reward, done, terminated)
        right = getattr(theirs, name)(0.97, 0.9, value, following, reward, done, terminated)
        close(found[0], right[0])
        close(found[1], right[1])
    found = mine.td_lambda_return_estimate(0.97, 0.9, following, reward, done, terminated)
    close(found, theirs.td_lambda_return_estimate(0.97, 0.9, following, reward, done, terminated))
    with pytest.raises(ValueError, match="rolling_gamma"):
        mine.td_lambda_return_estimate(0.97, 0.9, following, reward, done, rolling_gamma=False)


def test_rlax(rollout):
    theirs = pytest.importorskip("rlax")
    jax = pytest.importorskip("jax")
    from rlscan.compat import rlax as mine
    values = np.concatenate([rollout.values.cpu().numpy().T,
                             rollout.last_values.cpu().numpy()[:, None]], axis=1)
    rewards = rollout.rewards.cpu().numpy().T
    discounts = np.where(rollout.dones.cpu().numpy().T, 0.0, 0.97).astype(np.float32)

    def both(name, *arguments):
        found = jax.vmap(getattr(mine, name))(*arguments)
        right = jax.vmap(getattr(theirs, name))(*arguments)
        np.testing.assert_allclose(found, right, rtol=1e-5, atol=1e-5)

    lambdas = np.full_like(rewards, 0.9)
    both("truncated_generalized_advantage_estimation", rewards, discounts, lambdas, values)
    both("lambda_returns", rewards, discounts, values[:, 1:], lambdas)
    both("discounted_returns", rewards, discounts, values[:, 1:])


def verl_loop(rewards, values, mask, gamma, lam):
    """verl.trainer.ppo.core_algos, whose package brings too much to be installed."""
    nextvalues, lastgaelam, reversed_ = 0, 0, []
    for t in reversed(range(rewards.shape[-1])):
        delta = rewards[:, t] + gamma * nextvalues - values[:, t]
        lastgaelam_ = delta + gamma * lam * lastgaelam
        nextvalues = values[:, t] * mask[:, t] + (1 - mask[:, t]) * nextvalues
        lastgaelam = lastgaelam_ * mask[:, t] + (1 - mask[:, t]) * lastgaelam
        reversed_.append(lastgaelam)
    return torch.stack(reversed_[::-1], dim=1)


@pytest.mark.parametrize("interior", [False, True])
def test_verl(rollout, device, interior):
    from rlscan.compat.verl import compute_gae_advantage_return
    rewards, values = rollout.rewards.t().contiguous(), rollout.values.t().contiguous()
    lengths = torch.tensor([T, T - 3, 4, 11, 1], device=device)
    mask = (torch.arange(T, device=device) < lengths[:, None]).long()
    if interior:
        mask[:, 1:] &= ~rollout.truncated.t().bool()[:, 1:].to(device)
    advantages = verl_loop(rewards, values, mask, 0.97, 0.9)
    found = compute_gae_advantage_return(rewards, values, mask, 0.97, 0.9)
    close(found[1], advantages + values)
    chosen = advantages[mask.bool()]
    white = (advantages - chosen.mean()) * torch.rsqrt(chosen.var() + 1e-8)
    close(found[0], white)
