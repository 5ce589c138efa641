"""What is measured: cases, and the plans that list them.

A line of a plan has six columns, each a list with commas, and stands for all of their
products:

    estimators   shapes            order   reals  flags  with
    gae,vtrace   4096x128,512x64   nt,tn   f32    f32    -,truncation

`retrace/4` has four actions. A line that ends with `all` is for every peer, others for
those that take little time to prepare.
"""

import dataclasses
import itertools

from bench import estimators

ORDERS, REALS, FLAGS, WITH = ("nt", "tn"), ("f32", "bf16"), ("f32", "u8"), ("-", "truncation")


@dataclasses.dataclass(frozen=True)
class Case:
    estimator: str
    rows: int
    steps: int
    order: str = "nt"
    reals: str = "f32"
    flags: str = "f32"
    truncation: bool = False
    actions: int = 0
    every_peer: bool = dataclasses.field(default=False, compare=False)

    @property
    def shape(self):
        return f"{self.rows}x{self.steps}"

    @property
    def label(self):
        return self.estimator + (f"/{self.actions}" if self.actions else "")

    def __str__(self):
        words = (self.label, self.shape, self.order, self.reals, self.flags,
                 "truncation" if self.truncation else "-")
        return " ".join(words)


def _word(word, known, what):
    if word not in known:
        raise ValueError(f"{what} '{word}': expected one of {', '.join(known)}")
    return word


def _case(label, shape, order, reals, flags, with_, every_peer):
    name, _, actions = label.partition("/")
    rows, _, steps = shape.partition("x")
    if not (rows.isdigit() and steps.isdigit() and int(rows) and int(steps)):
        raise ValueError(f"shape '{shape}': expected ROWSxSTEPS")
    _word(name, estimators.INPUTS, "estimator")
    if (name == "retrace") != actions.isdigit():
        raise ValueError(f"estimator '{label}': actions, as in retrace/4, are of retrace alone")
    truncation = _word(with_, WITH, "with") == "truncation"
    if truncation and "truncated" not in estimators.INPUTS[name]:
        raise ValueError(f"estimator '{label}' knows no truncation")
    return Case(name, int(rows), int(steps), _word(order, ORDERS, "order"),
                _word(reals, REALS, "reals"), _word(flags, FLAGS, "flags"), truncation,
                int(actions or 0), every_peer)


def read_plan(path):
    """The cases of a plan, each once, in its order."""
    found = {}
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            words = line.partition("#")[0].split()
            if not words:
                continue
            every_peer = words[-1] == "all"
            columns = [word.split(",") for word in words[:6]]
            try:
                if len(words) != 6 + every_peer:
                    raise ValueError(f"{len(words)} columns, expected six, and `all` or nothing")
                for column in itertools.product(*columns):
                    case = _case(*column, every_peer)
                    found.setdefault(str(case), case)
            except ValueError as error:
                raise ValueError(f"{path}:{number}: {error}") from None
    return list(found.values())
