"""The least time for a call's bytes: kernels that read and write as many, nothing else.

On a GPU a Triton kernel, several ways of it, of which the fastest in the same run as
what it is compared with; where there is no Triton, PyTorch's copy. On the CPU a copy,
half read and half written, by PyTorch and by one memmove a thread.
"""

import concurrent.futures
import ctypes
import math

import torch


# Words of 4 bytes that a program reads of each array at a time; warps.
WAYS = ((512, 4), (1024, 8), (1024, 4), (2048, 8), (256, 2))


def _ratio(read, written):
    """The two as small whole numbers; arrays of rows, which are small, do not count."""
    read, written = max(1, round(8 * read / written)), 8
    divisor = math.gcd(read, written)
    return read // divisor, written // divisor


def _streams(read, written, sets, device):
    """{name: (call, sets)}: the kernel over buffers of its own."""
    from peers import triton_kernels
    # Whole lines of the cache: only so does Triton access 16 bytes at a time.
    read_words, written_words = (math.ceil(x / 128) * 32 for x in (read, written))
    reads, writes = _ratio(read, written)
    source = torch.randint(0, 1 << 30, (sets, read_words), dtype=torch.int32, device=device)
    target = torch.empty((sets, written_words), dtype=torch.int32, device=device)

    def way(block, warps):
        programs = max(math.ceil(read_words / (reads * block)),
                       math.ceil(written_words / (writes * block)))

        def call(pair):
            triton_kernels.stream[(programs,)](*pair, read_words, written_words, READS=reads,
                                               WRITES=writes, BLOCK=block, num_warps=warps)
        return call

    pairs = list(zip(source, target))
    return {f"floor, {b} words, {w} warps": (way(b, w), pairs) for b, w in WAYS}


def _copies(read, written, sets, device):
    half = math.ceil((read + written) / 2)
    source = torch.randint(0, 255, (sets, half), dtype=torch.uint8, device=device)
    target = torch.empty_like(source)
    pairs = list(zip(source, target))
    return {"floor, copy": (lambda pair: pair[1].copy_(pair[0]), pairs)}


def _memmoves(read, written):
    half, threads = math.ceil((read + written) / 2), torch.get_num_threads()
    source = torch.randint(0, 255, (half,), dtype=torch.uint8)
    target = torch.empty_like(source)
    pool = concurrent.futures.ThreadPoolExecutor(threads)
    part = math.ceil(half / threads / 64) * 64
    parts = [(target.data_ptr() + at, source.data_ptr() + at, min(part, half - at))
             for at in range(0, half, part)]

    def call(kept):
        list(pool.map(lambda p: ctypes.memmove(*p), parts))

    return {"floor, memmove": (call, [(source, target)])}


def calls(read, written, sets, device):
    """{name: (call, sets)}, of which the fastest is the floor."""
    if device == "cpu":
        return {**_copies(read, written, 1, device), **_memmoves(read, written)}
    try:
        return _streams(read, written, sets, device)
    except ImportError:
        return _copies(read, written, sets, device)


def best(times):
    """The fastest of those named so: its name and times."""
    ways = {n: t for n, t in times.items() if n.startswith("floor") and "error" not in t}
    if not ways:
        raise RuntimeError("no floor could be measured: " + "; ".join(
            t["error"] for n, t in times.items() if n.startswith("floor")))
    name = min(ways, key=lambda n: ways[n]["median"])
    return name.removeprefix("floor, "), ways[name]
