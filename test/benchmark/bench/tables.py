"""The report's tables, as rows of texts; Markdown and HTML write them."""

import dataclasses

from bench import marks
from bench.estimators import INPUTS
from bench.results import LABELS, geometric_mean


@dataclasses.dataclass
class Table:
    head: list
    rows: list


def number(x, digits=2):
    return "" if x is None else f"{x:.{digits}f}" if x < 1000 else f"{x:.0f}"


def _spread(t):
    return f"{number(t['median'])} ({number(t['min'])}-{number(t['max'])})"


def _device_head(results, peers):
    floor = "floor us" if results.device == "cuda" else "copy us"
    return ["rows x steps", "MB", "us (min-max)", floor, "of it", "GB/s",
            *(f"{LABELS[p]} / rlscan" for p in peers)]


def _device_row(case, peers):
    mine = case.time()
    times = case.peers["rlscan"].get("device") if mine else None
    return [f"{case.rows} x {case.steps}", number(case.bytes / 1e6, 1),
            _spread(times) if mine else case.peers.get("rlscan", {}).get("status", ""),
            number(case.floor["median"]), number(case.of_floor, 3),
            number(case.bytes / mine / 1e3, 0) if mine else "",
            *(number(case.ratio(p)) for p in peers)]


def device(results, cases):
    """Device times of cases that differ by shape alone."""
    peers = [p for p in results.peers[1:] if any(c.time(p) for c in cases)]
    return Table(_device_head(results, peers), [_device_row(c, peers) for c in cases])


def others(results):
    """All cases but the plain ones of gae."""
    plain = results.plain()
    cases = [c for c in results.cases if c not in plain]
    names = list(INPUTS)
    cases.sort(key=lambda c: (names.index(c.estimator.partition("/")[0]), c.estimator,
                              c.truncation, c.order, c.reals, c.flags, -c.rows, c.steps))
    peers = [p for p in results.peers[1:] if any(c.time(p) for c in cases)]
    head = ["estimator", "arrays", *_device_head(results, peers)]
    return Table(head, [[c.label, c.kind, *_device_row(c, peers)] for c in cases])


def calls(results, cases):
    """Full calls, host time and launches; torch.add of the shape beside."""
    cuda = results.device == "cuda"
    peers = [p for p in results.peers if any(c.time(p, "full") for c in cases)]
    head = ["estimator", "rows x steps", "torch.add us", *(f"{LABELS[p]} us" for p in peers)]
    if cuda:
        head += [f"{LABELS[p]} host us" for p in peers] + [f"{LABELS[p]} launches" for p in peers]
    rows = []
    for c in cases:
        row = [c.label, f"{c.rows} x {c.steps}", number(c.add_full, 1),
               *(number(c.time(p, "full"), 1) for p in peers)]
        if cuda:
            row += [number(c.time(p, "host"), 1) for p in peers]
            row += [number((c.peers.get(p, {}).get("device") or {}).get("launches"), 0)
                    for p in peers]
        rows.append(row)
    return Table(head, rows)


def ratios(results):
    """How often each peer takes how many times rlscan's time."""
    rows = []
    for p in results.peers[1:]:
        found = [(c.ratio(p), c) for c in results.cases if c.ratio(p)]
        least, most = min(found, key=lambda f: f[0]), max(found, key=lambda f: f[0])
        full = [c.ratio(p, "full") for c in results.cases if c.ratio(p, "full")]
        rows.append([LABELS[p], str(len(found)), number(geometric_mean([f[0] for f in found])),
                     f"{number(least[0])} ({least[1].about['case']})",
                     f"{number(most[0])} ({most[1].about['case']})",
                     number(geometric_mean(full))])
    return Table(["peer", "cases", "geometric mean", "least", "most", "full calls, mean"], rows)


def of_marks(results):
    rows = []
    for v in marks.verdicts(results):
        count = f"{len(v.found) - len(v.missed)} of {len(v.found)}" if v.found else ""
        worst = f"{v.found[0][0]:.3f} ({v.found[0][1]})" if v.found else ""
        rows.append([v.name, v.bound, f"**{v.state}**" if v.state == "missed" else v.state,
                     count, worst])
    return Table(["mark", "wanted", "", "cases that meet it", "worst"], rows)


def missed(results):
    return Table(["mark", "wanted", "case", "found"],
                 [[v.name, v.bound, name, f"{value:.3f}"]
                  for v in marks.verdicts(results) for value, name in v.missed])


def updates(results):
    measured = [r for r in results.updates if r["status"] == "measured"]
    peers = [p for p in LABELS if any(r["peer"] == p for r in measured)]
    rows = []
    for hidden in sorted({r["hidden"] for r in measured}):
        mine = {r["peer"]: r for r in measured if r["hidden"] == hidden}
        total = mine.get("rlscan", next(iter(mine.values())))
        cells = []
        for p in peers:
            r = mine.get(p)
            cells.append(f"{number(r['advantage_us'], 0)} "
                         f"({100 * r['advantage_us'] / r['total_us']:.2f} %)" if r else "")
        rows.append([str(hidden), number(total["total_us"] / 1e3, 1), *cells])
    return Table(["hidden units", "update ms", *(f"{LABELS[p]} us (share)" for p in peers)], rows)


def troubles(results):
    """Peers that are missing, refused or failed; cases that were left out."""
    rows = [["all", LABELS[p], "missing", why] for p, why in results.missing.items()]
    rows += [[case, LABELS.get(peer, peer), status, why]
             for case, peer, status, why in results.troubles()]
    rows += [[case, "all", "left out", why] for case, why in results.left_out.items()]
    return Table(["case", "peer", "", "why"], rows)


def environment(results):
    last, gpu = results.stamps[-1], results.stamps[-1].get("gpu", {})
    rows = [["date", ", ".join(s["date"] for s in results.stamps)],
            ["command", "; ".join(dict.fromkeys(s["command"] for s in results.stamps))]]
    rows += [[k, str(v)] for k, v in gpu.items()]
    clocks = [c.sm_clock for c in results.cases if c.about.get("sm_clock")]
    if clocks:
        rows.append(["SM clock at the cases", f"{min(clocks)} to {max(clocks)} MHz"])
    rows += [["CPU", f"{last['cpu']}, {last['cores']} cores, {last['threads']} threads"],
             ["system", last["system"]],
             ["versions", ", ".join(f"{k} {v}" for k, v in last["versions"].items())]]
    if last.get("commit"):
        rows.append(["commit", last["commit"]])
    return Table(["", ""], rows)
