"""Times of calls, all in microseconds; what is compared is measured in turns.

On a GPU: `device`, replays of a CUDA graph of many calls, each with inputs of its own
that together exceed the cache; `full`, one call between two events, as the published
methodology has it: 20 calls to warm up, then five trials, each the median of 50, of
which the least; `host`, how long the caller's thread is busy. On the CPU there is one
clock: `device` is a call into arrays that are there, `full` one that makes its own.
"""

import ctypes
import os
import time

import torch


def triton_is_interpreted():
    return os.environ.get("TRITON_INTERPRET") == "1"


def median(numbers):
    numbers = sorted(numbers)
    middle = len(numbers) // 2
    return numbers[middle] if len(numbers) % 2 else (numbers[middle - 1] + numbers[middle]) / 2


def spread(times):
    return {"median": median(times), "min": min(times), "max": max(times)}


class Graph:
    """Calls in a CUDA graph. Their results stay alive, so that each call has its own."""

    def __init__(self, call, sets, count):
        self.count = count
        stream = torch.cuda.Stream()
        stream.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(stream):
            for inputs in (sets * 2)[:3]:
                call(inputs)
        torch.cuda.current_stream().wait_stream(stream)
        torch.cuda.synchronize()
        self.graph = torch.cuda.CUDAGraph(keep_graph=True)
        with torch.cuda.graph(self.graph, stream=stream, capture_error_mode="thread_local"):
            self.kept = [call(sets[i % len(sets)]) for i in range(count)]
        self.nodes = self._nodes()
        self.graph.instantiate()

    def _nodes(self):
        """What the graph launches: kernels, copies and fills."""
        count = ctypes.c_size_t()
        try:
            found = ctypes.CDLL("libcuda.so.1").cuGraphGetNodes(
                ctypes.c_void_p(self.graph.raw_cuda_graph()), None, ctypes.byref(count))
        except (OSError, AttributeError, RuntimeError):
            return None
        return count.value if found == 0 else None

    def replay(self):
        """Microseconds a call."""
        start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        start.record()
        self.graph.replay()
        end.record()
        end.synchronize()
        return start.elapsed_time(end) * 1e3 / self.count


class CudaClock:
    past_cache = 250_000_000  # bytes of all inputs of a graph, several times the cache

    def wait(self):
        torch.cuda.synchronize()

    def once(self, function):
        start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        torch.cuda.synchronize()
        start.record()
        function()
        end.record()
        torch.cuda.synchronize()
        return start.elapsed_time(end) * 1e3

    def _graph(self, call, sets, calls):
        """Of that many calls and every set's, fewer where they are long or fill memory."""
        kept = sum(x.nbytes for x in call(sets[0]) or ())
        one = min(self.once(lambda: call(sets[0])) for _ in range(3))
        most = min(10_000 / one, 4e9 / max(kept, 1))
        return Graph(call, sets, int(max(2, len(sets) * (one < 500), min(calls, most))))

    def device(self, calls, rounds=11, in_a_graph=200):
        """{name: (call, sets)} -> {name: spread, and launches a call, or an error}."""
        graphs, found = {}, {}
        for name, (call, sets) in calls.items():
            try:
                graphs[name] = self._graph(call, sets, in_a_graph)
                graphs[name].replay()
            except Exception as error:
                self.wait()  # raises where the device is lost
                found[name] = {"error": f"{type(error).__name__}: {error}"}
        times = {name: [] for name in graphs if name not in found}
        for _ in range(rounds):
            for name in times:
                times[name].append(graphs[name].replay())
        for name, numbers in times.items():
            nodes, count = graphs[name].nodes, graphs[name].count
            found[name] = spread(numbers)
            found[name]["launches"] = None if nodes is None else round(nodes / count, 2)
        graphs.clear()
        torch.cuda.empty_cache()
        return found

    def full(self, functions, trials=5, timed=50):
        """{name: function} -> {name: the least of the trials' medians}."""
        found = {name: [] for name in functions}
        for name, function in functions.items():
            for _ in range(20 if self.once(function) < 20_000 else 2):
                function()
        for _ in range(trials):
            for name, function in functions.items():
                one = self.once(function)
                count = timed if one < 5_000 else max(3, int(timed * 5_000 / one))
                found[name].append(median([self.once(function) for _ in range(count)]))
        return {name: min(medians) for name, medians in found.items()}

    def host(self, functions, rounds=7, calls=20):
        """Few calls at a time, which the device's queue takes."""
        found = {name: [] for name in functions}
        slow = {n for n, function in functions.items() if self.once(function) > 3_000}
        for turn in range(rounds):
            for name, function in functions.items():
                if turn and name in slow:
                    continue
                self.wait()
                start = time.perf_counter()
                for _ in range(calls):
                    function()
                found[name].append((time.perf_counter() - start) / calls * 1e6)
                self.wait()
        return {name: median(numbers) for name, numbers in found.items()}

    def in_a_row(self, call, sets, wait, rounds=7, calls=50):
        """Calls without awaiting any but the last, for a library whose queue is its own."""
        times = []
        wait(call(sets[0]))
        for _ in range(rounds):
            start = time.perf_counter()
            results = [call(sets[i % len(sets)]) for i in range(calls)]
            wait(results)
            times.append((time.perf_counter() - start) / calls * 1e6)
        return {**spread(times), "launches": None}


class CpuClock:
    past_cache = 0  # one set of inputs: caches of the CPU differ too much to exceed

    def __init__(self, seconds):
        self.seconds = seconds  # for a call that is measured

    def wait(self):
        pass

    def once(self, function):
        start = time.perf_counter()
        function()
        return (time.perf_counter() - start) * 1e6

    def in_turns(self, functions, most_rounds=25):
        """{name: function} -> {name: spread}; short calls many in a row."""
        batch, times = {}, {name: [] for name in functions}
        for name, function in functions.items():
            one = min(self.once(function) for _ in range(3 if self.once(function) < 3e5 else 1))
            batch[name] = max(1, int(10_000 / max(one, 0.1)))
            rounds = min(most_rounds, max(3, int(self.seconds * 1e6 / (one * batch[name]))))
            times[name] = [None] * rounds
        for turn in range(most_rounds):
            for name, function in functions.items():
                if turn < len(times[name]):
                    time.sleep(0.005)  # until the threads of the one before stop spinning
                    function()
                    total = self.once(lambda: [function() for _ in range(batch[name])])
                    times[name][turn] = total / batch[name]
        return {name: spread(numbers) for name, numbers in times.items()}

    def device(self, calls):
        return self.in_turns({name: (lambda call=call, sets=sets: call(sets[0]))
                              for name, (call, sets) in calls.items()})

    def full(self, functions):
        return {name: s["median"] for name, s in self.in_turns(functions).items()}
