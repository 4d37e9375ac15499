#!/usr/bin/env python3
"""Compare S3-compatible servers on one machine: same work, interleaved rounds, ratios.

    bench.py --server NAME=URL,ACCESS,SECRET,BUCKET[,PID[,plain]] [--server ...]
             [--only CELL,...] [--rounds N] [--json OUT.json] ...
    bench.py --report OUT.json [...]        print the tables of saved runs again
    bench.py --list                         names of the cells

The first server is the reference of every ratio.  With PID the server's whole process tree is metered (CPU, resident
memory, bytes written).  "plain" marks an HTTP server that is no S3 (nginx with dav PUT, the C floor): its signatures,
ETags, listings and multipart uploads are not asked for.  Cells that a server cannot do are shown as "n/a"; wrong
answers are shown as FAIL, never as a number.  README.md says how it measures and how to read the tables.

Needs Python 3.9, a C compiler and Linux; no packages.  s5cmd and boto3 are used only by the cells of that name
(--s5cmd PATH, --boto3 PYTHON).
"""
import argparse
import fnmatch
import json
import os
import signal
import subprocess
import sys
import time
import urllib.parse

from s3bench.big import define_big
from s3bench.checks import checks
from s3bench.clients import define_clients
from s3bench.growth import Growth
from s3bench.metering import settle
from s3bench.requests import head_of, record, simple
from s3bench.run import CELLS, SMALL, Run
from s3bench.signing import Server, Unsupported, Wrong
from s3bench.small import define_small
from s3bench.startup import startup
from s3bench.tables import med, merge, num, rotate, show
from s3bench.units import GiB


def options():
    a = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    a.add_argument("--server", action="append", default=[], metavar="SPEC")
    a.add_argument("--only", default="*", help="cells, comma-separated, with wildcards; also: startup, grow, checks")
    a.add_argument("--skip", default="", help="cells to leave out")
    a.add_argument("--rounds", type=int, default=5)
    a.add_argument("--seconds", type=float, default=2.0, help="length of one run of a small-object cell")
    a.add_argument("--limit", type=float, default=60.0, help="a run that takes longer fails")
    a.add_argument("--big", type=int, default=GiB, help="bytes of the big body (smaller: the 1g cells are n/a)")
    a.add_argument("--sizes", default="1000,10000,100000", help="key counts of `grow`")
    a.add_argument("--max-keys", action="append", default=[], metavar="NAME=N", help="`grow`: no further for it")
    a.add_argument("--plain-keys", type=int, default=100000, help="`grow`: no further for plain servers")
    a.add_argument("--fill-budget", type=float, default=300, help="`grow`: seconds a server may take to reach a size")
    a.add_argument("--walk-limit", type=float, default=60, help="`grow`: seconds for a full walk")
    a.add_argument("--start", action="append", default=[], metavar="NAME=COMMAND",
                   help="`startup`: shell command with {port} and {dir} (fresh, empty)")
    a.add_argument("--prepare", action="append", default=[], metavar="NAME=COMMAND", help="before --start, unmeasured")
    a.add_argument("--null", metavar="URL", help="an http URL that answers at once: the generator's own limit")
    a.add_argument("--no-probe", action="store_true", help="the servers need not run (for `startup` alone)")
    a.add_argument("--lock", metavar="FILE", help="measure only while holding this flock")
    a.add_argument("--hold", type=float, default=380, help="seconds after which the lock is given up between two runs")
    a.add_argument("--work", default="/dev/shm" if os.path.isdir("/dev/shm") else None, help="bodies and request lists")
    a.add_argument("--disk", default=None, help="data directories of `startup`")
    a.add_argument("--s5cmd", metavar="PATH")
    a.add_argument("--boto3", metavar="PYTHON", help="a Python that has boto3")
    a.add_argument("--json", metavar="FILE")
    a.add_argument("--report", nargs="+", metavar="FILE")
    a.add_argument("--list", action="store_true")
    o = a.parse_args()
    o.max_keys = {k: int(v) for k, v in (x.split("=") for x in o.max_keys)}
    if not (o.server or o.report or o.list):
        a.error("no --server")
    return o


class Benchmark:
    """Everything that was asked for, against every server; saved after each cell."""

    def __init__(self, o):
        self.o, self.servers = o, [Server(x) for x in o.server]
        self.run = Run(o, self.servers)
        self.data = {"servers": [s.name for s in self.servers], "cells": {}, "units": {}, "checks": {},
                     "generator": {}, "stopped": {}, "started": time.strftime("%Y-%m-%dT%H:%M:%S")}

    def wants(self, name):
        some = lambda patterns: any(fnmatch.fnmatch(name, p) for p in patterns.split(","))
        return some(self.o.only) and not some(self.o.skip)

    def save(self):
        if self.o.json:
            with open(self.o.json + ".new", "w") as f:
                json.dump(self.data, f)
            os.replace(self.o.json + ".new", self.o.json)

    def go(self):
        try:
            if not self.o.no_probe:
                for s in self.servers:
                    with self.run.lock:
                        probe(self.run, s)
            if self.wants("checks"):
                self.data["checks"] = {s.name: checks(self.run, s) for s in self.servers}
            if self.o.null:
                self.measure_generator()
            for c in CELLS.values():
                if self.wants(c["name"]):
                    self.measure(c)
                    self.save()
            if self.wants("startup") and self.o.start:
                self.measure_startup()
            if self.wants("grow"):
                self.measure_growth()
        finally:
            self.save()
            self.run.close()

    def measure_generator(self):
        u = Server(f"null={urllib.parse.urlsplit(self.o.null)._replace(path='').geturl()},a,b,c")
        path = urllib.parse.urlsplit(self.o.null).path
        recs = [record(head_of(u, "GET", path))] * 300000
        with self.run.lock:
            for c in (1, 64):
                self.data["generator"][f"GET {path} c{c}"] = self.run.load(u, recs, c, self.o.seconds)

    def measure(self, c):
        """One cell: in each round every server in turn, starting one further each round."""
        self.data["units"][c["name"]] = c["unit"]
        per, off = self.data["cells"].setdefault(c["name"], {}), set()
        for rnd in range(min(self.o.rounds, c["rounds"] or self.o.rounds)):
            steps = self.prepared(c, rnd, off)
            with self.run.lock:
                for s, g in steps:
                    self.run.lock.breathe()
                    settle(c["warm"])
                    self.measure_one(c, s, g, per, off)
                    next(g, None)       # clean-up, not measured
        unit = "mbps" if c["unit"] == "MB/s" else "rate"
        print(f"{c['name']:18} " + "  ".join(
            f"{s.name}={'FAIL' if any('fail' in r for r in per[s.name]) else num(med(per[s.name], unit))}"
            for s in self.servers if s.name in per), file=sys.stderr, flush=True)

    def prepared(self, c, rnd, off):
        steps = []
        for s in rotate(self.servers, rnd):
            if s.name in off:
                continue
            try:
                g = c["f"](self.run, s, rnd)
                next(g)
                steps.append((s, g))
            except Unsupported:
                off.add(s.name)
        return steps

    def measure_one(self, c, s, g, per, off):
        try:
            r = next(g)
            self.run.rates[c["name"], s.name] = r["rate"]
        except Unsupported:
            off.add(s.name)
            return
        except (Wrong, OSError, subprocess.TimeoutExpired, StopIteration) as e:
            r = {"fail": str(e)[:400]}
            off.add(s.name)
        per.setdefault(s.name, []).append(r)

    def measure_startup(self):
        start, prepare = (dict(x.split("=", 1) for x in list_) for list_ in (self.o.start, self.o.prepare))
        per = self.data["cells"].setdefault("startup", {})
        for rnd in range(self.o.rounds):
            with self.run.lock:
                for i, s in enumerate(s for s in rotate(self.servers, rnd) if s.name in start):
                    self.run.lock.breathe()
                    try:
                        r = startup(self.run, s, start[s.name], prepare.get(s.name), i)
                    except (Wrong, subprocess.CalledProcessError) as e:
                        r = {"fail": str(e)[:400]}
                    per.setdefault(s.name, []).append(r)
        print("startup            " + "  ".join(
            f"{n}={num(med([r for r in v if 'wall' in r], 'wall')) or 'FAIL'} s" for n, v in per.items()),
            file=sys.stderr, flush=True)
        self.save()

    def measure_growth(self):
        g = Growth(self.run)
        self.data["stopped"] = g.stopped
        for size in self.o.sizes.split(","):
            g.go(int(size))
            self.data["cells"].update(g.out)
            self.save()


def probe(run, s):
    """Make the bucket, find out whether presigned URLs work, refuse to measure a server that fails one PUT."""
    if not s.plain:
        s.call("PUT", None, ok=(200, 409))
    for presigned in (True, False):
        s.presigned = presigned
        off, md5 = run.bodies.small(0, SMALL)
        try:
            head = simple(s, "PUT", "probe", length=SMALL)
            run.load(s, [record(head, body=(off, SMALL), etag=None if s.plain else md5)], 1, meter=False)
            return
        except Wrong as e:
            why = e
    sys.exit(f"{s.name}: cannot put an object: {why}")


def main():
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("ended by SIGTERM"))      # so that the clean-up runs
    o = options()
    define_small()
    define_big()
    define_clients()
    if o.list:
        print("\n".join([f"{c['name']:18} {c['what']}" for c in CELLS.values()]
                        + ["checks             what each server verifies",
                           "grow               cost against the number of keys",
                           "startup            exec to first answer, idle memory"]))
    elif o.report:
        print(show(merge(o.report)))
    else:
        b = Benchmark(o)
        b.go()
        print(show(b.data))


if __name__ == "__main__":
    main()
