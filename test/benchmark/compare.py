"""rlscan beside its peers, on the same inputs in one run; report.py writes the report.

    PYTHONPATH=build/python python test/benchmark/compare.py --device=cuda -o out

What all compute is compared with a float64 reference before anything is timed. Results
are appended to OUT/results.jsonl; --resume takes such a file and measures what it has not.
"""

import argparse
import os
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
# Threads of one library do not go on spinning while the next one is measured.
os.environ.setdefault("OMP_WAIT_POLICY", "passive")

import torch  # noqa: E402 after the variable

import report  # noqa: E402 beside this file
from bench import environment  # noqa: E402
from bench.run import Journal, run  # noqa: E402
from peers import all_peers  # noqa: E402

MINUTES = {False: 8.5, True: 1.5}  # after which no case is begun


def parsed(arguments):
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--device", choices=("cuda", "cpu"), default="cuda")
    parser.add_argument("--quick", action="store_true", help="few cases, two minutes")
    parser.add_argument("--plan", help="a plan of one's own: bench/cases.py")
    parser.add_argument("--rl-triton", metavar="PATH", help="a checkout of rl-triton")
    parser.add_argument("--peers", help="names with commas: only these, and rlscan")
    parser.add_argument("--without", default="", help="names with commas: not these")
    parser.add_argument("--minutes", type=float, help="after which no case is begun")
    parser.add_argument("--resume", metavar="FILE", help="results of a run that ended early")
    parser.add_argument("-o", "--output", default="benchmark", help="a folder")
    return parser.parse_args(arguments)


def chosen_peers(options):
    peers = all_peers(options.rl_triton)
    names = [p.name for p in peers]
    only = options.peers.split(",") if options.peers else names
    without = [n for n in options.without.split(",") if n]
    for name in only + without:
        if name not in names:
            raise ValueError(f"no peer '{name}': expected one of {', '.join(names)}")
    return [p for p in peers if p.name not in without and (p.name in only or p.name == "rlscan")]


def main(arguments):
    options = parsed(arguments)
    if options.device == "cuda" and not torch.cuda.is_available():
        sys.exit("error: PyTorch sees no GPU: --device=cpu")
    plan = options.plan or HERE / "plans" / (("quick-" if options.quick else "")
                                             + f"{options.device}.plan")
    os.makedirs(options.output, exist_ok=True)
    journal = Journal(options.resume or os.path.join(options.output, "results.jsonl"))
    if journal.records and not options.resume:
        sys.exit(f"{journal.path} is there: give it to --resume, or another folder to -o")
    minutes = options.minutes or MINUTES[options.quick]
    try:
        peers = chosen_peers(options)
        stamp = environment.stamp(options.device, arguments)
        complete = run(plan, peers, options.device, journal, minutes, stamp, options.quick)
    except ValueError as error:
        sys.exit(f"error: {error}")
    report.write(journal.path, options.output)
    if not complete:
        print(f"time was up; for the rest: --resume {journal.path}", file=sys.stderr)


if __name__ == "__main__":
    main(sys.argv[1:])
