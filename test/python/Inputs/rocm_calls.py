"""Calls on AMD's GPUs that are not there; what they do to the driver is traced."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
import fake_device as fake  # noqa: E402

import rlscan  # noqa: E402

recipes = pathlib.Path(sys.argv[1])
gae = rlscan.load(recipes / "gae.rls", targets=["cpu:x86-64", "hip"], io=["f32"])
for device in (0, 1):
    fake.new_stream(device)
    reward, value, last = (fake.Array(sizes, device=device)
                           for sizes in ((4096, 128), (4096, 128), (4096,)))
    advantage, target = gae(reward, value, fake.Array((4096, 128), fake.BOOL, device),
                            last_value=last)
    print(f"{advantage.sizes} on {advantage.device}", flush=True)
