"""Calls on GPUs that are not there; what they do to the driver is traced."""

import ctypes
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
import fake_device as fake  # noqa: E402

import rlscan  # noqa: E402
from rlscan import _cache, _core, _load, _registry  # noqa: E402

recipes = pathlib.Path(sys.argv[1])
gae = rlscan.load(recipes / "gae.rls", targets=["cpu:x86-64", "cuda:ptx"], io=["f32"])


def say(text):
    print(text, flush=True)


def tried(function):
    try:
        function()
    except Exception as error:
        say(f"{type(error).__name__}: {error}")


def inputs(rows, steps, device=0):
    real = fake.Array((rows, steps), device=device)
    other = fake.Array((rows, steps), device=device)
    return real, other, fake.Array((rows, steps), fake.BOOL, device)


stream = fake.new_stream(0)
say("the first call, in a capture:")
reward, value, terminated = inputs(4096, 128)
fake.use(0)
fake.must(fake.driver.cuStreamBeginCapture_v2(stream, 1))
fake.leave()
advantage, target = gae(reward, value, terminated, last_value=fake.Array((4096,)))
say(f"{advantage.sizes} on {advantage.device}")
fake.use(0)
fake.must(fake.driver.cuStreamEndCapture(stream, ctypes.byref(ctypes.c_void_p())))
fake.leave()

say("what is left out, in a capture:")
filling = rlscan.load(recipes / "gae.rls", targets=["cpu:x86-64", "cuda:ptx"], io=["f32"],
                      present=["last_value", "truncated+bootstrap+last_value"])
fake.use(0)
fake.must(fake.driver.cuStreamBeginCapture_v2(stream, 1))
fake.leave()
filling(reward, value, terminated)
fake.use(0)
fake.must(fake.driver.cuStreamEndCapture(stream, ctypes.byref(ctypes.c_void_p())))
fake.leave()
say(f"zeros: {rlscan.explain(filling, reward, value, terminated)['filled']}")

say("rows in two dimensions that are not one:")
batch = [fake.Array((2, 64, 96), kind) for kind in (fake.FLOAT32, fake.FLOAT32, fake.BOOL)]
gae(*batch, time_dim=1)

say("few and long rows, with workspace of the arrays' library:")
zeroed = []


def zero_bytes(like, count, on_host):
    zeroed.append(count)
    return fake.Array((count,), (1, 8), like.device)


_core.set_allocators(_registry._empty_like, zero_bytes)
gae(*inputs(16, 131072))
say(f"workspace: {len(zeroed)}, {zeroed[0] > 1000}")
found = rlscan.explain(gae, *inputs(16, 131072))
say(f"explained: {found['workspace'] == zeroed[0]}, {'look_back' in found['kernel']}, "
    f"{found['variant']}")

say("many rows that no workgroup holds, of which something is kept:")
zeroed.clear()
two_sweeps = rlscan.load(pathlib.Path(__file__).parent / "two-sweeps.rls",
                         targets=["cpu:x86-64", "cuda:ptx"], io=["f32"])
two_sweeps(fake.Array((4096, 4100)))
say(f"workspace: {zeroed}")

say("the second GPU:")
fake.new_stream(1)
advantage, target = gae(*inputs(4096, 128, device=1))
say(f"{advantage.sizes} on {advantage.device}")

say("mistakes:")
tried(lambda: gae(reward, fake.Array((4096, 128), device=1), terminated))
tried(lambda: gae(reward, fake.Array((4096, 127)), terminated))
tried(lambda: gae(*inputs(64, 64, device=0)[:2], fake.Array((64, 64), (0, 64))))
tried(lambda: rlscan.prepare(7, [gae]))

say("rows that a GPU has no code for:")
path = recipes / "gae.rls"
made = [_load._compile(_load.find_compiler(), path, path.read_text(), [target],
                       _load._options([target], ["f32"], ["none"], rows, {}))
        for target, rows in (("cpu:x86-64", ["full", "lengths"]), ("cuda:ptx", ["full"]))]
wide = _load.read_signature(made[0]["rlscan_gae.json"].decode(), path.read_text())
library = "librlscan_gae.so"
files = [(_cache.path_of_library(library, files[library]), "rlscan_gae", files is made[1])
         for files in made]
slot = _registry.register(wide.renamed("gae_with_lengths"), files).slot
given = {"reward": reward, "value": value, "terminated": terminated}
in_order = [a.default if a.is_param else given.get(a.name) for a in wide.inputs]
advantage, target = _core.call(slot, -1, None, *in_order)
say(f"{advantage.sizes}")
in_order[-1] = fake.Array((4096,), (0, 32))
tried(lambda: _core.call(slot, -1, None, *in_order))
tried(lambda: _core.choose(slot, -1, None, *in_order))
