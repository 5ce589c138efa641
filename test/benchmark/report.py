"""Writes the report of a file that compare.py made: Markdown, pictures, one HTML page.

    python test/benchmark/report.py out/results.jsonl -o out
    python test/benchmark/report.py out/results.jsonl --docs docs     # for the project

OUT/benchmark-DEVICE.md, OUT/images/benchmark-DEVICE-*.svg and OUT/benchmark-DEVICE.html;
with --docs no HTML. Nothing is measured. Where matplotlib is not, there are no pictures.
"""

import argparse
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

from bench import page, results, tables  # noqa: E402 beside this file

METHOD = {
    "cuda": (
        "- **us** is device time: replays of a CUDA graph of 200 calls or as many as fit, each of "
        "the next of several sets of inputs that together exceed 250 MB, past the cache; results "
        "of all calls have places of their own. The median of 11 replays, in turns with the floor "
        "and all peers, and the least and the most.\n"
        "- **floor** is the fastest of several kernels that read as many bytes and write as many, "
        "16 at a time, and do nothing else, measured alike. Bytes are those of the call's arrays, "
        "each counted once.\n"
        "- **full calls** are timed with events around one call, the device awaited before: 20 "
        "calls to warm up, then the least of five medians of 50. `host` is how long the caller's "
        "thread is busy, of 20 calls in a row. Calls longer than 5 ms are repeated less.\n"
        "- JAX cannot be put into a graph of PyTorch's: its device time is a fiftieth of 50 calls "
        "in a row, of which the last is awaited; its full call lasts until the results are there."),
    "cpu": (
        "- **us** is the time of a call into arrays that are there, of rlscan and numba; what has "
        "no such call makes its own. The median of up to 25 turns, in turns with the copy and all "
        "peers, and the least and the most. One set of inputs: small arrays stay in the caches.\n"
        "- **copy** is the faster of PyTorch's copy and one `memmove` a thread, of half of the "
        "bytes, which are read and written. Bytes are those of the call's arrays, each counted "
        "once.\n"
        "- **full calls** make their results. All use all cores, but for the loops' Python; "
        "`OMP_WAIT_POLICY=passive`, so that no library's threads spin while the next is measured."),
}
GATE = (
    "- Before anything is timed, results of all are compared with the papers' equations in float64 "
    "by NumPy (`bench/reference.py`), 1e-4 absolute and relative; with bf16, what storing a result "
    "so may lose is added. What computes something else is refused, and listed below.\n"
    "- A ratio is a peer's time divided by rlscan's: above 1 rlscan is faster. rl-triton's gae "
    "gives the advantages alone, rlscan's the targets too.")
PEERS = (
    "- **Triton**: a fused kernel an estimator on `tl.associative_scan`, one program a row, the "
    "fastest number of warps; in [T, N] it copies its inputs first, as such kernels' wrappers do\n"
    "- **rl-triton**: the project itself, where a checkout is given\n"
    "- **torch.compile**: a scan that doubles its reach log2(T) times, and all around it\n"
    "- **JAX**: `jax.lax.associative_scan` under `jit`\n"
    "- **TorchRL**: its vectorised functional\n"
    "- **torch loop**, **numpy loop**: coefficients first, then a loop of one or two operations a "
    "step\n"
    "- **numba**: the loop over time in machine code, rows on all threads")


def _pictures(found, folder, prefix):
    try:
        from bench import plots
    except ImportError as error:
        print(f"no pictures: {error}", file=sys.stderr)
        return {}
    return {path.stem.removeprefix(f"{prefix}-"): (path, caption)
            for path, caption in plots.draw(found, folder, prefix)}


def _notes(path):
    """Paragraphs that somebody wrote about the numbers."""
    return pathlib.Path(path).read_text().strip().split("\n\n") if path else []


def parts_of(found, pictures, notes):
    """The report, a list of what bench.page writes."""
    stamp = found.stamps[-1]
    cores = f"{stamp['cores']} cores of {stamp['cpu']}"
    where = f"One {stamp['gpu']['name']}" if "gpu" in stamp else f"On {cores}"
    plain = found.plain()

    def shown(*names):
        return [pictures[n] for n in names if n in pictures]

    parts = [f"{where}, {stamp['date'][:10]}, measured by `test/benchmark/compare.py` in one "
             "run of rlscan's Python package and its peers on the same inputs.",
             ("Generalized advantage estimation",), *shown("floor"),
             tables.device(found, plain), *shown("steps", "crossover"),
             ("Beside the peers",), tables.ratios(found), *shown(*found.peers),
             ("Marks",), "What the project wants, and how much of it there is.",
             tables.of_marks(found)]
    missed = tables.missed(found)
    if missed.rows:
        parts += ["Every case that misses one:", missed]
    parts += notes
    parts += [("All other cases",), tables.others(found),
              ("Calls from Python",), tables.calls(found, plain),
              ("In a PPO update",)]
    if found.updates:
        shape = f"{found.updates[0]['rows']} x {found.updates[0]['steps']}"
        parts += [f"Of gae over {shape} and four epochs of four minibatches through two networks "
                  "of two hidden layers: what the advantages take in the update, and its share. "
                  "Where all are far below a percent, it does not matter which one is taken.",
                  tables.updates(found), *shown("update")]
    else:
        parts.append("Not measured.")
    parts += [("How it is measured",), METHOD[found.device], GATE, "The peers:", PEERS]
    troubles = tables.troubles(found)
    parts += [("What was not measured",)]
    parts.append(troubles if troubles.rows else "Nothing: no peer was missing, refused or failed.")
    parts += [("Where",), tables.environment(found)]
    return parts


def write(path, output, html=True, notes=None):
    """The files of a report, in a folder."""
    found = results.read(path)
    if not found.cases:
        sys.exit(f"{path}: nothing was measured")
    folder, prefix = pathlib.Path(output), f"benchmark-{found.device}"
    folder.mkdir(parents=True, exist_ok=True)
    parts = parts_of(found, _pictures(found, folder / "images", prefix), _notes(notes))
    device = {"cuda": "a GPU", "cpu": "the CPU"}[found.device]
    title = f"rlscan and its peers on {device}"
    (folder / f"{prefix}.md").write_text(page.markdown(title, parts, folder))
    if html:
        (folder / f"{prefix}.html").write_text(page.page(title, parts))


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results", help="results.jsonl of compare.py")
    parser.add_argument("-o", "--output", default=".", help="a folder")
    parser.add_argument("--docs", metavar="FOLDER", help="Markdown and pictures alone, there")
    parser.add_argument("--notes", metavar="FILE",
                        help="paragraphs in Markdown that follow the marks: causes of misses")
    options = parser.parse_args(arguments)
    try:
        write(options.results, options.docs or options.output, not options.docs, options.notes)
    except (OSError, ValueError) as error:
        sys.exit(f"error: {error}")


if __name__ == "__main__":
    main(sys.argv[1:])
