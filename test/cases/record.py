"""Records libraries.json: what other libraries' own functions give, as cases.

usage: record.py [OUTPUT]

with rlax, torchrl, stable-baselines3 and skrl installed, and what trainers.py and
learners.py name. Each case says whose function it was and of which version. Where a
library leaves what its loop carries at masked steps, the case has the 0 that the recipe has.
"""

import json
import pathlib
import sys
import types

import numpy as np

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).parent))
import learners  # noqa: E402
import trainers  # noqa: E402
from recording import (  # noqa: E402
    A, CASES, GAMMA, LAMBDA, N, T, add, flags, normal, probabilities, random, taken)
from stand_in import load  # noqa: E402


def record_rlax():
    import jax
    jax.config.update("jax_enable_x64", True)
    import rlax
    from rlax._src import multistep

    def rows(function, *arrays, **keywords):
        found = [function(*(np.asarray(x[i]) for x in arrays), **keywords) for i in range(N)]
        if isinstance(found[0], tuple):
            return [np.stack(part) for part in zip(*found)]
        return np.stack(found)

    reward, value, last = normal(N, T), normal(N, T), normal(N)
    terminated = flags()
    discount = GAMMA * ~terminated
    values = np.concatenate([value, last[:, None]], axis=1)
    both = {"gamma": GAMMA, "lambda": LAMBDA}

    add("rlax", "lambda_returns", "lambda_return", {"lambda": LAMBDA},
        {"reward": reward, "discount": discount, "next_value": values[:, 1:]},
        target=rows(rlax.lambda_returns, reward, discount, values[:, 1:], lambda_=LAMBDA))
    function = "truncated_generalized_advantage_estimation"
    found = rows(lambda r, d, v: getattr(rlax, function)(r, d, LAMBDA, v), reward, discount, values)
    add("rlax", function, "gae", both,
        {"reward": reward, "value": value, "terminated": terminated, "last_value": last},
        advantage=found)
    add("rlax", function, "truncated_gae", {"lambda": LAMBDA},
        {"reward": reward, "discount": discount, "value": values}, advantage=found)

    target_logp, behavior_logp = -abs(normal(N, T)) / 4, -abs(normal(N, T)) / 4
    rho = np.exp(target_logp - behavior_logp)
    mask = ~flags()
    found = rows(lambda v, n, r, d, w, m: rlax.vtrace_td_error_and_advantage(
        v, n, r, d, w, LAMBDA, 0.875, 1.25, sample_mask=m),
        value, values[:, 1:], reward, discount, rho, mask)
    add("rlax", "vtrace_td_error_and_advantage", "masked_vtrace",
        {**both, "rho_bar": 0.875, "pg_rho_bar": 1.25},
        {"target_logp": target_logp, "behavior_logp": behavior_logp, "value": value,
         "reward": reward, "mask": mask, "terminated": terminated, "last_value": last},
        target=np.where(mask, found[0] + value, 0), advantage=np.where(mask, found[1], 0))
    ratio = random.integers(1, 64, (N, T)) / 32
    found = rows(lambda v, n, r, d, w: rlax.leaky_vtrace_td_error_and_advantage(
        v, n, r, d, w, 0.75, LAMBDA, 0.875, 1.25), value, values[:, 1:], reward, discount, ratio)
    add("rlax", "leaky_vtrace_td_error_and_advantage", "leaky_vtrace",
        {**both, "alpha": 0.75, "rho_bar": 0.875, "pg_rho_bar": 1.25},
        {"ratio": ratio, "value": value, "reward": reward, "terminated": terminated,
         "last_value": last}, target=found[0] + value, advantage=found[1])
    add("rlax", "importance_corrected_td_errors", "importance_corrected_td", both,
        {"rho": ratio, "value": value, "reward": reward, "terminated": terminated,
         "last_value": last},
        error=rows(lambda r, d, w, v: multistep.importance_corrected_td_errors(r, d, w, LAMBDA, v),
                   reward, discount, ratio, values))
    record_rlax_q(rlax, rows, reward, terminated, discount, both)


def record_rlax_q(rlax, rows, reward, terminated, discount, both):
    q, next_q = normal(N, T, A), normal(N, T, A)
    action, next_action = random.integers(0, A, (2, N, T))
    prob, behavior = probabilities(N, T), random.integers(4, 33, (N, T)) / 32
    ends = {"reward": reward, "terminated": terminated}
    state = {**ends, "next_q": next_q}
    now = taken(q, action)

    def error(function, *arrays, **keywords):
        """TD errors of [T, A] values, as targets."""
        return rows(function, q, action, reward, discount, *arrays, **keywords) + now

    add("rlax", "q_lambda", "peng_q_lambda", both, state,
        target=error(rlax.q_lambda, next_q, lambda_=LAMBDA))
    greedy = next_action == next_q.argmax(axis=-1)
    add("rlax", "q_lambda", "watkins_q_lambda", both, {**state, "next_action": next_action},
        target=error(rlax.q_lambda, next_q, np.where(greedy, LAMBDA, 0.0)))
    add("rlax", "sarsa_lambda", "sarsa_lambda", both, {**state, "next_action": next_action},
        target=error(rlax.sarsa_lambda, next_q, next_action, lambda_=LAMBDA))
    add("rlax", "transformed_q_lambda", "transformed_q_lambda", both, state,
        target=error(rlax.transformed_q_lambda, next_q, np.full((N, T), LAMBDA),
                     tx_pair=rlax.SIGNED_HYPERBOLIC_PAIR))

    def general(c):
        return rows(rlax.general_off_policy_returns_from_action_values, next_q, next_action,
                    reward, discount, c, prob)

    policy = {**state, "next_action": next_action, "next_target_prob": prob}
    function = "general_off_policy_returns_from_action_values"
    chosen = taken(prob, next_action)
    add("rlax", function, "tree_backup", both, policy, target=general(LAMBDA * chosen))
    add("rlax", function, "per_decision_is", both, {**policy, "next_behavior_prob": behavior},
        target=general(LAMBDA * chosen / behavior))
    c = random.integers(1, 33, (N, T)) / 32
    value, chosen_q = normal(N, T), taken(next_q, next_action)
    add("rlax", "general_off_policy_returns_from_q_and_v", "off_policy_return",
        {"gamma": GAMMA}, {**ends, "next_value": value, "next_q": chosen_q, "c": c},
        target=rows(lambda q, v, r, d, c: rlax.general_off_policy_returns_from_q_and_v(
            q[:-1], v, r, d, c[:-1]), chosen_q, value, reward, discount, c))
    # The recipe has at the next step what rlax has after this one: its Q, its action and
    # the policies there.
    behind = np.concatenate([random.integers(0, A, (N, 1)), next_action[:, :-1]], axis=1)
    own = np.concatenate([now[:, :1], chosen_q[:, :-1]], axis=1)
    add("rlax", "retrace", "retrace", both,
        {**ends, "next_q": next_q, "q": own, "action": behind,
         "target_prob": np.roll(prob, 1, axis=1), "next_target_prob": prob,
         "behavior_prob": np.roll(behavior, 1, axis=1)},
        target=rows(lambda *x: rlax.retrace(*x, lambda_=LAMBDA, eps=0.0), q, next_q, behind,
                    next_action, reward, discount, prob, behavior) + taken(q, behind))


def record_torchrl():
    import torch
    from torchrl.objectives.value import functional

    def shaped(x):
        return torch.tensor(x)[..., None]

    reward, value, next_value = normal(N, T), normal(N, T), normal(N, T)
    terminated, truncated = flags(), flags()
    done = terminated | truncated
    inputs = {"reward": reward, "terminated": terminated, "truncated": truncated,
              "bootstrap": next_value, "last_value": next_value[:, -1]}
    both = {"gamma": GAMMA, "lambda": LAMBDA}
    ends = {"done": shaped(done), "terminated": shaped(terminated)}
    found = functional.td_lambda_return_estimate(
        GAMMA, LAMBDA, shaped(next_value), shaped(reward), **ends)
    add("torchrl", "td_lambda_return_estimate", "td_lambda", both,
        {**inputs, "next_value": next_value}, target=found[..., 0])
    found = functional.td1_return_estimate(GAMMA, shaped(next_value), shaped(reward), **ends)
    add("torchrl", "td1_return_estimate", "discounted_return", {"gamma": GAMMA}, inputs,
        target=found[..., 0])
    # A value of its own after every step: the next entry where the episode goes on.
    next_value = np.where(done, next_value, np.append(value[:, 1:], next_value[:, -1:], axis=1))
    inputs.update(value=value, bootstrap=next_value, last_value=next_value[:, -1])
    advantage, target = functional.generalized_advantage_estimate(
        GAMMA, LAMBDA, shaped(value), shaped(next_value), shaped(reward), **ends)
    add("torchrl", "generalized_advantage_estimate", "gae", both, inputs,
        advantage=advantage[..., 0], target=target[..., 0])
    logp, behavior = -abs(normal(N, T)) / 4, -abs(normal(N, T)) / 4
    advantage, target = functional.vtrace_advantage_estimate(
        GAMMA, shaped(logp), shaped(behavior), shaped(value), shaped(next_value), shaped(reward),
        rho_thresh=1.0, c_thresh=0.875, **ends)
    add("torchrl", "vtrace_advantage_estimate", "vtrace", {"gamma": GAMMA, "c_bar": 0.875},
        {**inputs, "target_logp": logp, "behavior_logp": behavior},
        advantage=advantage[..., 0], target=target[..., 0])


def record_sb3():
    import torch
    from gymnasium import spaces
    from stable_baselines3.common.buffers import RolloutBuffer
    from stable_baselines3.common.vec_env import VecNormalize

    box = spaces.Box(-1, 1, (1,))
    buffer = RolloutBuffer(T, box, box, device="cpu", gae_lambda=LAMBDA, gamma=GAMMA, n_envs=N)
    buffer.rewards, buffer.values = normal(T, N), normal(T, N)
    buffer.episode_starts = flags().T.astype(float)
    last, dones = normal(N), np.array([0, 1, 0, 1.0])
    buffer.advantages = np.zeros((T, N))
    buffer.compute_returns_and_advantage(torch.tensor(last), dones)
    add("stable-baselines3", "compute_returns_and_advantage", "gae_episode_starts",
        {"gamma": GAMMA, "lambda": LAMBDA},
        {"reward": buffer.rewards.T, "value": buffer.values.T,
         "episode_start": buffer.episode_starts.T != 0, "last_value": last, "last_done": dones != 0},
        advantage=buffer.advantages.T, target=buffer.returns.T)

    reward, done, seen = normal(N, T), flags(), []
    norm = types.SimpleNamespace(
        returns=np.zeros(N), gamma=GAMMA, training=True, norm_obs=False, norm_reward=True,
        ret_rms=types.SimpleNamespace(update=lambda x: seen.append(x.copy())),
        normalize_obs=lambda x: x, normalize_reward=lambda x: x)
    norm._update_reward = types.MethodType(VecNormalize._update_reward, norm)
    for t in range(T):
        norm.venv = types.SimpleNamespace(
            step_wait=lambda t=t: (np.zeros((N, 1)), reward[:, t], done[:, t], [{}] * N))
        VecNormalize.step_wait(norm)
    add("stable-baselines3", "VecNormalize", "reward_forward_filter", {"gamma": GAMMA},
        {"reward": reward, "done": done}, total=np.stack(seen, axis=1))


def record_skrl():
    import torch
    from skrl.agents.torch.ppo.ppo import compute_gae
    reward, value, last, terminated = normal(N, T), normal(N, T), normal(N), flags()
    tensor = {key: torch.tensor(x.T)[..., None] for key, x in
              {"rewards": reward, "values": value, "terminated": terminated,
               "truncated": terminated}.items()}
    returns, _ = compute_gae(**tensor, last_values=torch.tensor(last)[:, None],
                             discount_factor=GAMMA, lambda_coefficient=LAMBDA)
    add("skrl", "compute_gae", "gae", {"gamma": GAMMA, "lambda": LAMBDA},
        {"reward": reward, "value": value, "terminated": terminated, "last_value": last},
        target=returns[..., 0].T)


def record_verl():
    import torch
    core_algos = load("verl", "trainer.ppo.core_algos")
    core_algos.verl_F.masked_whiten = lambda x, mask: x
    reward, value, mask = normal(N, T), normal(N, T), ~flags(0.4)
    inputs = {"reward": reward, "mask": mask}
    tensors = [torch.tensor(reward), torch.tensor(value), torch.tensor(mask.astype(np.int64))]
    advantage, target = core_algos.compute_gae_advantage_return(*tensors, GAMMA, LAMBDA)
    add("verl", "compute_gae_advantage_return", "masked_gae",
        {"gamma": GAMMA, "lambda": LAMBDA}, {**inputs, "value": value},
        advantage=np.where(mask, advantage, 0), target=np.where(mask, target, 0))
    _, returns = core_algos.compute_reinforce_plus_plus_outcome_advantage(
        tensors[0], tensors[2], types.SimpleNamespace(gamma=GAMMA))
    add("verl", "compute_reinforce_plus_plus_outcome_advantage", "masked_return",
        {"gamma": GAMMA}, inputs, target=returns)
    _, returns = core_algos.compute_remax_outcome_advantage(
        tensors[0], torch.zeros(N), tensors[2])
    add("verl", "compute_remax_outcome_advantage", "masked_return", {"gamma": 1}, inputs,
        target=np.where(mask, returns, 0))


def main(output=pathlib.Path(__file__).with_name("libraries.json")):
    for record in (record_rlax, record_torchrl, record_sb3, record_skrl, record_verl):
        record()
    trainers.record()
    learners.record()
    lines = [json.dumps(case) for case in CASES]
    pathlib.Path(output).write_text("[\n" + ",\n".join(lines) + "\n]\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
