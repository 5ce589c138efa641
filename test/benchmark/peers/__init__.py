"""What is measured: rlscan, and what people would use instead.

A peer says whether it can be had (`missing`), which cases it is for (`takes`), and
makes itself ready for one (`prepare`): what is compiled or tuned then is not timed.
"""

import dataclasses
import importlib


@dataclasses.dataclass
class Prepared:
    call: object  # inputs of a call -> a tuple of results, in the estimator's order
    sets: list  # of inputs, in the peer's own arrays
    into: object = None  # inputs, results -> None: the same into arrays that are there
    as_torch: object = lambda x: x  # of a result
    wait: object = None  # results -> None: until they are there, for queues of its own
    note: str = ""


class Peer:
    name = ""
    label = ""
    every_case = True  # also those of a plan without `all`
    needs = ()  # modules

    def missing(self, device):
        """Why it cannot be had on a device, or None."""
        for module in self.needs:
            try:
                importlib.import_module(module)
            except Exception as error:  # a broken installation is not ours to mend
                return f"no {module}: {type(error).__name__}: {error}".splitlines()[0]
        return None

    def takes(self, case, device):
        return True

    def prepare(self, case, sets, device):
        raise NotImplementedError


def all_peers(rl_triton_path=None):
    """In the order of the report's columns, rlscan first."""
    from peers import compiled, jax_scan, loops, numba_loop, rl_triton, rlscan_peer, torchrl_peer
    from peers import triton_scan
    return [rlscan_peer.RLScan(), triton_scan.TritonScan(), rl_triton.RLTriton(rl_triton_path),
            compiled.TorchCompile(), jax_scan.JaxScan(), torchrl_peer.TorchRL(),
            loops.TorchLoop(), numba_loop.NumbaLoop(), loops.NumpyLoop()]
