"""Which marks are met: marks.json beside what was measured."""

import dataclasses
import json
import pathlib

from bench.results import geometric_mean

FILE = pathlib.Path(__file__).parents[1] / "marks.json"


@dataclasses.dataclass
class Verdict:
    name: str
    bound: str
    found: list  # (value, case) of all that the mark is about, the worst first
    missed: list  # those that miss it

    @property
    def state(self):
        return "not measured" if not self.found else "missed" if self.missed else "met"


def _within(value, bounds):
    least, most = bounds
    return (least is None or value >= least) and (most is None or value <= most)


def _is_of(case, where):
    """Whether a mark is about a case."""
    name = case.estimator.partition("/")[0]
    return (name in where.get("estimators", [name]) and name not in where.get("not", [])
            and case.shape in where.get("shapes", [case.shape])
            and _within(case.rows, where.get("rows", [None, None]))
            and _within(case.steps, where.get("steps", [None, None]))
            and _within(case.bytes / 1e6, where.get("mb", [None, None]))
            and all(getattr(case, k) == where[k] for k in ("order", "reals", "flags", "truncation")
                    if k in where))


def _measure(case, of):
    if of == "of_floor":
        return case.of_floor
    if of == "over_triton":
        return case.ratio("triton")
    mine = case.time(what="full")
    theirs = case.add_full if of == "of_add" else case.time("triton", "full")
    return mine / theirs if mine and theirs else None


def _verdict(mark, results):
    of, least, most = mark["of"], mark.get("least"), mark.get("most")
    bound = f">= {least:.2f}" if least is not None else f"<= {most:.2f}"
    if of == "geomean_triton":
        ratios = [r for r in (c.ratio("triton") for c in results.cases) if r]
        found = [(geometric_mean(ratios), f"{len(ratios)} cases")] if ratios else []
    else:
        values = [(_measure(c, of), c.about["case"]) for c in results.cases
                  if _is_of(c, mark["where"])]
        found = [(value, name) for value, name in values if value is not None]
    found.sort(reverse=least is None)
    return Verdict(mark["name"], bound, found,
                   [f for f in found if not _within(f[0], (least, most))])


def verdicts(results):
    """Of all marks that are of the results' device."""
    with open(FILE, encoding="utf-8") as file:
        marks = json.load(file)["marks"]
    return [_verdict(m, results) for m in marks if m["device"] == results.device]
