"""PPO on CartPole in PyTorch, whole: python ppo.py [--loop] [--seed=0] [--curve=FILE.svg]

The advantages are one call, rlscan.gae; with --loop they are the loop over time that
it replaces. An episode that the time limit cuts off goes on with the value of the
state that it was cut off at. Ends when the mean return of the last 100 episodes
reaches 475, CartPole's solved score; the exit code says whether it did.

--curve trains with both ways for three seeds each and draws the learning curves.
"""

import argparse
import sys
import time

import gymnasium
import numpy as np
import torch
from torch import nn

import rlscan

ENVIRONMENTS, STEPS, EPOCHS, MINIBATCHES = 16, 64, 6, 4
GAMMA, LAMBDA, CLIP, RATE = 0.99, 0.95, 0.2, 1.5e-3
SOLVED, MOST_STEPS = 475.0, 400_000


class Agent(nn.Module):
    def __init__(self, observations, actions):
        super().__init__()

        def network(outputs):
            return nn.Sequential(nn.Linear(observations, 64), nn.Tanh(), nn.Linear(64, 64),
                                 nn.Tanh(), nn.Linear(64, outputs))
        self.policy, self.critic = network(actions), network(1)

    def value(self, observation):
        return self.critic(observation).squeeze(-1)

    def distribution(self, observation):
        return torch.distributions.Categorical(logits=self.policy(observation))


class Rollout:
    """STEPS steps of all environments, [T, N]."""

    def __init__(self, observations):
        shape = STEPS, ENVIRONMENTS
        self.observation = torch.zeros(*shape, observations)
        self.action = torch.zeros(shape, dtype=torch.long)
        self.logp, self.value, self.reward, self.bootstrap = torch.zeros(4, *shape)
        self.terminated, self.truncated = torch.zeros(2, *shape, dtype=torch.bool)
        self.last_value = torch.zeros(ENVIRONMENTS)


def advantages_by_loop(r):
    """What rlscan.gae is called in the place of."""
    advantage, carry, next_value = torch.zeros_like(r.reward), 0.0, r.last_value
    for t in reversed(range(STEPS)):
        next_value = torch.where(r.truncated[t], r.bootstrap[t], next_value)
        alive = (~r.terminated[t]).float()
        goes_on = (~(r.terminated[t] | r.truncated[t])).float()
        carry = (r.reward[t] + GAMMA * alive * next_value - r.value[t]
                 + GAMMA * LAMBDA * goes_on * carry)
        advantage[t], next_value = carry, r.value[t]
    return advantage, advantage + r.value


def advantages_by_rlscan(r):
    return rlscan.gae(r.reward, r.value, r.terminated, r.truncated, r.bootstrap, r.last_value,
                      gamma=GAMMA, lam=LAMBDA, time_dim=0)


class Trainer:
    def __init__(self, seed, advantages):
        torch.manual_seed(seed)
        self.environments = gymnasium.vector.SyncVectorEnv(
            [lambda: gymnasium.make("CartPole-v1")] * ENVIRONMENTS,
            autoreset_mode=gymnasium.vector.AutoresetMode.SAME_STEP)
        self.observation = self.environments.reset(seed=seed)[0]
        size = self.observation.shape[1]
        self.agent = Agent(size, self.environments.single_action_space.n)
        self.optimizer = torch.optim.Adam(self.agent.parameters(), lr=RATE, eps=1e-5)
        self.rollout, self.advantages = Rollout(size), advantages
        self.running = np.zeros(ENVIRONMENTS)
        self.returns, self.curve, self.steps = [], [], 0

    @torch.no_grad()
    def collect(self):
        r = self.rollout
        for t in range(STEPS):
            observation = torch.from_numpy(self.observation)
            distribution = self.agent.distribution(observation)
            action = distribution.sample()
            r.observation[t], r.action[t] = observation, action
            r.logp[t], r.value[t] = distribution.log_prob(action), self.agent.value(observation)
            self.observation, reward, terminated, truncated, info = self.environments.step(
                action.numpy())
            r.reward[t] = torch.from_numpy(reward)
            r.terminated[t] = torch.from_numpy(terminated)
            r.truncated[t] = torch.from_numpy(truncated)
            self.count(reward, terminated | truncated)
            for i in np.flatnonzero(truncated):
                cut_off = torch.from_numpy(info["final_obs"][i])
                r.bootstrap[t, i] = self.agent.value(cut_off)
        r.last_value[:] = self.agent.value(torch.from_numpy(self.observation))

    def count(self, reward, done):
        self.running += reward
        self.returns += list(self.running[done])
        self.running[done] = 0
        self.steps += ENVIRONMENTS

    def update(self):
        r = self.rollout
        advantage, target = self.advantages(r)
        flat = [x.reshape(-1, *x.shape[2:])
                for x in (r.observation, r.action, r.logp, advantage, target)]
        size = STEPS * ENVIRONMENTS // MINIBATCHES
        for _ in range(EPOCHS):
            for chosen in torch.randperm(STEPS * ENVIRONMENTS).split(size):
                self.step(*(x[chosen] for x in flat))

    def step(self, observation, action, logp, advantage, target):
        distribution = self.agent.distribution(observation)
        ratio = (distribution.log_prob(action) - logp).exp()
        advantage = (advantage - advantage.mean()) / (advantage.std() + 1e-8)
        clipped = ratio.clamp(1 - CLIP, 1 + CLIP)
        loss = (-torch.min(ratio * advantage, clipped * advantage).mean()
                + 0.5 * (self.agent.value(observation) - target).square().mean()
                - 0.01 * distribution.entropy().mean())
        self.optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.agent.parameters(), 0.5)
        self.optimizer.step()

    def train(self, ends_when_solved=True, most_steps=MOST_STEPS):
        """Whether the score was reached."""
        while self.steps < most_steps:
            # Smaller steps towards the end: CartPole forgets easily.
            self.optimizer.param_groups[0]["lr"] = RATE * (1 - self.steps / most_steps)
            self.collect()
            self.update()
            mean = float(np.mean(self.returns[-100:])) if self.returns else 0.0
            self.curve.append((self.steps, mean))
            if ends_when_solved and len(self.returns) >= 100 and mean >= SOLVED:
                return True
        return False


def draw(file):
    """Both ways, three seeds each, side by side."""
    import matplotlib
    matplotlib.use("svg")
    from matplotlib import pyplot
    pyplot.rcParams["svg.hashsalt"] = "rlscan"
    figure, axes = pyplot.subplots(figsize=(7, 3.5))
    for advantages, name, style in ((advantages_by_loop, "loop over time", "C1--"),
                                    (advantages_by_rlscan, "rlscan.gae", "C0-")):
        for seed in range(3):
            trainer = Trainer(seed, advantages)
            trainer.train(ends_when_solved=False, most_steps=150_000)
            steps, means = zip(*trainer.curve)
            axes.plot(steps, means, style, linewidth=1, label=name if seed == 0 else None)
            print(f"{name}, seed {seed}: {means[-1]:.1f}", flush=True)
    axes.axhline(SOLVED, color="gray", linewidth=0.8)
    axes.set(xlabel="steps", ylabel="mean return of 100 episodes", title="PPO, CartPole-v1")
    axes.legend()
    figure.savefig(file, bbox_inches="tight", metadata={"Date": None})


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--loop", action="store_true")
    parser.add_argument("--curve", metavar="FILE.svg")
    options = parser.parse_args()
    torch.set_num_threads(1)  # the networks are small
    if options.curve:
        return draw(options.curve)
    start = time.perf_counter()
    trainer = Trainer(options.seed, advantages_by_loop if options.loop else advantages_by_rlscan)
    solved = trainer.train()
    print(f"{'solved' if solved else 'not solved'} after {trainer.steps} steps and "
          f"{len(trainer.returns)} episodes: {trainer.curve[-1][1]:.1f}, "
          f"{time.perf_counter() - start:.0f} s")
    return not solved


if __name__ == "__main__":
    sys.exit(main())
