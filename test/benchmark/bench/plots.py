"""The report's pictures, SVG files; they need matplotlib.

Each function draws one and says what it shows, or gives None where nothing was
measured that it could show.
"""

import math
import pathlib

import matplotlib

matplotlib.use("svg")
import matplotlib.pyplot as plt  # noqa: E402 after the backend is chosen
from matplotlib.colors import TwoSlopeNorm  # noqa: E402
from matplotlib.ticker import LogLocator  # noqa: E402

from bench.results import LABELS  # noqa: E402

plt.rcParams.update({"svg.hashsalt": "rlscan", "svg.fonttype": "none", "font.size": 9,
                     "axes.spines.top": False, "axes.spines.right": False,
                     "figure.constrained_layout.use": True})
COLORS = dict(zip(LABELS, ("#1b6ca8", "#d1495b", "#edae49", "#4f9d69", "#8d6cab", "#e377c2",
                           "#8a8d91", "#17becf", "#8c6d46")))
FLOOR = "#444444"


def _bars(axes, labels, values, bound):
    places = range(len(labels))
    colors = ["#1b6ca8" if v >= bound else "#d1495b" for v in values]
    axes.barh(places, values, color=colors, height=0.7)
    axes.set_yticks(places, labels)
    axes.invert_yaxis()
    axes.set_xlim(0, 1.05)
    axes.axvline(1, color=FLOOR, linewidth=0.8)
    for place, value in zip(places, values):
        axes.text(value + 0.01, place, f"{value:.2f}", va="center", fontsize=7)


def of_floor(results):
    """gae, [N, T], f32: the fraction of the floor by shape."""
    cases = [c for c in results.plain() if c.of_floor]
    if not cases:
        return None
    figure, axes = plt.subplots(figsize=(6.4, 0.8 + 0.22 * len(cases)))
    _bars(axes, [f"{c.rows} x {c.steps}" for c in cases], [c.of_floor for c in cases],
          0.9 if results.device == "cuda" else 0.7)
    axes.set_xlabel("time of the floor / time of rlscan")
    return figure, ("Generalized advantage estimation, rows x steps, f32: how near rlscan is to "
                    "moving the same bytes and nothing else")


def _grid(results, peer, what):
    """Ratios of a peer by estimator and shape; rows, columns, cells."""
    cases = [c for c in results.cases if c.ratio(peer, what) and c.reals == "f32"
             and c.flags == "f32"]
    lines = list(dict.fromkeys(c.label + (" [T,N]" if c.order == "tn" else "") for c in cases))
    shapes = sorted({(c.rows, c.steps) for c in cases}, key=lambda s: (s[1], s[0]))
    cells = [[math.nan] * len(shapes) for _ in lines]
    for c in cases:
        line = c.label + (" [T,N]" if c.order == "tn" else "")
        cells[lines.index(line)][shapes.index((c.rows, c.steps))] = c.ratio(peer, what)
    return lines, shapes, cells


def ratios(results, peer):
    """A heat map: how many times rlscan's device time a peer takes."""
    lines, shapes, cells = _grid(results, peer, "device")
    if not lines:
        return None
    figure, axes = plt.subplots(figsize=(1.9 + 0.42 * len(shapes), 1.0 + 0.27 * len(lines)))
    logs = [[math.log2(x) if x == x else math.nan for x in row] for row in cells]
    axes.imshow(logs, norm=TwoSlopeNorm(0, -1.5, 4), cmap="RdBu", aspect="auto")
    for y, row in enumerate(cells):
        for x, value in enumerate(row):
            if value == value:
                text = f"{value:.1f}" if value < 99.5 else f"{value:.0f}"
                axes.text(x, y, text, ha="center", va="center", fontsize=7,
                          color="white" if value > 6 else "black")
    axes.set_xticks(range(len(shapes)), [f"{n} x {t}" for n, t in shapes], rotation=60,
                    ha="right", fontsize=7)
    axes.set_yticks(range(len(lines)), lines, fontsize=7)
    return figure, (f"{LABELS[peer]}: how many times rlscan's time it takes; above 1, which is "
                    "white, rlscan is faster")


def _lines(axes, cases, peers, floor):
    for name in peers:
        points = [(c.steps, c.time(name)) for c in cases if c.time(name)]
        if points:
            axes.plot(*zip(*points), marker="o", markersize=3, linewidth=1.2,
                      color=COLORS[name], label=LABELS[name])
    axes.plot([c.steps for c in cases], [c.floor["median"] for c in cases], color=FLOOR,
              linestyle=":", linewidth=1.2, label=floor)
    axes.set_yscale("log")
    _steps(axes)


def _steps(axes):
    """The axis of steps: numbers as they are written elsewhere."""
    axes.set_xscale("log", base=2)
    axes.xaxis.set_major_formatter(lambda x, _: f"{x / 1024:.0f}k" if x >= 10_000 else f"{x:.0f}")
    axes.xaxis.set_major_locator(LogLocator(base=2, numticks=7))
    axes.set_xlabel("steps a row")


def _legend(figure, all_axes, columns):
    """One for all of a figure's axes, below them."""
    handles = {}
    for axes in all_axes:
        handles.update(zip(*reversed(axes.get_legend_handles_labels())))
    figure.legend(handles.values(), handles.keys(), loc="outside lower center", ncols=columns,
                  frameon=False, fontsize=8)


def over_steps(results):
    """Time against T, for the numbers of rows that have the most lengths."""
    plain = results.plain()
    by_rows = {n: sorted((c for c in plain if c.rows == n), key=lambda c: c.steps)
               for n in {c.rows for c in plain}}
    chosen = sorted((n for n in by_rows if len(by_rows[n]) > 1),
                    key=lambda n: (-len(by_rows[n]), n))[:3]
    if not chosen:
        return None
    figure, all_axes = plt.subplots(1, len(chosen), figsize=(3 * len(chosen), 3), squeeze=False)
    for axes, rows in zip(all_axes[0], sorted(chosen)):
        _lines(axes, by_rows[rows], results.peers,
               "floor" if results.device == "cuda" else "copy")
        axes.set_title(f"{rows} rows", fontsize=9)
    all_axes[0][0].set_ylabel("us")
    _legend(figure, all_axes[0], 2 + len(chosen))
    return figure, "gae: time against the steps of a row"


def crossover(results):
    """Ratios against T: where a peer would cross 1."""
    cases = [c for c in results.plain() if c.time()]
    peers = [p for p in results.peers[1:] if any(c.ratio(p) for c in cases)]
    if not peers:
        return None
    kinds = ("device", "full") if results.device == "cuda" else ("device",)
    figure, all_axes = plt.subplots(1, len(kinds), figsize=(1.2 + 3.6 * len(kinds), 3.2),
                                    squeeze=False, sharey=True)
    for axes, what in zip(all_axes[0], kinds):
        for p in peers:
            points = [(c.steps, c.ratio(p, what)) for c in cases if c.ratio(p, what)]
            axes.scatter(*zip(*points), s=14, color=COLORS[p], label=LABELS[p])
        axes.axhline(1, color=FLOOR, linewidth=0.8)
        axes.set_yscale("log")
        _steps(axes)
        axes.set_title({"device": "device time" if len(kinds) > 1 else "time",
                        "full": "full call"}[what], fontsize=9)
    all_axes[0][0].set_ylabel("times rlscan's")
    _legend(figure, all_axes[0], 2 + len(kinds))
    return figure, ("gae, all shapes: how many times rlscan's time the others take, against the "
                    "steps of a row; below the line rlscan is the slower one")


def shares(results):
    """What the advantages are of an update."""
    measured = [r for r in results.updates if r["status"] == "measured"]
    if not measured:
        return None
    hidden = sorted({r["hidden"] for r in measured})
    peers = [p for p in LABELS if any(r["peer"] == p for r in measured)]
    figure, axes = plt.subplots(figsize=(5.6, 2.8))
    width = 0.8 / len(peers)
    for i, p in enumerate(peers):
        mine = {r["hidden"]: 100 * r["advantage_us"] / r["total_us"] for r in measured
                if r["peer"] == p}
        axes.bar([x + i * width for x in range(len(hidden)) if hidden[x] in mine],
                 [mine[h] for h in hidden if h in mine], width, color=COLORS[p], label=LABELS[p])
    axes.set_yscale("log")
    axes.set_xticks([x + 0.4 - width / 2 for x in range(len(hidden))], hidden)
    axes.set_xlabel("hidden units of the networks")
    axes.set_ylabel("% of a PPO update")
    axes.legend(frameon=False, fontsize=8)
    return figure, "The share of a PPO update that its advantages take"


def draw(results, folder, prefix):
    """Writes all pictures: (path, what it shows) each."""
    pathlib.Path(folder).mkdir(parents=True, exist_ok=True)
    wanted = [("floor", of_floor), ("steps", over_steps), ("crossover", crossover),
              ("update", shares)]
    wanted[1:1] = [(p, lambda r, p=p: ratios(r, p)) for p in results.peers[1:]
                   if sum(1 for c in results.cases if c.ratio(p)) > 5]
    found = []
    for name, function in wanted:
        drawn = function(results)
        if drawn is None:
            continue
        figure, caption = drawn
        path = pathlib.Path(folder) / f"{prefix}-{name}.svg"
        figure.savefig(path, metadata={"Date": None, "Creator": None})
        plt.close(figure)
        # Lines end where their text ends.
        path.write_text("\n".join(x.rstrip() for x in path.read_text().splitlines()) + "\n")
        found.append((path, caption))
    return found
