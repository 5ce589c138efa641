"""Measures cases: what all peers compute is checked, then they are timed in turns.

A record a peer and case, of which `status` is `measured`, `refused` (it computes
something else), or `failed` (it raised; `why` says what). A peer that fails costs its
own numbers and no others.
"""

import time

import torch

from bench import environment, estimators, floor, gate, timing


def clock_for(device, quick):
    return timing.CudaClock() if device == "cuda" else timing.CpuClock(0.1 if quick else 0.4)


def text_of(error):
    lines = str(error).strip().splitlines()
    return f"{type(error).__name__}: {lines[0][:300] if lines else ''}"


def _awaited(prepared):
    """The call, until its results are there."""
    if prepared.wait is None:
        return prepared.call

    def call(inputs):
        results = prepared.call(inputs)
        prepared.wait(results)
        return results

    return call


def _kept(prepared):
    """The call into arrays that are there, where the peer can."""
    if prepared.into is None:
        return _awaited(prepared)
    out = prepared.call(prepared.sets[0])
    return lambda inputs: prepared.into(inputs, out)


class Measurer:
    def __init__(self, device, clock):
        self.device, self.clock = device, clock
        self.sm_clock = environment.ClockReader(device)

    # A case is made ready peer by peer. ----------------------------------------

    def _prepare(self, case, peer, sets, right):
        """The prepared peer or None, and its record."""
        record = {"case": str(case), "peer": peer.name}
        started = time.perf_counter()
        try:
            prepared = peer.prepare(case, sets, self.device)
            results = _awaited(prepared)(prepared.sets[0])
            results = [prepared.as_torch(y) for y in results]
            record["error"] = gate.check(case, results, right)
        except gate.Mismatch as error:
            return None, {**record, "status": "refused", "why": str(error)}
        except Exception as error:
            self.clock.wait()  # raises where the device is lost
            return None, {**record, "status": "failed", "why": text_of(error)}
        record["prepared_s"] = round(time.perf_counter() - started, 2)
        return prepared, {**record, "status": "measured", "note": prepared.note}

    # Then all are timed. -------------------------------------------------------

    def _device_times(self, case, ready, floors):
        calls = dict(floors)
        for name, prepared in ready.items():
            if self.device == "cpu":
                calls[name] = (_kept(prepared), prepared.sets)
            elif prepared.wait is None:
                calls[name] = (prepared.call, prepared.sets)
        times = self.clock.device(calls)
        for name, prepared in ready.items():
            if name not in times:
                try:
                    times[name] = self.clock.in_a_row(prepared.call, prepared.sets, prepared.wait)
                except Exception as error:
                    times[name] = {"error": text_of(error)}
        return times

    def _call_times(self, case, ready):
        """Of full calls and, on a GPU, the host's part; torch.add of the shape beside."""
        x = torch.randn(case.rows, case.steps, device=self.device)
        functions = {"torch.add": lambda: torch.add(x, x)}
        for name, prepared in ready.items():
            functions[name] = lambda call=_awaited(prepared), x=prepared.sets[0]: call(x)
        full = self.clock.full(functions)
        return full, self.clock.host(functions) if self.device == "cuda" else {}

    def case(self, case, peers):
        """The records of a case: one of the case itself, one a peer."""
        read, written = estimators.bytes_of(case)
        count = estimators.sets_for(case, self.clock.past_cache)
        sets = estimators.draw(case, count, self.device)
        right = gate.expected(case, sets[0])
        ready, records = {}, {}
        for peer in peers:
            prepared, records[peer.name] = self._prepare(case, peer, sets, right)
            if prepared:
                ready[peer.name] = prepared
        del right
        times = self._device_times(case, ready, floor.calls(read, written, count, self.device))
        way, least = floor.best(times)
        full, host = self._call_times(case, ready)
        for name in ready:
            if "error" in times[name]:
                records[name].update(status="failed", why=times[name]["error"])
                continue
            records[name].update(device=times[name], full=full[name], host=host.get(name))
        about = {"case": str(case), "rows": case.rows, "steps": case.steps, "sets": count,
                 "order": case.order, "reals": case.reals, "flags": case.flags,
                 "estimator": case.label, "truncation": case.truncation, "read": read,
                 "written": written, "floor": least, "floor_way": way,
                 "add_full": full["torch.add"], "sm_clock": self.sm_clock.read()}
        return [about] + list(records.values())
