"""A run: cases in the order of a plan, records appended to a file as they come.

The file has one JSON object a line, so that a run that ends early leaves all that it
measured; run again with it, what it has is left out.
"""

import json
import os
import sys
import time

from bench import instep, measure
from bench.cases import read_plan

OUT_OF_TIME = "out of time"


class Journal:
    def __init__(self, path):
        self.path, self.records = path, []
        if os.path.exists(path):
            with open(path, encoding="utf-8") as file:
                self.records = [json.loads(line) for line in file if line.endswith("\n")]

    def begin(self, stamp):
        """Refuses to mix numbers of two machines."""
        for old in (r["stamp"] for r in self.records if "stamp" in r):
            for what in ("device", "gpu", "cpu"):
                mine, theirs = ((s.get(what) or {}) for s in (stamp, old))
                if what == "gpu":
                    mine, theirs = mine.get("name"), theirs.get("name")
                if mine != theirs:
                    raise ValueError(f"{self.path}: of {what} '{theirs}', this is '{mine}'")
        self.add({"stamp": stamp})

    def add(self, record):
        self.records.append(record)
        with open(self.path, "a", encoding="utf-8") as file:
            file.write(json.dumps(record) + "\n")

    def known(self, case):
        """Names of the peers that have been tried on a case, of which some failed."""
        mine = [r for r in self.records if r.get("case") == str(case) and "peer" in r]
        return {r["peer"] for r in mine}, {r["peer"] for r in mine if r["status"] != "measured"}


class Run:
    def __init__(self, journal, peers, device, minutes, quick, report):
        self.journal, self.peers, self.device, self.report = journal, peers, device, report
        self.started, self.seconds = time.monotonic(), minutes * 60
        self.quick, self.complete = quick, True
        self.measurer = measure.Measurer(device, measure.clock_for(device, quick))

    def say(self, text):
        spent = int(time.monotonic() - self.started)
        print(f"[{spent // 60}:{spent % 60:02}] {text}", file=self.report, flush=True)

    def late(self):
        return time.monotonic() - self.started > self.seconds

    def leave_out(self, case):
        self.complete = False
        self.say(f"{case}: {OUT_OF_TIME}")
        self.journal.add({"case": case, "left_out": OUT_OF_TIME})

    def begin(self, stamp):
        """The stamp; which peers can be had."""
        self.journal.begin(stamp)
        there = []
        for peer in self.peers:
            why = peer.missing(self.device)
            if why:
                self.say(f"{peer.label}: left out, {why}")
                self.journal.add({"peer": peer.name, "missing": why})
            else:
                there.append(peer)
        self.peers = there

    def _for(self, case):
        return [p for p in self.peers if p.takes(case, self.device)
                and (p.every_case or case.every_peer)]

    def _summary(self, case, records):
        about, peers = records[0], {r["peer"]: r for r in records[1:]}
        mine = peers.get("rlscan", {}).get("device")
        words = []
        for peer in self.peers:
            record = peers.get(peer.name)
            if record is None:
                continue
            if record["status"] != "measured":
                words.append(f"{peer.label} {record['status']}: {record['why']}")
                continue
            spent, beside = record["device"]["median"], ""
            if peer.name == "rlscan":
                beside = f" ({about['floor']['median'] / spent:.3f} of the floor)"
            elif mine:
                beside = f" ({spent / mine['median']:.2f} x)"
            words.append(f"{peer.label} {spent:.2f} us{beside}")
        return f"{case}: " + ", ".join(words)

    def cases(self, plan):
        for number, case in enumerate(plan, 1):
            wanted = self._for(case)
            tried, failed = self.journal.known(case)
            if {p.name for p in wanted} <= tried:
                continue
            if self.late():
                self.leave_out(str(case))
                continue
            # A peer that failed is not tried again; the others are compared in one run.
            records = self._measure(case, [p for p in wanted if p.name not in failed])
            for record in records:
                self.journal.add(record)
            if "left_out" in records[0]:
                self.say(f"{number}/{len(plan)} {case}: {records[0]['left_out']}")
            else:
                self.say(f"{number}/{len(plan)} {self._summary(case, records)}")

    def _measure(self, case, peers):
        try:
            return self.measurer.case(case, peers)
        except Exception as error:  # too large for the memory, say
            self.measurer.clock.wait()  # raises where the device is lost
            return [{"case": str(case), "left_out": measure.text_of(error)}]

    def steps(self):
        """Shares of an update, a network at a time."""
        case = instep.case_of(self.device, self.quick)
        able = [p for p in self.peers if p.name in instep.PEERS and p.takes(case, self.device)]
        for hidden in instep.HIDDEN:
            tried, failed = self.journal.known(f"update {hidden}")
            peers = [p for p in able if p.name not in failed]
            if {p.name for p in peers} <= tried:
                continue
            if self.late():
                self.leave_out(f"update {hidden}")
                continue
            for record in self._update(hidden, peers):
                self.journal.add(record)
                what = (record.get("left_out") or record.get("why")
                        or f"{record['advantage_us']:.0f} us of {record['total_us']:.0f}")
                self.say(f"update, {hidden} hidden units, {record.get('peer', 'all')}: {what}")

    def _update(self, hidden, peers):
        try:
            yield from instep.measure(hidden, peers, self.device, self.measurer.clock,
                                      self.quick)
        except Exception as error:
            self.measurer.clock.wait()
            yield {"case": f"update {hidden}", "left_out": measure.text_of(error)}


def run(plan_path, peers, device, journal, minutes, stamp, quick, report=sys.stderr):
    """Measures what a plan lists and the journal has not; whether there was time for all."""
    plan = read_plan(plan_path)
    this = Run(journal, peers, device, minutes, quick, report)
    this.begin(stamp)
    headline = [case for case in plan if case.every_peer]
    this.cases(headline)
    this.steps()
    this.cases([case for case in plan if not case.every_peer])
    this.say("the end")
    return this.complete
