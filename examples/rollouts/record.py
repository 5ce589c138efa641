"""Records real rollouts of two Gymnasium tasks as inputs for every rlscan recipe.

Writes cartpole.npz (terminations and truncations) and pendulum.npz (truncations only) next to
this file. Array names are those of the recipes; README.md lists them with their meaning.

Shapes in the docstrings: N rows (environments), T steps, A actions, D observation entries,
K features. Everything random comes from one seed.
"""

import argparse
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Callable

import gymnasium
import numpy as np

SEED = 6  # of the first ones, one where both kinds of end also fall on the last step
ROWS = 16
STEPS = 512  # of the recorded window
FIT_STEPS = 2048  # a row, of the batch that the value function is fitted to
FEATURES = 128
GAMMA = 0.99
LAMBDA = 0.95
MAX_LOG_RATIO = np.log(50.0)


# ---------------------------------------------------------------------------------- tasks


@dataclass(frozen=True)
class Task:
    """One environment, the policy that is learned about and the policies that act in it."""

    name: str
    env_id: str
    max_episode_steps: int
    target_policy: Callable[[np.ndarray], np.ndarray]  # [..., D] -> probabilities [..., A]
    action_of_index: Callable[[int], object]  # what the environment's step() takes
    scale_reward: Callable[[float], float]
    epsilon: np.ndarray  # [N]: how often a row's behaviour acts uniformly at random
    temperature: np.ndarray  # [N]: how much a row's behaviour flattens the target policy
    warmup: np.ndarray  # [N]: steps that a row plays before its window starts
    terminates: bool  # whether the task has terminations at all


def softmax(logits):
    """[..., A] -> probabilities [..., A]."""
    weights = np.exp(logits - logits.max(axis=-1, keepdims=True))
    return weights / weights.sum(axis=-1, keepdims=True)


def cartpole_policy(observation):
    """Push towards the side that the pole falls to. [..., 4] -> [..., 2]."""
    _, x_dot, theta, theta_dot = np.moveaxis(np.asarray(observation, np.float64), -1, 0)
    lean = 1.5 * np.tanh(0.2 * x_dot + 4.0 * theta + 1.2 * theta_dot)
    return softmax(np.stack([-lean, lean], axis=-1))


PENDULUM_TORQUES = np.array([-2.0, -1.0, 0.0, 1.0, 2.0])


def pendulum_policy(observation):
    """Pump energy, then balance: a softmax around the wanted torque. [..., 3] -> [..., 5]."""
    cos, sin, speed = np.moveaxis(np.asarray(observation, np.float64), -1, 0)
    pump = 0.5 * (15.0 - 0.5 * speed**2 - 15.0 * cos) * speed
    balance = -(8.0 * sin + 2.0 * speed)
    torque = np.clip(np.where(cos > 0.9, balance, pump), -2.0, 2.0)
    return flatten(softmax(-((PENDULUM_TORQUES - torque[..., None]) ** 2)), 1.0, 0.05)


def flatten(probability, temperature, epsilon):
    """probability ** (1 / temperature), normalised, then mixed with epsilon of uniform."""
    flat = softmax(np.log(probability) / temperature)
    return (1.0 - epsilon) * flat + epsilon / probability.shape[-1]


def make_tasks():
    """The two tasks; rows go from nearly the target policy (row 0) to a weak one (row N-1)."""
    row = np.arange(ROWS)
    cartpole = Task(
        name="cartpole",
        env_id="CartPole-v1",
        max_episode_steps=128,
        target_policy=cartpole_policy,
        action_of_index=int,
        scale_reward=float,
        epsilon=0.05 + 0.45 * row / (ROWS - 1),
        temperature=1.0 + 0.5 * row / (ROWS - 1),
        warmup=16 * row,
        terminates=True,
    )
    pendulum = Task(
        name="pendulum",
        env_id="Pendulum-v1",
        max_episode_steps=200,
        target_policy=pendulum_policy,
        action_of_index=lambda index: np.array([PENDULUM_TORQUES[index]], np.float32),
        scale_reward=lambda reward: (float(reward) + 8.0) / 8.0,
        epsilon=0.10 + 0.40 * row / (ROWS - 1),
        temperature=1.0 + 0.5 * row / (ROWS - 1),
        warmup=8 + 16 * row,
        terminates=False,
    )
    return [cartpole, pendulum]


# ------------------------------------------------------------------------------ recording


@dataclass
class Batch:
    """What was played. next_observation is the episode's own: at its end, the final one."""

    observation: np.ndarray  # [N, T, D]
    next_observation: np.ndarray  # [N, T, D]
    action: np.ndarray  # [N, T] int64
    reward: np.ndarray  # [N, T]
    terminated: np.ndarray  # [N, T] bool
    truncated: np.ndarray  # [N, T] bool
    behavior: np.ndarray  # [N, T, A]: the probabilities that the action was drawn from
    observation_after: np.ndarray  # [N, D]: of the state that follows the window

    @property
    def done(self):
        return self.terminated | self.truncated


def behavior_policy(task, observation):
    """Each row's own behaviour. [N, D] -> [N, A]."""
    target = task.target_policy(observation)
    return flatten(target, task.temperature[:, None], task.epsilon[:, None])


def sample(probability, rng):
    """One index a row. [N, A] -> [N] int64."""
    drawn = rng.random((probability.shape[0], 1)) > np.cumsum(probability, axis=-1)
    return np.minimum(drawn.sum(axis=-1), probability.shape[-1] - 1).astype(np.int64)


def step_row(task, env, index):
    """One step of one environment -> final-or-next observation, reward, flags, observation
    to act on next. An episode that ends is reset within the same step."""
    following, reward, terminated, truncated, _ = env.step(task.action_of_index(index))
    truncated = truncated and not terminated  # the time limit also fires on a termination
    acted_on = env.reset()[0] if terminated or truncated else following
    return following, task.scale_reward(reward), terminated, truncated, acted_on


def play(task, seed, total_steps):
    """N environments in lockstep from their first reset -> Batch of total_steps."""
    rng = np.random.default_rng(seed)
    envs = [
        gymnasium.make(task.env_id, max_episode_steps=task.max_episode_steps)
        for _ in range(ROWS)
    ]
    seeds = rng.integers(2**31, size=ROWS)
    current = np.stack([env.reset(seed=int(s))[0] for env, s in zip(envs, seeds)])
    columns = []
    for _ in range(total_steps):
        behavior = behavior_policy(task, current)
        action = sample(behavior, rng)
        results = [step_row(task, env, index) for env, index in zip(envs, action)]
        following, reward, terminated, truncated, acted_on = map(np.stack, zip(*results))
        columns.append((current, following, action, reward, terminated, truncated, behavior))
        current = acted_on
    for env in envs:
        env.close()
    return Batch(*(np.stack(column, axis=1) for column in zip(*columns)), current)


def record_window(task, seed):
    """T steps of N rows -> Batch. Row i starts after warmup[i] steps, so that the rows stand at
    different times of their episodes, as in the middle of a training."""
    played = play(task, seed, STEPS + task.warmup.max() + 1)

    def window(array, shift=0):
        return np.stack([a[w : w + STEPS] for a, w in zip(array, task.warmup + shift)])

    fields = ("observation", "next_observation", "action", "reward", "terminated", "truncated",
              "behavior")
    after = window(played.observation, shift=1)[:, -1]
    return Batch(*(window(getattr(played, field)) for field in fields), after)


# --------------------------------------------------------------------- the value function


@dataclass
class ActionValue:
    """Q(s, a) = features(s) . weights[:, a], features = Gaussian bumps around states, and 1."""

    mean: np.ndarray  # [D]
    scale: np.ndarray  # [D]
    center: np.ndarray  # [K - 1, D], of the normalised observation
    weights: np.ndarray = None  # [K, A]
    lowest: float = -np.inf
    highest: float = np.inf

    def features(self, observation):
        """[..., D] -> [..., K]."""
        normal = (observation - self.mean) / self.scale
        square = (normal**2).sum(axis=-1)[..., None] + (self.center**2).sum(axis=-1)
        bump = np.exp(normal @ self.center.T - 0.5 * square)
        return np.concatenate([bump, np.ones_like(bump[..., :1])], axis=-1)

    def q(self, observation):
        """[..., D] -> [..., A], clipped to what the rewards seen allow."""
        return np.clip(self.features(observation) @ self.weights, self.lowest, self.highest)

    def v(self, observation, policy):
        """The policy's expected Q. [..., D] -> [...]."""
        return (policy(observation) * self.q(observation)).sum(axis=-1)


def fit_action_value(task, batch, seed):
    """Q of the target policy by least-squares temporal differences -> ActionValue.

    Finds the weights for which reward + gamma * E_target[Q(next, .)] - Q(s, a) is orthogonal to
    the features: one linear solve, correct also for actions of the behaviour policy.
    """
    value = draw_features(batch.observation, seed)
    actions = batch.behavior.shape[-1]
    system = 0.1 * np.eye(FEATURES * actions)
    outcome = np.zeros(FEATURES * actions)
    for row in range(ROWS):
        taken = np.eye(actions)[batch.action[row]]
        wanted = task.target_policy(batch.next_observation[row])
        wanted *= ~batch.terminated[row, :, None]
        here = per_action(value.features(batch.observation[row]), taken)
        following = per_action(value.features(batch.next_observation[row]), wanted)
        system += here.T @ (here - GAMMA * following)
        outcome += here.T @ batch.reward[row]
    value.weights = np.linalg.solve(system, outcome).reshape(FEATURES, actions)
    value.lowest = min(batch.reward.min(), 0.0) / (1.0 - GAMMA)
    value.highest = max(batch.reward.max(), 0.0) / (1.0 - GAMMA)
    return value


def draw_features(observation, seed):
    """Bumps around random ones of the observations [N, T, D] -> ActionValue, not fitted."""
    flat = observation.reshape(-1, observation.shape[-1]).astype(np.float64)
    mean, scale = flat.mean(axis=0), flat.std(axis=0)
    chosen = np.random.default_rng(seed).choice(len(flat), FEATURES - 1, replace=False)
    return ActionValue(mean, scale, center=(flat[chosen] - mean) / scale)


def per_action(features, weight):
    """[T, K] and [T, A] -> [T, K * A], the features times each action's weight."""
    product = features[:, :, None] * weight[:, None, :]
    return product.reshape(len(product), -1)


def trace_feature(value, batch):
    """The gradient of V to one weight, the feature that varies most. -> [N, T]."""
    features = value.features(batch.observation)
    return features[..., features.std(axis=(0, 1)).argmax()]


# ------------------------------------------------------------------------------- the file


def make_arrays(task, value, batch):
    """-> {name: array}; what each is stands in README.md."""
    policy, action = task.target_policy, batch.action[..., None]
    target = policy(batch.observation)
    target_taken = np.take_along_axis(target, action, axis=-1)[..., 0]
    behavior_taken = np.take_along_axis(batch.behavior, action, axis=-1)[..., 0]
    v = value.v(batch.observation, policy)
    last_value = value.v(batch.observation_after, policy)
    final_value = value.v(batch.next_observation, policy)
    q = np.take_along_axis(value.q(batch.observation), action, axis=-1)[..., 0]
    arrays = dict(
        reward=batch.reward,
        value=v,
        terminated=batch.terminated,
        truncated=batch.truncated,
        done=batch.done,
        bootstrap=np.where(batch.truncated, final_value, 0.0),
        last_value=last_value,
        next_value=np.concatenate([v[:, 1:], last_value[:, None]], axis=1),
        target_logp=np.log(target_taken),
        behavior_logp=np.log(behavior_taken),
        target_prob=target,
        next_target_prob=policy(batch.next_observation),
        behavior_prob=behavior_taken,
        action=batch.action,
        q=q,
        next_q=value.q(batch.next_observation),
        x=trace_feature(value, batch),
    )
    arrays = {name: narrow(array) for name, array in arrays.items()}
    arrays |= {name: narrow(array) for name, array in affine_form_of_gae(arrays).items()}
    return arrays


def narrow(array):
    """float64 -> float32; other types stay."""
    return array.astype(np.float32) if array.dtype == np.float64 else array


def affine_form_of_gae(arrays):
    """advantage[t] = alpha[t] + beta[t] * advantage[t+1] -> {alpha, beta}, [N, T]."""
    wide = {k: a.astype(np.float64) if a.dtype == np.float32 else a for k, a in arrays.items()}
    following = np.where(wide["truncated"], wide["bootstrap"], wide["next_value"])
    following = np.where(wide["terminated"], 0.0, following)
    return dict(
        alpha=wide["reward"] + GAMMA * following - wide["value"],
        beta=np.where(wide["done"], 0.0, GAMMA * LAMBDA),
    )


# --------------------------------------------------------------------- checks and summary


def check(task, arrays):
    """Raises AssertionError unless the arrays are what README.md promises."""
    for name, array in arrays.items():
        assert np.isfinite(array).all(), f"{name} is not finite"
        assert array.shape[:2] in [(ROWS,), (ROWS, STEPS)], f"{name} has shape {array.shape}"
    terminated, truncated = arrays["terminated"], arrays["truncated"]
    assert not (terminated & truncated).any(), "both flags are set"
    assert terminated.any() == task.terminates, "terminations, or none, against the task"
    for name in ("terminated", "truncated") if task.terminates else ("truncated",):
        assert arrays[name][:, :-1].sum() >= 5, f"few {name} steps: try another seed"
        assert arrays[name][:, -1].any(), f"last step never {name}: try another seed"
    assert not arrays["done"][:, -1].all(), "no row runs on past the window: try another seed"
    for name in ("target_prob", "next_target_prob"):
        assert np.allclose(arrays[name].sum(axis=-1), 1.0, atol=1e-6), f"{name} does not sum to 1"
        assert (arrays[name] > 0.0).all(), f"{name} is not positive"
    actions = arrays["next_q"].shape[-1]
    assert ((arrays["action"] >= 0) & (arrays["action"] < actions)).all(), "action is out of range"
    log_ratio = arrays["target_logp"] - arrays["behavior_logp"]
    assert np.abs(log_ratio).max() < MAX_LOG_RATIO, "the policies differ too much"
    assert log_ratio.std() > 0.05, "the policies hardly differ"


def discounted_returns(batch, value, policy):
    """Of what the behaviour really earned, continued by V where it was cut off. -> [N, T]."""
    final_value = value.v(batch.next_observation, policy)
    following = value.v(batch.observation_after, policy)
    returns = np.zeros(batch.reward.shape)
    for t in reversed(range(batch.reward.shape[1])):
        following = np.where(batch.truncated[:, t], final_value[:, t], following)
        following = np.where(batch.terminated[:, t], 0.0, following)
        returns[:, t] = following = batch.reward[:, t] + GAMMA * following
    return returns


def explained_variance(task, value, batch):
    """Of the returns, by V: 1 for a perfect prediction, 0 for a constant one."""
    returns = discounted_returns(batch, value, task.target_policy)
    error = returns - value.v(batch.observation, task.target_policy)
    return 1.0 - error.var() / returns.var()


def on_policy(task):
    """The same task, where every row acts by the target policy."""
    return replace(task, epsilon=np.zeros(ROWS), temperature=np.ones(ROWS))


def print_summary(task, value, fresh, batch, arrays, path):
    """What one would want to know before using the file."""
    print(f"{path.name}: {task.env_id}, {path.stat().st_size} bytes")
    for name, array in arrays.items():
        low, high = array.min(), array.max()
        print(f"  {name:17}{array.dtype!s:8} {array.shape!s:14} {low:10.4g} .. {high:.4g}")
    for name in ("terminated", "truncated"):
        flag = arrays[name]
        print(f"  {name}: {flag.sum()}, {flag[:, -1].sum()} of them at the window's last step")
    ratio = np.exp(arrays["target_logp"] - arrays["behavior_logp"])
    print(f"  ratio target / behaviour: {ratio.min():.3f} .. {ratio.max():.3f}, "
          f"{(ratio > 1).mean():.0%} above 1")
    print(f"  explained variance of the returns: {explained_variance(task, value, fresh):.2f} on "
          f"fresh steps of the target policy, {explained_variance(task, value, batch):.2f} here")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--output", type=Path, default=Path(__file__).resolve().parent)
    options = parser.parse_args()
    for number, task in enumerate(make_tasks()):
        seeds = np.random.SeedSequence([options.seed, number]).spawn(4)
        value = fit_action_value(task, play(task, seeds[0], FIT_STEPS), seeds[1])
        batch = record_window(task, seeds[2])
        arrays = make_arrays(task, value, batch)
        check(task, arrays)
        path = options.output / f"{task.name}.npz"
        np.savez_compressed(path, **arrays)
        fresh = play(on_policy(task), seeds[3], FIT_STEPS)
        print_summary(task, value, fresh, batch, arrays, path)


if __name__ == "__main__":
    main()
