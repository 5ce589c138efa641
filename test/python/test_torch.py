"""PyTorch: operators, compilation, gradients, results of the caller's, threads."""

import subprocess
import sys
import threading

import pytest
from inputs import RECIPES, draw, optional_names, signature_of

import rlscan

torch = pytest.importorskip("torch")


def tensors(name, device, rows=6, steps=17, present=None, dtype=torch.float32, seed=0):
    return {k: torch.tensor(x).to(dtype if x.dtype.kind == "f" else torch.tensor(x).dtype).to(device)
            for k, x in draw(name, rows, steps, seed=seed, present=present).items()}


def positional(name, given):
    return [given.get(a.name) for a in signature_of(name).arrays]


def as_tuple(result):
    return result if isinstance(result, tuple) else (result,)


def same(found, right):
    return all(torch.equal(a, b) for a, b in zip(as_tuple(found), as_tuple(right)))


def params(name):
    return {a.name: not a.default if a.element == "flag" else 0.9
            for a in signature_of(name).params}


@pytest.mark.parametrize("name", RECIPES)
def test_operator_is_the_function(name, device):
    given = tensors(name, device)
    right = getattr(rlscan, name)(**given, **params(name))
    operator = getattr(torch.ops.rlscan, name)
    assert same(operator(*positional(name, given), **params(name)), right)
    outs = {f"out_{a.name}": torch.empty_like(x)
            for a, x in zip(signature_of(name).results, as_tuple(right))}
    getattr(torch.ops.rlscan, name + "_out")(*positional(name, given), **params(name), **outs)
    assert same(tuple(outs.values()), right)


@pytest.mark.parametrize("order", ["nt", "transposed"])
@pytest.mark.parametrize("name", RECIPES)
def test_opcheck(name, order, device):
    for present in (set(), None):
        given = tensors(name, device, present=present)
        if order == "transposed":
            given = {k: x.transpose(0, 1).contiguous().transpose(0, 1) if x.dim() > 1 else x
                     for k, x in given.items()}
        torch.library.opcheck(getattr(torch.ops.rlscan, name).default,
                              positional(name, given), params(name))
    outs = {f"out_{a.name}": torch.empty(6, 17, device=device)
            for a in signature_of(name).results}
    torch.library.opcheck(getattr(torch.ops.rlscan, name + "_out").default,
                          positional(name, given), {**params(name), **outs})


@pytest.mark.parametrize("name", RECIPES)
def test_compiled_whole(name, device):
    """No graph break, with and without optional inputs, also for other shapes."""
    def step(given):
        results = as_tuple(getattr(rlscan, name)(**given, **params(name)))
        return [x * 2 + 1 for x in results]

    torch._dynamo.reset()  # one function for all recipes would be compiled too often
    compiled = torch.compile(step, fullgraph=True, backend="aot_eager", dynamic=True)
    for present in (set(), None):
        for rows, steps in ((6, 17), (4, 9)):
            given = tensors(name, device, rows, steps, present)
            assert all(torch.equal(a, b) for a, b in zip(compiled(given), step(given)))


def test_compiled_out(device):
    given = tensors("gae", device)
    out = torch.zeros(6, 17, device=device), torch.zeros(6, 17, device=device)

    def step(given, out):
        rlscan.gae(**given, out=out)
        return out[0] + out[1]

    compiled = torch.compile(step, fullgraph=True, backend="aot_eager")
    advantage, target = rlscan.gae(**given)
    assert torch.equal(compiled(given, out), advantage + target)
    assert torch.equal(out[0], advantage)


def test_compiled_before_any_call(device):
    """Also where rlscan is imported before PyTorch."""
    program = f"""
import rlscan
import torch
x = torch.ones(2, 3, device={device!r})
step = torch.compile(lambda x: rlscan.discounted_return(x, x == 0, gamma=0.5), fullgraph=True,
                     backend="eager")
assert step(x).tolist() == [[1.75, 1.5, 1.0]] * 2
"""
    subprocess.run([sys.executable, "-c", program], check=True)


def test_without_operators(device):
    """A PyTorch whose C interface lacks something: tensors are taken, with a warning."""
    program = f"""
import warnings
from rlscan import _core

def refuse(*arguments):
    raise RuntimeError("this PyTorch has no function x")

_core.define_torch_op = refuse
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    import torch, rlscan
assert any("no operators for PyTorch" in str(w.message) and "no function x" in str(w.message)
           for w in caught)
x = torch.ones(2, 3, device={device!r})
assert rlscan.discounted_return(x, x == 0, gamma=0.5).tolist() == [[1.75, 1.5, 1.0]] * 2
"""
    subprocess.run([sys.executable, "-c", program], check=True)


@pytest.mark.parametrize("name", RECIPES)
def test_gradients_are_refused(name, device):
    given = tensors(name, device)
    real = next(a.name for a in signature_of(name).arrays if a.element == "real")
    right = getattr(rlscan, name)(**given)
    given[real].requires_grad_()
    with pytest.raises(RuntimeError, match=rf"{real}: requires a gradient.*detach"):
        getattr(rlscan, name)(**given)
    with pytest.raises(RuntimeError, match=rf"{real}: requires a gradient"):
        getattr(torch.ops.rlscan, name)(*positional(name, given))
    with torch.no_grad():
        assert same(getattr(rlscan, name)(**given), right)
        assert not any(x.requires_grad for x in as_tuple(getattr(rlscan, name)(**given)))
    with torch.inference_mode():
        assert same(getattr(rlscan, name)(**given), right)
    given[real] = given[real].detach()
    assert same(getattr(rlscan, name)(**given), right)


@pytest.mark.parametrize("name", RECIPES)
def test_meta_tensors(name, device):
    given = tensors(name, "meta")
    found = as_tuple(getattr(rlscan, name)(**given))
    assert all(x.device.type == "meta" and x.shape == (6, 17) for x in found)


def test_results_of_the_callers(device):
    given = tensors("gae", device)
    right = rlscan.gae(**given)
    wide = torch.full((6, 40), 7.0, device=device)
    out = wide[:, 1:35:2], torch.empty(17, 6, device=device).t()
    assert rlscan.gae(**given, out=out) is not None
    assert same(out, right)
    assert bool((wide[:, 0:36:2] == 7).all())
    trace = torch.empty(6, 17, device=device)
    found = rlscan.eligibility_trace(**tensors("eligibility_trace", device), out=trace)
    assert found.data_ptr() == trace.data_ptr()


def test_order_of_results(device):
    """They lie in memory as the first input does."""
    x = torch.randn(5, 3, device=device)
    for view in (x, x.t(), x[::2], x.unsqueeze(0), x.expand(2, 5, 3)):
        found = rlscan.linear_scan_forward(view, torch.zeros_like(view))
        traced = torch.ops.rlscan.linear_scan_forward(view.to("meta"),
                                                      torch.zeros_like(view).to("meta"))
        assert found.stride() == traced.stride()
    assert rlscan.linear_scan_forward(x.t(), x.t()).stride() == (1, 3)


def test_number_of_the_callers(device):
    """A param may be a tensor of one number."""
    given = tensors("gae", device)
    gamma = torch.tensor(0.5, device=device)
    assert same(rlscan.gae(**given, gamma=gamma), rlscan.gae(**given, gamma=0.5))


def test_threads(device):
    """The GIL is not held, and calls do not disturb each other."""
    sets = [tensors("vtrace", device, 64, 200, seed=seed) for seed in range(8)]
    right = [rlscan.vtrace(**given) for given in sets]
    wrong = []

    def work(number):
        for _ in range(40):
            if not same(rlscan.vtrace(**sets[number]), right[number]):
                wrong.append(number)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_gil_is_released():
    """While a long call computes, Python goes on."""
    given = tensors("gae", "cpu", 4000, 4000)
    progress, done = [0], threading.Event()

    def count():
        while not done.is_set():
            progress[0] += 1

    thread = threading.Thread(target=count)
    thread.start()
    before = progress[0]
    rlscan.gae(**given)
    after = progress[0]
    done.set()
    thread.join()
    assert after > before + 1000


def test_same_bits(device):
    given = tensors("retrace", device, 50, 300)
    first = rlscan.retrace(**given)
    assert all(same(rlscan.retrace(**given), first) for _ in range(5))
    # What is left out is what it would be.
    name = "discounted_return"
    given = tensors(name, device, present=set())
    zeros = {a: torch.zeros(6 if a == "last_value" else (6, 17), device=device)
             for a in optional_names(name)}
    zeros["truncated"] = zeros["truncated"].bool()
    assert same(getattr(rlscan, name)(**given), getattr(rlscan, name)(**given, **zeros))
