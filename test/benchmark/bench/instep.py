"""What the advantages are of a PPO update, with each way to compute them.

One update: advantages of a rollout [N, T], then epochs of minibatches through policy
and critic, networks of two hidden layers, with Adam. Both parts are timed in it.
"""

import torch
from torch import nn

from bench import estimators, gate, timing
from bench.cases import Case

HIDDEN = (64, 256, 1024)
PEERS = ("rlscan", "triton", "torch-compile", "torch-loop", "numba", "numpy-loop")
OBSERVATIONS, ACTIONS, EPOCHS, MINIBATCHES = 48, 12, 4, 4
ROLLOUTS = {("cuda", False): (4096, 128), ("cuda", True): (1024, 128),
            ("cpu", False): (32, 128), ("cpu", True): (8, 32)}


def case_of(device, quick):
    return Case("gae", *ROLLOUTS[device, quick])


class Update:
    def __init__(self, case, hidden, device):
        def network(outputs):
            return nn.Sequential(nn.Linear(OBSERVATIONS, hidden), nn.Tanh(),
                                 nn.Linear(hidden, hidden), nn.Tanh(),
                                 nn.Linear(hidden, outputs)).to(device)

        torch.manual_seed(0)
        self.policy, self.critic = network(ACTIONS), network(1)
        parameters = [*self.policy.parameters(), *self.critic.parameters()]
        self.optimizer = torch.optim.Adam(parameters, lr=3e-4)
        samples = case.rows * case.steps
        self.observation = torch.randn(samples, OBSERVATIONS, device=device)
        self.action = torch.randint(0, ACTIONS, (samples,), device=device)
        with torch.no_grad():
            self.logp = self.log_probabilities(slice(None))

    def log_probabilities(self, batch):
        logits = torch.log_softmax(self.policy(self.observation[batch]), -1)
        return logits.gather(1, self.action[batch, None])[:, 0]

    def epochs(self, advantage, target):
        advantage, target = advantage.reshape(-1), target.reshape(-1)
        advantage = (advantage - advantage.mean()) / (advantage.std() + 1e-8)
        for _ in range(EPOCHS):
            order = torch.randperm(len(advantage), device=advantage.device)
            for batch in order.chunk(MINIBATCHES):
                ratio = (self.log_probabilities(batch) - self.logp[batch]).exp()
                gain = torch.min(ratio * advantage[batch],
                                 ratio.clamp(0.8, 1.2) * advantage[batch]).mean()
                value = self.critic(self.observation[batch])[:, 0]
                loss = (value - target[batch]).square().mean() / 2 - gain
                self.optimizer.zero_grad(set_to_none=True)
                loss.backward()
                self.optimizer.step()


def _one(clock, update, prepared):
    """Microseconds of the advantages, and of the whole."""
    found = []

    def advantages():
        found[:] = [prepared.as_torch(y) for y in prepared.call(prepared.sets[0])]

    first = clock.once(advantages)
    return first, first + clock.once(lambda: update.epochs(*found))


def measure(hidden, peers, device, clock, quick, repeats=3):
    """A record a peer."""
    case = case_of(device, quick)
    sets = estimators.draw(case, 1, device)
    right = gate.expected(case, sets[0])
    update = Update(case, hidden, device)
    for peer in peers:
        record = {"case": f"update {hidden}", "peer": peer.name, "hidden": hidden,
                  "rows": case.rows, "steps": case.steps}
        try:
            prepared = peer.prepare(case, sets, device)
            gate.check(case, [prepared.as_torch(y) for y in prepared.call(prepared.sets[0])], right)
            _one(clock, update, prepared)
            times = [_one(clock, update, prepared) for _ in range(repeats)]
        except Exception as error:
            clock.wait()
            yield {**record, "status": "failed", "why": f"{type(error).__name__}: {error}"[:300]}
            continue
        yield {**record, "status": "measured",
               "advantage_us": timing.median([t[0] for t in times]),
               "total_us": timing.median([t[1] for t in times])}
