"""What a call from Python costs, beside torch.add of the same shape.

    PYTHONPATH=build/python python test/benchmark/python_call.py [--device=cuda]

For the seven estimators, with and without truncation, at 4096 x 128: the time of a
full call (calls in a row, the device awaited at the end), the time that the caller's
thread is busy with it, and that of the operator that torch.compile sees.
"""

import argparse
import pathlib
import sys
import time

import torch

import rlscan

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "python"))
from inputs import draw, signature_of  # noqa: E402 of the tests

ESTIMATORS = ("gae", "vtrace", "retrace", "td_lambda", "discounted_return", "eligibility_trace",
              "episodic_prefix_sum")
ENDS = ("truncated", "bootstrap")


def median(numbers):
    return sorted(numbers)[len(numbers) // 2]


class Timer:
    def __init__(self, device, calls, rounds):
        self.device, self.calls, self.rounds = device, calls, rounds

    def wait(self):
        if self.device == "cuda":
            torch.cuda.synchronize()

    def full(self, function):
        """Microseconds a call, the median of rounds."""
        times = []
        for _ in range(self.rounds):
            self.wait()
            start = time.perf_counter()
            for _ in range(self.calls):
                function()
            self.wait()
            times.append((time.perf_counter() - start) / self.calls * 1e6)
        return median(times)

    def host(self, function):
        """As full(), but few calls at a time, which the device's queue takes."""
        times = []
        for _ in range(self.rounds):
            self.wait()
            start = time.perf_counter()
            for _ in range(20):
                function()
            times.append((time.perf_counter() - start) / 20 * 1e6)
        self.wait()
        return median(times)


def inputs_of(name, rows, steps, truncation, device):
    arrays = [a for a in signature_of(name).arrays if truncation or a.name not in ENDS]
    drawn = draw(name, rows, steps, present={a.name for a in arrays})
    return {k: torch.tensor(x).to(torch.float32 if x.dtype.kind == "f" else None).to(device)
            for k, x in drawn.items()}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--rows", type=int, default=4096)
    parser.add_argument("--steps", type=int, default=128)
    parser.add_argument("--calls", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=25)
    options = parser.parse_args()
    timer = Timer(options.device, options.calls, options.rounds)
    shape = options.rows, options.steps
    x, y = (torch.randn(*shape, device=options.device) for _ in range(2))
    add = timer.full(lambda: torch.add(x, y))
    print(f"torch {torch.__version__}, {options.device}, {shape[0]} x {shape[1]}, us a call")
    print(f"{'':32}{'full':>9}{'x add':>8}{'host':>9}{'operator':>10}")
    print(f"{'torch.add':32}{add:9.2f}{1:8.2f}{timer.host(lambda: torch.add(x, y)):9.2f}")
    for name in ESTIMATORS:
        for truncation in (False, True):
            if truncation and not any(a.name in ENDS for a in signature_of(name).arrays):
                continue
            given = inputs_of(name, *shape, truncation, options.device)
            function, operator = getattr(rlscan, name), getattr(torch.ops.rlscan, name).default
            in_order = [given.get(a.name) for a in signature_of(name).arrays]
            full = timer.full(lambda: function(**given))
            host = timer.host(lambda: function(**given))
            through = timer.full(lambda: operator(*in_order))
            label = name + (", truncation" if truncation else "")
            print(f"{label:32}{full:9.2f}{full / add:8.2f}{host:9.2f}{through:10.2f}", flush=True)


main()
