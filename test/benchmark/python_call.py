"""What a call from Python costs, beside torch.add of the same shape.

    PYTHONPATH=build/python python test/benchmark/python_call.py [--device=cuda]

For the seven estimators, with and without truncation, at 4096 x 128: the time of a
full call (on a GPU one between two events, which is awaited, as in bench/timing.py), of
calls in a row (the device awaited at the end), the time that the caller's thread is
busy with one, and that of the operator that torch.compile sees. torch.add is measured
again in the same rounds as each of them, as clocks drift; where an input is larger than
a step input, torch.add over arrays of as many bytes is as well.
"""

import argparse
import pathlib
import sys
import time

import torch

import rlscan

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "python"))
sys.path.insert(0, str(pathlib.Path(__file__).parent))
import inputs  # noqa: E402 of the tests
from bench.timing import CudaClock  # noqa: E402
from inputs import draw, signature_of  # noqa: E402

ESTIMATORS = ("gae", "vtrace", "retrace", "td_lambda", "discounted_return", "eligibility_trace",
              "episodic_prefix_sum")
ENDS = ("truncated", "bootstrap")
inputs.ACTIONS = 4  # entries of retrace's axis


def median(numbers):
    return sorted(numbers)[len(numbers) // 2]


class Timer:
    """Microseconds a call of some functions, medians of rounds, all in turns."""

    def __init__(self, device, calls, rounds):
        self.device, self.calls, self.rounds = device, calls, rounds

    def wait(self):
        if self.device == "cuda":
            torch.cuda.synchronize()

    def full(self, functions):
        if self.device == "cuda":
            return CudaClock().full(functions)
        return self.in_a_row(functions)

    def in_a_row(self, functions):
        return self._in_turns(functions, self.calls, self.wait)

    def host(self, functions):
        """Few calls at a time, which the device's queue takes; it is not awaited."""
        return self._in_turns(functions, 20, lambda: None)

    def _in_turns(self, functions, calls, end):
        times = {name: [] for name in functions}
        for _ in range(self.rounds):
            for name, function in functions.items():
                self.wait()
                start = time.perf_counter()
                for _ in range(calls):
                    function()
                end()
                times[name].append((time.perf_counter() - start) / calls * 1e6)
        self.wait()
        return {name: median(numbers) for name, numbers in times.items()}


def inputs_of(name, rows, steps, truncation, device):
    arrays = [a for a in signature_of(name).arrays
              if not a.is_of_rows and (truncation or a.name not in ENDS)]
    drawn = draw(name, rows, steps, present={a.name for a in arrays})
    return {k: torch.tensor(x).to(torch.float32 if x.dtype.kind == "f" else None).to(device)
            for k, x in drawn.items()}


def additions(shape, given, device):
    """torch.add of the shape, and over as many bytes as the largest input has."""
    x, y = (torch.randn(*shape, device=device) for _ in range(2))
    functions = {"add": lambda: torch.add(x, y)}
    largest = max(a.nbytes for a in given.values()) // 4
    if largest > 2 * x.numel():  # an index, which has twice the bytes, does not count
        u, v = (torch.randn(largest, device=device) for _ in range(2))
        functions["largest"] = lambda: torch.add(u, v)
    return functions


def measure(timer, name, shape, truncation, device):
    """A line: times of the estimator, then of torch.add in the same rounds."""
    given = inputs_of(name, *shape, truncation, device)
    function, operator = getattr(rlscan, name), getattr(torch.ops.rlscan, name).default
    in_order = [given.get(a.name) for a in signature_of(name).arrays]
    calls = {"call": lambda: function(**given), "operator": lambda: operator(*in_order)}
    adds = additions(shape, given, device)
    full = timer.full({"call": calls["call"], **adds})
    row = timer.in_a_row({**calls, "add": adds["add"]})
    host = timer.host({"call": calls["call"]})["call"]
    label = name + (", truncation" if truncation else "")
    line = (f"{label:32}{full['call']:9.2f}{full['add']:11.2f}{full['call'] / full['add']:7.2f}"
            f"{row['call']:10.2f}{row['add']:11.2f}{row['operator']:10.2f}{host:7.2f}")
    if "largest" in full:
        line += f"{full['largest']:18.2f}{full['call'] / full['largest']:7.2f}"
    print(line, flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--rows", type=int, default=4096)
    parser.add_argument("--steps", type=int, default=128)
    parser.add_argument("--calls", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=25)
    options = parser.parse_args()
    timer = Timer(options.device, options.calls, options.rounds)
    shape = options.rows, options.steps
    print(f"torch {torch.__version__}, {options.device}, {shape[0]} x {shape[1]}, us a call")
    print(f"{'':32}{'full':>9}{'torch.add':>11}{'ratio':>7}{'in a row':>10}{'torch.add':>11}"
          f"{'operator':>10}{'host':>7}{'full add, bytes':>18}{'ratio':>7}")
    for name in ESTIMATORS:
        for truncation in (False, True):
            if truncation and not any(a.name in ENDS for a in signature_of(name).arrays):
                continue
            measure(timer, name, shape, truncation, options.device)


main()
