"""A file of records, as the report reads it: cases with their peers."""

import dataclasses
import json
import math

LABELS = {"rlscan": "rlscan", "triton": "Triton", "rl-triton": "rl-triton",
          "torch-compile": "torch.compile", "jax": "JAX", "torchrl": "TorchRL",
          "torch-loop": "torch loop", "numba": "numba", "numpy-loop": "numpy loop"}


@dataclasses.dataclass
class Result:
    """A case: its own record, and its peers' by name."""
    about: dict
    peers: dict

    def __getattr__(self, name):
        try:
            return self.about[name]
        except KeyError:
            raise AttributeError(name) from None

    @property
    def shape(self):
        return f"{self.rows}x{self.steps}"

    @property
    def label(self):
        """Of its estimator, with what it is given."""
        return self.estimator + (", truncation" if self.truncation else "")

    @property
    def kind(self):
        return f"[{'N,T' if self.order == 'nt' else 'T,N'}] {self.reals}, flags {self.flags}"

    @property
    def bytes(self):
        return self.read + self.written

    def time(self, peer="rlscan", what="device"):
        """Microseconds, or None."""
        record = self.peers.get(peer, {})
        if record.get("status") != "measured":
            return None
        return record["device"]["median"] if what == "device" else record.get(what)

    def ratio(self, peer, what="device"):
        """How many times rlscan's time a peer takes, or None."""
        mine, theirs = self.time(what=what), self.time(peer, what)
        return theirs / mine if mine and theirs else None

    @property
    def of_floor(self):
        mine = self.time()
        return self.floor["median"] / mine if mine else None


@dataclasses.dataclass
class Results:
    stamps: list
    missing: dict  # peer: why
    cases: list
    left_out: dict  # case: why
    updates: list  # records of shares of an update

    @property
    def device(self):
        return self.stamps[0]["device"]

    @property
    def peers(self):
        """Names of those that were measured anywhere, in the order of the columns."""
        return [n for n in LABELS if any(c.time(n) for c in self.cases)]

    def find(self, **words):
        return [c for c in self.cases if all(getattr(c, k) == v for k, v in words.items())]

    def plain(self, estimator="gae"):
        """[N, T], f32, without truncation: every shape once."""
        found = self.find(estimator=estimator, order="nt", reals="f32", flags="f32",
                          truncation=False)
        return sorted(found, key=lambda c: (-c.rows, c.steps))

    def troubles(self):
        """(case, peer, status, why) of all that was not measured."""
        found = [(str(c.about["case"]), r["peer"], r["status"], r["why"]) for c in self.cases
                 for r in c.peers.values() if r["status"] != "measured"]
        found += [(r["case"], r["peer"], r["status"], r["why"]) for r in self.updates
                  if r["status"] != "measured"]
        return found


def read(path):
    with open(path, encoding="utf-8") as file:
        records = [json.loads(line) for line in file if line.endswith("\n")]
    stamps = [r["stamp"] for r in records if "stamp" in r]
    if not stamps:
        raise ValueError(f"{path}: no results of compare.py")
    missing = {r["peer"]: r["missing"] for r in records if "missing" in r}
    cases, peers, left_out, updates = {}, {}, {}, {}
    for r in records:  # what comes later holds
        if "floor" in r:
            cases[r["case"]] = r
            left_out.pop(r["case"], None)
        elif "left_out" in r:
            left_out[r["case"]] = r["left_out"]
        elif "hidden" in r:
            updates[r["case"], r["peer"]] = r
            left_out.pop(r["case"], None)
        elif "status" in r:
            peers.setdefault(r["case"], {})[r["peer"]] = r
    found = [Result(about, peers.get(name, {})) for name, about in cases.items()]
    return Results(stamps, missing, found, left_out, list(updates.values()))


def geometric_mean(numbers):
    return math.exp(sum(map(math.log, numbers)) / len(numbers)) if numbers else None
