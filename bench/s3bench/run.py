"""One run of the benchmark: its servers, its load generator and its cells."""
import json
import os
import random
import shutil
import subprocess
import tempfile
import time

from .bodies import Bodies
from .metering import Meter, busy_seconds
from .requests import record, simple
from .signing import Unsupported, Wrong
from .turns import Lock
from .units import GiB, KiB, MiB

NATIVE = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "native")
SMALL = 4 * KiB


class Run:
    def __init__(self, o, servers):
        self.o, self.servers = o, servers
        self.work = tempfile.mkdtemp(prefix="s3bench-", dir=o.work)
        self.lock = Lock(o.lock, o.hold)
        self.bodies = Bodies(self.work, o.big)
        self.rates, self.facts = {}, {}     # requests a second seen last; digests computed once
        self.tag = f"{os.getpid():x}{int(time.time()) & 0xffff:x}"
        self.loadgen = f"{self.work}/loadgen"
        sources = [f"{NATIVE}/{name}.c" for name in ("loadgen", "response")]
        subprocess.run([os.environ.get("CC", "cc"), "-O2", "-o", self.loadgen, *sources], check=True)
        self.ready = {}                     # (server, what): keys that GETs read, put once

    def close(self):
        for s in self.servers:
            keys = [k for (name, _), ks in self.ready.items() if name == s.name for k in ks]
            try:
                self.drop_keys(s, keys)
            except (OSError, RuntimeError):
                pass
        self.lock.give()
        shutil.rmtree(self.work, ignore_errors=True)

    def load(self, s, records, conns, seconds=0.0, limit=None, body=None, payload=0, meter=True):
        """Send the records; returns the generator's numbers and the server's meter."""
        path = f"{self.work}/requests-{s.name}"
        with open(path, "wb") as f:
            f.writelines(records)
        with Meter(s.pid if meter else None) as m:
            busy = busy_seconds()
            r = subprocess.run([self.loadgen, s.host, str(s.port), path, body or self.bodies.path, str(conns),
                                str(seconds), str(limit or self.o.limit)], capture_output=True, text=True)
            busy = busy_seconds() - busy
        os.remove(path)
        if r.returncode:
            raise RuntimeError(f"loadgen: {r.stderr}")
        g = json.loads(r.stdout)
        bad = sum(g[k] for k in ("bad_status", "bad_etag", "bad_body", "conn_errors", "late"))
        if bad or not g["ok"]:
            raise Wrong(f"{bad} of {bad + g['ok']} wrong: {g['first_error']}")
        g.update(m.out)
        g["rate"] = g["ok"] / g["wall"]
        if m.out:       # cores that others used meanwhile: neighbours, and the kernel's writeback threads
            g["foreign"] = max(0.0, busy - g["cpu"] - g["gen_cpu"]) / g["wall"]
        if payload:
            g["mbps"] = g["ok"] * payload / g["wall"] / 1e6
        g["payload"] = g["ok"] * payload
        return g

    def count(self, cell, s, seconds, start=6000, most=200000):
        """How many requests to sign for a run of so many seconds, from the rate seen last."""
        rate = self.rates.get((cell, s.name))
        return int(min(most, start if rate is None else rate * seconds * 1.3 + 200))

    def drop_keys(self, s, keys):
        recs = [record(simple(s, "DELETE", k)) for k in keys]
        if recs:
            try:
                self.load(s, recs, 16, limit=120, meter=False)
            except Wrong:
                pass

    def fill_small(self, s, keys, size):
        recs = []
        for i, k in enumerate(keys):
            off, md5 = self.bodies.small(i, size)
            recs.append(record(simple(s, "PUT", k, length=size), body=(off, size), etag=None if s.plain else md5))
        return recs

    def check(self, s, key, size, md5, off=0):
        """Read one object back: length and ETag by HEAD, bytes by GET (the first 8 MiB of big ones)."""
        _, h, _ = s.call("HEAD", key)
        if int(h.get("content-length", -1)) != size:
            raise Wrong(f"HEAD {key}: Content-Length {h.get('content-length')}, not {size}")
        if not s.plain and md5 and h.get("etag", "").strip('"') != md5:
            raise Wrong(f"HEAD {key}: ETag {h.get('etag')}, not {md5}")
        n = min(size, 8 * MiB)
        if n == size or not s.plain:
            rng = {} if n == size else {"range": f"bytes=0-{n - 1}"}
            _, _, data = s.call("GET", key, headers=rng, ok=(200, 206))
            if data != self.bodies.read(off, n):
                raise Wrong(f"GET {key}: other bytes than were put")


CELLS = {}


def cell(name, what, f, unit="req/s", rounds=None, moves=0):
    """Register a cell.  f(run, server, round) is a generator: it prepares, yields (the lock is taken
    here), measures, yields the numbers, and cleans up.  rounds: at most so many; moves: bytes a run moves."""
    CELLS[name] = {"name": name, "what": what, "unit": unit, "f": f, "rounds": rounds,
                   "warm": min(5 * GiB, 256 * MiB + moves * 5 // 4)}
