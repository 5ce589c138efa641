"""test/benchmark: reference, gate, peers, resuming, the report."""

import io
import json
import os
import pathlib
import subprocess
import sys

import numpy as np
import pytest

torch = pytest.importorskip("torch")
torch.set_num_threads(1)  # nothing here is measured in earnest, and tests share the cores

FOLDER = pathlib.Path(__file__).parents[1] / "benchmark"
sys.path.insert(0, str(FOLDER))

import inputs  # noqa: E402 of these tests
import report  # noqa: E402 of the benchmark
from bench import estimators, gate, measure, reference, results, run, timing  # noqa: E402
from bench.cases import Case, read_plan  # noqa: E402
from peers import Peer, Prepared, all_peers  # noqa: E402

SMALL = [Case(name, 5, 37, order, "f32", flags, truncation, 4 if name == "retrace" else 0)
         for name in estimators.INPUTS
         for order, flags, truncation in (("nt", "f32", False), ("tn", "u8", True))
         if not truncation or "truncated" in estimators.INPUTS[name]]
STAMP = {"device": "cpu", "cpu": "one", "date": "today", "command": "test", "system": "this",
         "cores": 1, "threads": 1, "versions": {}}


# What is right. ------------------------------------------------------------------


@pytest.mark.parametrize("case", SMALL, ids=str)
@pytest.mark.parametrize("piece", (4096, 4))
def test_reference(case, piece, monkeypatch):
    """The benchmark's against that of the tests, whole and in pieces."""
    monkeypatch.setattr(reference, "PIECE", piece)
    drawn = estimators.draw(case, 1, "cpu")[0]
    arrays = {k: x.numpy() for k, x in drawn.items()}
    params = estimators.PARAMS.get(case.estimator, {})
    for found, right in zip(reference.expected(case, drawn),
                            inputs.expected(case.estimator, arrays, **params), strict=True):
        np.testing.assert_allclose(found, right, rtol=0, atol=1e-9)


def test_inputs_are_as_peers_need_them():
    drawn = estimators.draw(Case("vtrace", 50, 100, truncation=True), 2, "cpu")[1]
    ended, cut = drawn["terminated"] != 0, drawn["truncated"] != 0
    assert ended.any() and cut.any() and not (ended & cut).any()
    assert not drawn["bootstrap"][~cut].any()
    assert estimators.draw(Case("gae", 3, 8, "tn"), 1, "cpu")[0]["value"].stride() == (1, 3)


@pytest.mark.parametrize("case", SMALL, ids=str)
def test_peers_compute_the_same(case):
    """Those that need no compilation; the others are measured where there is time."""
    sets = estimators.draw(case, 1, "cpu")
    right = gate.expected(case, sets[0])
    names = []
    for peer in all_peers():
        if (peer.name in ("torch-compile", "jax") or peer.missing("cpu")
                or not peer.takes(case, "cpu")):
            continue
        prepared = peer.prepare(case, sets, "cpu")
        found = [prepared.as_torch(y) for y in prepared.call(prepared.sets[0])]
        assert gate.check(case, found, right) <= 1
        names.append(peer.name)
    assert "rlscan" in names and "torch-loop" in names and "numpy-loop" in names


def test_compiled_peers_compute_the_same():
    case = Case("discounted_return", 5, 37)
    sets = estimators.draw(case, 1, "cpu")
    for peer in all_peers():
        if peer.name in ("torch-compile", "jax") and not peer.missing("cpu"):
            prepared = peer.prepare(case, sets, "cpu")
            found = [prepared.as_torch(y) for y in prepared.call(prepared.sets[0])]
            gate.check(case, found, gate.expected(case, sets[0]))


TRITON = """
import sys
sys.path[:0] = sys.argv[1:]
from test_benchmark import SMALL, estimators, gate
from peers.triton_scan import TritonScan
for case in SMALL:
    sets = estimators.draw(case, 1, "cpu")
    call = TritonScan().prepare(case, sets, "cpu").call
    gate.check(case, call(sets[0]), gate.expected(case, sets[0]))
print(len(SMALL), "cases")
"""


def interpreted(program, *folders):
    """Runs a program with Triton's interpreter, which is chosen before it is imported."""
    return subprocess.run([sys.executable, "-c", program, *map(str, folders)],
                          env={**os.environ, "TRITON_INTERPRET": "1"},
                          capture_output=True, text=True)


def test_triton_kernels():
    pytest.importorskip("triton")
    done = interpreted(TRITON, FOLDER, FOLDER.parent / "python")
    assert done.stdout == f"{len(SMALL)} cases\n", done.stderr


FAKE_CUDA = """
import contextlib, io, sys, time
sys.path[:0] = sys.argv[1:3]
import torch
from types import SimpleNamespace as Fake

class Event:
    def __init__(self, enable_timing): pass
    def record(self): self.time = time.perf_counter()
    def synchronize(self): pass
    def elapsed_time(self, end): return (end.time - self.time) * 1e3

class Graph:
    def __init__(self, keep_graph): self.ready = False
    def raw_cuda_graph(self): return 0
    def instantiate(self): self.ready = True
    def replay(self): assert self.ready

def stream(*_): return Fake(wait_stream=lambda other: None)

torch.cuda = Fake(Event=Event, Stream=stream, current_stream=stream, CUDAGraph=Graph,
                  stream=lambda s: contextlib.nullcontext(), synchronize=lambda: None,
                  graph=lambda g, stream, capture_error_mode: contextlib.nullcontext(),
                  empty_cache=lambda: None, is_available=lambda: False)
from bench import measure, timing
from bench.cases import Case
from peers import loops, rlscan_peer, triton_scan

class Queued(loops.TorchLoop):
    name = "queued"
    def prepare(self, *arguments):
        prepared = super().prepare(*arguments)
        prepared.wait = lambda results: None
        return prepared

peers = [rlscan_peer.RLScan(), triton_scan.TritonScan(), loops.TorchLoop(), Queued()]
timing.CudaClock.past_cache = 3000
measurer = measure.Measurer("cpu", timing.CudaClock())
measurer.device = "cuda"
draw, streams = measure.estimators.draw, measure.floor._streams
measure.estimators.draw = lambda case, count, device: draw(case, count, "cpu")
measure.floor.calls = lambda read, written, sets, device: streams(read, written, sets, "cpu")
measure.torch = Fake(randn=lambda *shape, device: torch.randn(*shape), add=torch.add)
about, *records = measurer.case(Case("gae", 4, 16), peers)
assert about["sets"] == 3 and about["floor_way"].endswith("warps") and about["add_full"] > 0
for record in records:
    assert record["status"] == "measured", record
    assert record["device"]["median"] >= 0 and record["full"] > 0 and record["host"] > 0
print(len(records), "peers")
"""


def test_clock_of_gpus():
    """Its Python, over a PyTorch whose GPU does everything at once."""
    pytest.importorskip("triton")
    done = interpreted(FAKE_CUDA, FOLDER)
    assert done.stdout == "4 peers\n", done.stderr


# The gate and what is survived. --------------------------------------------------


class Wrong(Peer):
    """Right but for one element."""
    name = label = "wrong"

    def prepare(self, case, sets, device):
        inner = all_peers()[0].prepare(case, sets, device)

        def call(x):
            results = inner.call(x)
            results[-1][2, 3] += 0.01
            return results

        return Prepared(call, sets)


class Failing(Peer):
    name = label = "failing"

    def prepare(self, case, sets, device):
        raise RuntimeError("no such luck\nand more")


class Counted(Peer):
    name = label = "counted"
    count = 0

    def prepare(self, case, sets, device):
        self.count += 1
        return all_peers()[0].prepare(case, sets, device)


@pytest.fixture
def quick(monkeypatch):
    monkeypatch.setattr(measure, "clock_for", lambda device, quick: timing.CpuClock(0.01))


def run_plan(tmp_path, lines, peers, minutes=1.0):
    plan, said = tmp_path / "the.plan", io.StringIO()
    plan.write_text(lines)
    journal = run.Journal(str(tmp_path / "results.jsonl"))
    run.run(plan, peers, "cpu", journal, minutes, STAMP, True, said)
    return results.read(journal.path), said.getvalue()


def test_gate_and_survival(tmp_path, quick):
    peers = [all_peers()[0], Wrong(), Failing(), all_peers("/nowhere")[2]]
    found, said = run_plan(tmp_path, "gae,td_lambda 4x16 nt f32 f32 -\n", peers)
    for case in found.cases:
        assert case.time() > 0 and 0 < case.of_floor
        assert case.time("wrong") is None and case.time("failing") is None
        assert case.peers["wrong"]["status"] == "refused"
        assert "1 of 64 elements" in case.peers["wrong"]["why"]
        assert "at row 2, step 3" in case.peers["wrong"]["why"]
        assert case.peers["failing"]["why"] == "RuntimeError: no such luck"
    assert found.missing == {"rl-triton": "no code for the CPU"}
    assert "wrong refused: 1 of 64" in said and "td_lambda 4x16" in said
    report.write(tmp_path / "results.jsonl", tmp_path / "out")
    text = (tmp_path / "out" / "benchmark-cpu.md").read_text()
    for words in ("| gae 4x16 nt f32 f32 - | wrong | refused | 1 of 64", "no code for the CPU",
                  "| 4 x 16 |", "**missed**"):
        assert words in text, words


def test_gate_refuses():
    case, right = Case("td_lambda", 2, 3), [torch.ones(2, 3, dtype=torch.float64)]
    assert gate.check(case, [torch.full((2, 3), 1.0001)], right) <= 1
    for bad in (torch.full((2, 3), 1.0003), torch.full((2, 3), torch.nan), torch.ones(3, 2)):
        with pytest.raises(gate.Mismatch):
            gate.check(case, [bad], right)
    stored = Case("td_lambda", 2, 3, reals="bf16")
    assert gate.check(stored, [torch.full((2, 3), 1.003)], right) <= 1


def test_a_case_that_cannot_be(tmp_path, quick, monkeypatch):
    def too_large(case, sets, device):
        raise MemoryError("64 EiB")
    monkeypatch.setattr(estimators, "draw", too_large)
    found, said = run_plan(tmp_path, "gae 4x16 nt f32 f32 -\n", all_peers()[:1])
    assert set(found.left_out.values()) == {"MemoryError: 64 EiB"}
    assert set(found.left_out) == {"gae 4x16 nt f32 f32 -", "update 64", "update 256",
                                   "update 1024"}


def test_resume(tmp_path, quick):
    line, peers = "gae 4x16 nt f32 f32 -\n", [all_peers()[0], Counted(), Failing()]
    run_plan(tmp_path, line, peers)
    run_plan(tmp_path, line + "gae 4x8 nt f32 f32 -\n", peers)
    assert peers[1].count == 2
    found, said = run_plan(tmp_path, line, peers + [Wrong()])
    assert peers[1].count == 3 and "gae 4x16" in said  # one more peer: all once more
    assert len(found.cases) == 2 and found.cases[0].peers["failing"]["status"] == "failed"
    found, said = run_plan(tmp_path, "gae 4x24 nt f32 f32 -\n", peers, minutes=0)
    assert found.left_out == {"gae 4x24 nt f32 f32 -": "out of time"} and "out of time" in said
    found, _ = run_plan(tmp_path, "gae 4x24 nt f32 f32 -\n", peers)
    assert not found.left_out and len(found.cases) == 3


def test_resume_elsewhere(tmp_path):
    journal = run.Journal(str(tmp_path / "results.jsonl"))
    journal.begin(STAMP)
    with pytest.raises(ValueError, match="of cpu 'one', this is 'another'"):
        journal.begin({**STAMP, "cpu": "another"})


@pytest.mark.parametrize("line, message", [
    ("gae 4x nt f32 f32 -", "shape '4x': expected ROWSxSTEPS"),
    ("gea 4x4 nt f32 f32 -", "estimator 'gea': expected one of gae, "),
    ("retrace 4x4 nt f32 f32 -", "actions, as in retrace/4"),
    ("eligibility_trace 4x4 nt f32 f32 truncation", "knows no truncation"),
    ("gae 4x4 nt f32 f32", "5 columns, expected six"),
    ("gae 4x4 nt f16 f32 -", "reals 'f16': expected one of f32, bf16"),
])
def test_plan_mistakes(tmp_path, line, message):
    plan = tmp_path / "the.plan"
    plan.write_text("# a comment\n" + line + "\n")
    with pytest.raises(ValueError, match="the.plan:2: .*" + message):
        read_plan(plan)


def test_plans():
    for plan in (FOLDER / "plans").glob("*.plan"):
        assert any(c.every_peer for c in read_plan(plan)), plan


# All of it. ----------------------------------------------------------------------


def compare(*arguments, device="cpu"):
    command = [sys.executable, str(FOLDER / "compare.py"), f"--device={device}", *arguments]
    return subprocess.run(command, capture_output=True, text=True,
                          env={**os.environ, "OMP_NUM_THREADS": "1"})


def test_whole(tmp_path):
    plan = tmp_path / "the.plan"
    plan.write_text("gae 8x32,8x64 nt f32 f32 - all\nvtrace 8x32 tn f32 f32 truncation\n")
    out = str(tmp_path / "out")
    options = ("--quick", f"--plan={plan}", "--peers=triton,torch-loop,numpy-loop")
    done = compare(*options, "-o", out)
    assert done.returncode == 0, done.stderr
    assert "vtrace 8x32 tn f32 f32 truncation: rlscan" in done.stderr
    assert "update, 1024 hidden units, numpy-loop" in done.stderr
    text = (tmp_path / "out" / "benchmark-cpu.md").read_text()
    assert "| 8 x 64 |" in text and "## Marks" in text and "hidden units | update ms" in text
    page = (tmp_path / "out" / "benchmark-cpu.html").read_text()
    assert "8 x 64" in page
    if (tmp_path / "out" / "images").exists():  # where matplotlib is
        assert page.count("<svg") == text.count("](images/") >= 4
    before = (tmp_path / "out" / "results.jsonl").read_text()
    done = compare(*options, "-o", out)
    assert done.returncode == 1 and "give it to --resume" in done.stderr
    done = compare(*options, "-o", out, "--resume", f"{out}/results.jsonl")
    assert done.returncode == 0 and "8x32" not in done.stderr
    added = (tmp_path / "out" / "results.jsonl").read_text().removeprefix(before)
    assert not any("case" in json.loads(line) for line in added.splitlines())


def test_no_gpu(tmp_path):
    if torch.cuda.is_available():
        pytest.skip("there is one")
    done = compare("-o", str(tmp_path), device="cuda")
    assert done.returncode == 1 and "error: PyTorch sees no GPU" in done.stderr


def test_no_such_peer(tmp_path):
    done = compare("-o", str(tmp_path), "--peers=rlscan,tritn")
    assert done.returncode == 1
    assert "error: no peer 'tritn': expected one of rlscan, triton" in done.stderr
