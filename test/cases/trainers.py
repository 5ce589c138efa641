"""Recorders of functions of trainers, most of them loaded alone.

Installed with pip's --no-deps: brax, di-engine, openrl, pymarlzooplus, rlinf and tianshou;
and pufferlib's source unpacked on the path, whose C++ is compiled. Each is asked for rows of
T steps and for rows of one, in f64: record.py has told JAX so by then.
"""

import importlib.util
import pathlib
import types

import numpy as np
from recording import (
    A, GAMMA, LAMBDA, N, T, add, flags, log_probabilities, normal, random, taken, tensors,
    weight_of)
from stand_in import load

BOTH = {"gamma": GAMMA, "lambda": LAMBDA}
DING = ("ding", "ding.hpc_rl", "ding.hpc_rl.*", "ding.rl_utils.isw", "ding.rl_utils.td")


def record_ding(steps):
    vtrace, upgo, td, retrace, isw = (load("ding", f"rl_utils.{name}", DING) for name in
                                      ("vtrace", "upgo", "td", "retrace", "isw"))
    reward, value = normal(steps, N), normal(steps + 1, N)
    # Rows 0 and 1 end where UPGO's comparison hangs on what follows, and so on the end.
    value[-1, :2], value[-2, :2], reward[-1, :2] = (3, 0), (1, 0.5), 0
    action = random.integers(0, A, (steps, N))
    logits, behavior = tensors(normal(steps, N, A) / 4, normal(steps, N, A) / 4)
    logits.requires_grad_()
    inputs = {"target_logp": log_probabilities(logits, action).T,
              "behavior_logp": log_probabilities(behavior, action).T, "reward": reward.T}
    policy = tensors(action, reward)

    r, v = tensors(reward, value)
    v.requires_grad_()
    loss = vtrace.vtrace_error_discrete_action(
        vtrace.vtrace_data(logits, behavior, policy[0], v, r, None), GAMMA, LAMBDA, 1.25, 0.875,
        1.5)
    loss.value_loss.backward()
    # Mean square: its gradient is 2 * (value - target) / size.
    target = value[:-1] - v.grad.numpy()[:-1] * reward.size / 2
    add("di-engine", "vtrace_error_discrete_action", "ding_vtrace",
        {**BOTH, "rho_bar": 1.25, "c_bar": 0.875, "pg_rho_bar": 1.5}, {**inputs, "value": value.T},
        target=target.T,
        advantage=weight_of(logits, action, loss.policy_loss).T * reward.size)

    ends = np.zeros((N, steps), dtype=bool)
    ends[1, -1] = True
    v = v.detach()  # 0 after row 1, which the library wants where a trajectory ended
    rho = isw.compute_importance_weights(logits, behavior, policy[0])
    logits.grad = None
    loss = upgo.upgo_loss(logits, rho, policy[0], r, v)
    add("di-engine", "upgo_loss", "upgo", {"gamma": 1, "rho_bar": 64},
        {**inputs, "value": value[:-1].T, "terminated": ends,
         "last_value": value[-1] + ends[:, -1]},
        target=upgo.upgo_returns(r, v).T,
        advantage=weight_of(logits, action, loss).T * reward.size)

    done = flags(steps=steps)
    found = td.generalized_lambda_returns(v, r, GAMMA, LAMBDA, *tensors(1.0 * done.T))
    add("di-engine", "generalized_lambda_returns", "generalized_lambda_return", BOTH,
        {"reward": reward.T, "value": value.T, "done": done}, target=found.T)

    q = normal(steps + 1, N, A)
    ratio = ratios(logits, behavior).detach()
    found = retrace.compute_q_retraces(*tensors(q, value[..., None]), r, policy[0],
                                       *tensors(1.0 * ~done.T), ratio, GAMMA)
    add("di-engine", "compute_q_retraces", "acer_retrace", {"gamma": GAMMA},
        {**inputs, "q": taken(q[:-1], action).T, "value": value[:-1].T, "terminated": done,
         "last_value": value[-1]}, target=found[:-1, :, 0].T)


def ratios(logits, behavior):
    """Ratios of all actions."""
    import torch
    return torch.exp(torch.log_softmax(logits, -1) - torch.log_softmax(behavior, -1))


def record_brax(steps):
    losses = load("brax", "training.agents.ppo.losses")
    reward, value, last = normal(N, steps), normal(N, steps), normal(N)
    terminated, truncated = flags(steps=steps), flags(steps=steps)
    target, advantage = losses.compute_gae(
        1.0 * truncated.T, 1.0 * terminated.T, reward.T, value.T, last, LAMBDA, GAMMA)
    add("brax", "compute_gae", "brax_gae", BOTH,
        {"reward": reward, "value": value, "terminated": terminated, "truncated": truncated,
         "last_value": last}, advantage=advantage.T, target=target.T)


def record_openrl(steps):
    data = load("openrl", "buffers.replay_data")
    reward, value, last = normal(N, steps), normal(N, steps), normal(N)
    terminated, truncated = flags(steps=steps), flags(steps=steps)
    inputs = {"reward": reward, "value": value, "terminated": terminated, "truncated": truncated,
              "last_value": last}
    first = np.ones((1, N))
    for gae, recipe in ((True, "gae_bad_mask"), (False, "return_bad_mask")):
        buffer = types.SimpleNamespace(
            _use_proper_time_limits=True, _use_gae=gae, _use_popart=False, _use_valuenorm=False,
            gamma=GAMMA, gae_lambda=LAMBDA, rewards=reward.T,
            value_preds=np.append(value.T, first, axis=0), returns=np.zeros((steps + 1, N)),
            masks=np.append(first, ~(terminated | truncated).T, axis=0),
            bad_masks=np.append(first, ~truncated.T, axis=0))
        data.ReplayData.compute_returns(buffer, last)
        add("openrl", "compute_returns", recipe, BOTH if gae else {"gamma": GAMMA}, inputs,
            target=buffer.returns[:-1].T)


def record_pymarl(steps):
    utils = load("pymarlzooplus", "utils.rl_utils")
    reward, value = normal(N, steps), normal(N, steps + 1)
    # Episodes end once, and are padded.
    end = random.integers(0, steps + 1, N)
    terminated = np.arange(steps) == end[:, None]
    mask = np.arange(steps) <= end[:, None]
    found = utils.build_td_lambda_targets(
        *(x[..., None] for x in tensors(reward, 1.0 * terminated, 1.0 * mask, value)),
        1, GAMMA, LAMBDA)
    add("pymarlzooplus", "build_td_lambda_targets", "pymarl_td_lambda", BOTH,
        {"reward": reward, "value": value[:, :-1], "terminated": terminated, "mask": mask,
         "last_value": value[:, -1]}, target=found[..., 0])


def record_rlinf(steps):
    advantages = load("rlinf", "algorithms.advantages", ("rlinf.algorithms.registry",))
    reward, value = normal(N, steps), normal(N, steps + 1)
    starts = flags(steps=steps + 1)
    advantage, target = advantages.compute_gae_advantages_and_returns(
        *tensors(reward.T), GAMMA, LAMBDA, *tensors(value.T), normalize_advantages=False,
        dones=tensors(starts.T)[0])
    add("rlinf", "compute_gae_advantages_and_returns", "rlinf_gae", BOTH,
        {"reward": reward, "value": value, "episode_start": starts},
        advantage=advantage.T, target=target.T)


class Batch(list):
    """Has a length, and gets results."""


def record_tianshou(steps):
    """A row is a buffer; the value is that of the next observation."""
    import torch
    numba = types.SimpleNamespace(njit=lambda function: function)
    algorithm = load("tianshou", "algorithm.algorithm_base", given={"numba": numba})
    algorithm.to_numpy, algorithm.to_torch_as = np.asarray, lambda x, like: torch.tensor(x)
    data = load("tianshou", "data.buffer.buffer_base").ReplayBuffer
    reward, value, after = normal(N, steps), normal(N, steps), normal(N, steps)
    terminated, truncated = flags(0.15, steps), flags(0.15, steps) & (np.arange(steps) % 3 > 0)
    done = terminated | truncated
    following = np.where(done, after, np.append(value[:, 1:], after[:, -1:], axis=1))
    target = np.zeros((N, steps))
    for i in range(N):
        buffer = types.SimpleNamespace(
            rew=reward[i], done=done[i], terminated=terminated[i], last_index=[steps - 1],
            _size=steps, _insertion_idx=steps)
        buffer.next = types.MethodType(data.next, buffer)
        buffer.unfinished_index = types.MethodType(data.unfinished_index, buffer)
        found = algorithm.Algorithm.compute_nstep_return(
            Batch(range(steps)), buffer, np.arange(steps),
            lambda buffer, at: torch.tensor(following[i, at]), GAMMA, 3)
        target[i] = found.returns.reshape(-1)
    add("tianshou", "compute_nstep_return", "nstep_return", {"gamma": GAMMA},
        {"reward": reward, "value": value, "terminated": terminated, "truncated": truncated,
         "bootstrap": after, "last_value": after[:, -1]}, target=target)


def record_rlax(steps):
    import rlax
    reward, value, last = normal(N, steps), normal(N, steps), normal(N)
    terminated = flags(steps=steps)
    discount = GAMMA * ~terminated
    following = np.append(value[:, 1:], last[:, None], axis=1)
    add("rlax", "n_step_bootstrapped_returns", "nstep_return", {"gamma": GAMMA},
        {"reward": reward, "value": value, "terminated": terminated, "last_value": last},
        target=np.stack([rlax.n_step_bootstrapped_returns(*x, 3)
                         for x in zip(reward, discount, following)]))
    q, action = normal(N, steps, A), random.integers(0, A, (N, steps))
    next_q, next_action = normal(N, steps, A), random.integers(0, A, (N, steps))
    error = np.stack([rlax.transformed_n_step_q_learning(
        *x, 5, tx_pair=rlax.SIGNED_HYPERBOLIC_PAIR)
        for x in zip(q, action, next_q, next_action, reward, discount)])
    add("rlax", "transformed_n_step_q_learning", "r2d2_target", {},
        {"reward": reward, "discount": discount, "next_q": next_q, "next_action": next_action},
        target=error + taken(q, action))


def record_torchrl(steps):
    import torch
    from tensordict import TensorDict
    from torchrl.data import Bounded, Composite, Unbounded
    from torchrl.envs import EnvBase, RewardSum, TransformedEnv
    x, done = normal(N, steps), flags(steps=steps)

    class Rollout(EnvBase):
        """Gives the rewards and the ends that were drawn."""

        def __init__(self):
            super().__init__(batch_size=[N])
            self.observation_spec = Composite(state=Unbounded((N, 1)), shape=(N,))
            self.action_spec, self.reward_spec = Bounded(0, 1, (N, 1)), Unbounded((N, 1))
            self.t = 0

        def _reset(self, given=None, **keywords):
            return TensorDict({"state": torch.zeros(N, 1)}, [N])

        def _step(self, given):
            reward, ends = torch.tensor(x[:, self.t, None]), torch.tensor(done[:, self.t, None])
            self.t += 1
            return TensorDict({"state": torch.zeros(N, 1), "reward": reward.float(),
                               "done": ends, "terminated": ends}, [N])

        def _set_seed(self, seed):
            pass

    found = TransformedEnv(Rollout(), RewardSum()).rollout(steps, break_when_any_done=False)
    add("torchrl", "RewardSum", "episodic_prefix_sum", {}, {"x": x, "done": done},
        total=found["next", "episode_reward"][..., 0])


def record_puffer(steps):
    import torch
    from torch.utils import cpp_extension
    root = pathlib.Path(importlib.util.find_spec("pufferlib").origin).parent
    if not hasattr(torch.ops.pufferlib, "compute_puff_advantage"):
        cpp_extension.load("_C", [str(root / "extensions" / "pufferlib.cpp")],
                           is_python_module=False)
    value, reward = normal(N, steps), normal(N, steps)
    ratio = random.integers(1, 64, (N, steps)) / 32
    done, advantage = flags(steps=steps), torch.zeros(N, steps)
    torch.ops.pufferlib.compute_puff_advantage(
        *(x.float() for x in tensors(value, reward, done, ratio)), advantage, GAMMA, LAMBDA,
        1.25, 0.875)
    add("pufferlib", "compute_puff_advantage", "puffer_advantage",
        {**BOTH, "rho_bar": 1.25, "c_bar": 0.875},
        {"value": value, "reward": reward, "done": done, "ratio": ratio}, advantage=advantage)


def record():
    for steps in (T, 1):
        for ask in (record_ding, record_brax, record_openrl, record_pymarl, record_rlinf,
                    record_rlax, record_torchrl, record_puffer, record_tianshou):
            ask(steps)
