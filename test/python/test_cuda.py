"""On a GPU alone: graphs, streams, several devices. pytest --device=cuda."""

import subprocess
import sys
import threading

import pytest
from inputs import RECIPES, draw, signature_of

import rlscan

torch = pytest.importorskip("torch")
pytestmark = pytest.mark.cuda


def tensors(name, rows=64, steps=200, seed=0, device="cuda"):
    drawn = draw(name, rows, steps, seed=seed)
    return {k: torch.tensor(x).to(torch.float32 if x.dtype.kind == "f" else None).to(device)
            for k, x in drawn.items()}


def as_tuple(result):
    return result if isinstance(result, tuple) else (result,)


def same(found, right):
    return all(torch.equal(a, b) for a, b in zip(as_tuple(found), as_tuple(right)))


@pytest.mark.parametrize("name", RECIPES)
@pytest.mark.parametrize("rows, steps", [(64, 200), (8, 70000), (3000, 16)])
def test_graph(name, rows, steps):
    """Inputs change between replays; rows that are few and long need workspace."""
    sets = [tensors(name, rows, steps, seed) for seed in range(3)]
    right = [as_tuple(getattr(rlscan, name)(**given)) for given in sets]
    given = {k: torch.empty_like(x) for k, x in sets[0].items()}
    graph = torch.cuda.CUDAGraph()
    for k, x in sets[0].items():
        given[k].copy_(x)
    with torch.cuda.graph(graph):
        found = as_tuple(getattr(rlscan, name)(**given))
    for _ in range(2):
        for inputs, want in zip(sets, right):
            for k, x in inputs.items():
                given[k].copy_(x)
            graph.replay()
            assert same(found, want)


@pytest.mark.parametrize("call", ["rlscan.gae(x, x, x > 5)", "rlscan.gae(x, x, x > 5, last_value=l)",
                                  "torch.ops.rlscan.gae(x, x, x > 5)"])
def test_first_call_of_a_process_in_a_graph(call):
    program = f"""
import torch, rlscan
x = torch.ones(8, 16, device="cuda")
l = torch.ones(8, device="cuda")
graph = torch.cuda.CUDAGraph()
with torch.cuda.graph(graph):
    advantage, target = {call}
x.fill_(2.0)
graph.replay()
torch.cuda.synchronize()
found = advantage.clone()
right, _ = {call}
assert torch.equal(found, right) and bool((found != 0).any())
"""
    subprocess.run([sys.executable, "-c", program], check=True)


def test_side_stream():
    """The producer is late: only the stream's order makes the result right."""
    given = tensors("gae", 4096, 128)
    right = rlscan.gae(**given)
    stream = torch.cuda.Stream()
    late = {k: torch.zeros_like(x) for k, x in given.items()}
    torch.cuda.synchronize()
    with torch.cuda.stream(stream):
        torch.cuda._sleep(200_000_000)
        for k, x in given.items():
            late[k].copy_(x)
        found = rlscan.gae(**late)
        operator = torch.ops.rlscan.gae(*[late.get(a.name) for a in signature_of("gae").arrays])
    assert not stream.query(), "nothing waits"
    stream.synchronize()
    assert same(found, right) and same(operator, right)


@pytest.mark.parametrize("name", ["gae", "vtrace", "episodic_prefix_sum"])
def test_same_bits_beside_a_hog(name):
    """Workgroups of a long row wait for each other while another stream takes the device."""
    given = tensors(name, 3, 1 << 20)
    assert "look_back" in rlscan.explain(getattr(rlscan, name), **given)["kernel"]
    right = getattr(rlscan, name)(**given)
    source = torch.ones(1 << 27, device="cuda")
    target = torch.empty_like(source)
    hog, stream = torch.cuda.Stream(), torch.cuda.Stream()
    torch.cuda.synchronize()
    for turn in range(200):
        with torch.cuda.stream(hog):
            for _ in range(1 + turn % 3):
                torch.mul(source, 2.0, out=target)
        with torch.cuda.stream(stream):
            found = [getattr(rlscan, name)(**given) for _ in range(1 + turn % 5)]
        stream.synchronize()
        assert all(same(x, right) for x in found)
    for _ in range(1000):
        assert same(getattr(rlscan, name)(**given), right)


def test_no_waiting():
    given = tensors("vtrace", 4096, 128)
    rlscan.vtrace(**given)
    torch.cuda.synchronize()
    torch.cuda._sleep(500_000_000)
    for _ in range(10):
        rlscan.vtrace(**given)
    assert not torch.cuda.current_stream().query()
    torch.cuda.synchronize()


def test_second_gpu():
    if torch.cuda.device_count() < 2:
        pytest.skip("one GPU")
    right = rlscan.gae(**tensors("gae"))
    given = tensors("gae", device="cuda:1")
    found = rlscan.gae(**given)  # the current device is the first
    assert found[0].device == torch.device("cuda:1")
    assert same(tuple(x.cpu() for x in found), tuple(x.cpu() for x in right))
    given["value"] = given["value"].to("cuda:0")
    with pytest.raises(ValueError, match="value: on cuda:0, expected cuda:1, where reward is"):
        rlscan.gae(**given)


def test_number_in_memory_in_a_graph():
    """A replay sees the number that gamma has then."""
    given = tensors("discounted_return")
    gamma = torch.tensor(0.5, device="cuda")
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        found = rlscan.discounted_return(**given, gamma=gamma)
    for number in (0.9, 0.1):
        gamma.fill_(number)
        graph.replay()
        assert torch.equal(found, rlscan.discounted_return(**given, gamma=gamma))
        assert not torch.equal(found, rlscan.discounted_return(**given, gamma=0.77))


def test_threads_and_streams():
    sets = [tensors("retrace", seed=seed) for seed in range(6)]
    right = [rlscan.retrace(**given) for given in sets]
    torch.cuda.synchronize()
    wrong = []

    def work(number):
        with torch.cuda.stream(torch.cuda.Stream()):
            for _ in range(50):
                if not same(rlscan.retrace(**sets[number]), right[number]):
                    wrong.append(number)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_compiled_with_graphs():
    given = tensors("gae")
    step = torch.compile(lambda given: rlscan.gae(**given)[0] * 2, fullgraph=True,
                         backend="cudagraphs")
    right = rlscan.gae(**given)[0] * 2
    for _ in range(4):
        assert torch.equal(step(given), right)
