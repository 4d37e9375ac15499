"""What PUT, HEAD and listing cost against the number of keys."""
import random
import sys
import time
import xml.etree.ElementTree as ET

from .metering import cpu_seconds, pss_bytes, rss_bytes, settle
from .requests import HEAD_FLAG, record, simple
from .signing import Wrong
from .tables import rotate

GROW_SPAN = 1_000_000


def grow_key(i):
    """The i-th key: all over the key space, 1,000 to a prefix when all 1e6 are there."""
    j = i * 611_953 % GROW_SPAN
    return f"grow/{j // 1000:03d}/{j:06d}"


def parse_list(data):
    root = ET.fromstring(data)
    ns = root.tag.partition("}")[0] + "}" if root.tag.startswith("{") else ""
    keys = [e.find(f"{ns}Key").text for e in root.findall(f"{ns}Contents")]
    pre = [e.find(f"{ns}Prefix").text for e in root.findall(f"{ns}CommonPrefixes")]
    token = root.find(f"{ns}NextContinuationToken")
    cut = root.find(f"{ns}IsTruncated")
    return keys, pre, token.text if token is not None and cut is not None and cut.text == "true" else None


def expected(n, start="", limit=1000):
    return sorted(k for k in map(grow_key, range(n)) if k > start)[:limit]


class Growth:
    """Fills each server to each size; measures PUT of the last keys, list pages, a full walk and HEAD."""

    BODY = 100
    PAGE = [("list-type", "2"), ("max-keys", "1000")]
    QUERIES = {
        "list-first": PAGE + [("prefix", "grow/")],
        "list-mid": PAGE + [("prefix", "grow/"), ("start-after", "grow/500/")],
        "list-delim": PAGE + [("prefix", "grow/"), ("delimiter", "/")],
        "list-prefix": PAGE + [("prefix", "grow/500/")],
    }

    def __init__(self, run):
        self.run, self.o, self.lock = run, run.o, run.lock
        self.out, self.stopped = {}, {}
        self.filled = {s.name: 0 for s in run.servers}
        for s in run.servers:           # a new bucket, so that N is exact
            s.bucket += f"-g{run.tag}"
            if not s.plain:
                s.call("PUT", None, ok=(200, 409))

    def keep(self, name, size, s, value):
        self.out.setdefault(f"{name}@{size}", {}).setdefault(s.name, []).append(value)
        if "fail" in value:
            print(f"  {s.name} {name}@{size}: {value['fail']}", file=sys.stderr, flush=True)

    def servers(self, rnd, lists=False):
        return [s for s in rotate(self.run.servers, rnd) if s.name not in self.stopped and not (lists and s.plain)]

    def put(self, s, hi, meter):
        """Put the keys from where the server stands up to hi."""
        recs = []
        for i in range(self.filled[s.name], hi):
            off, _ = self.run.bodies.small(i, self.BODY)
            recs.append(record(simple(s, "PUT", grow_key(i), length=self.BODY), body=(off, self.BODY)))
        with self.lock:
            if meter:
                settle()
            g = self.run.load(s, recs, 16, limit=300, payload=self.BODY, meter=meter)
        self.filled[s.name] = hi
        self.run.rates["grow", s.name] = g["rate"]
        return g

    def fill(self, s, size):
        """Up to size; the last three batches are measured."""
        probe, rate = min(2000, size // 4), self.run.rates.get(("grow", s.name), 2000)
        most = self.o.max_keys.get(s.name, self.o.plain_keys if s.plain else GROW_SPAN)
        seconds = (size - self.filled[s.name]) / rate
        if size > most or seconds > self.o.fill_budget:
            too_slow = f"{size} keys would take {seconds:.0f} s to put"
            self.stopped[s.name] = f"not beyond {most} keys" if size > most else too_slow
            return
        try:
            while self.filled[s.name] < size - 3 * probe:
                step = int(self.run.rates.get(("grow", s.name), 2000) * 30)
                self.put(s, min(size - 3 * probe, self.filled[s.name] + max(1000, min(100000, step))), False)
            while self.filled[s.name] < size:
                self.keep("put", size, s, self.put(s, min(size, self.filled[s.name] + probe), True))
        except Wrong as e:
            self.stopped[s.name] = str(e)
            self.keep("put", size, s, {"fail": str(e)})
        if s.pid:
            self.keep("rss", size, s, {"rss": rss_bytes(s.pid), "pss": pss_bytes(s.pid)})

    def page(self, s, name, truth, rnd):
        """One second of the same list request; the first answer is compared key by key."""
        q = self.QUERIES[name]
        if rnd == 0:
            keys, prefixes, _ = parse_list(s.call("GET", None, q, timeout=120)[2])
            got = prefixes if name == "list-delim" else keys
            if got != truth:
                raise Wrong(f"{len(got)} entries {got[:2]}..{got[-1:]}, not {len(truth)} {truth[:2]}..{truth[-1:]}")
        recs = [record(simple(s, "GET", None, q))] * self.run.count("list", s, 1, start=400)
        return self.run.load(s, recs, 1, 1.0, limit=120)

    def head(self, s, size, rnd):
        rng = random.Random(rnd)
        recs = [record(simple(s, "HEAD", grow_key(rng.randrange(size))), flags=HEAD_FLAG, resp_len=self.BODY)
                for _ in range(self.run.count("head-c1", s, 1, start=3000))]
        return self.run.load(s, recs, 1, 1.0)

    def measure(self, name, size, servers, f):
        with self.lock:
            for s in servers:
                self.lock.breathe()
                try:
                    self.keep(name, size, s, f(s))
                except Wrong as e:
                    self.keep(name, size, s, {"fail": str(e)})

    def go(self, size):
        for s in self.servers(0):
            self.fill(s, size)
        in_500 = [k for k in expected(size, "grow/500/", GROW_SPAN) if k.startswith("grow/500/")]
        truth = {"list-first": expected(size), "list-mid": expected(size, "grow/500/"), "list-prefix": in_500[:1000],
                 "list-delim": sorted({k[:9] for k in map(grow_key, range(size))})[:1000]}
        for rnd in range(self.o.rounds):
            for name in self.QUERIES:
                self.measure(name, size, self.servers(rnd, True), lambda s: self.page(s, name, truth[name], rnd))
            self.measure("head", size, self.servers(rnd), lambda s: self.head(s, size, rnd))
        self.measure("walk", size, self.servers(0, True), lambda s: walk(s, size, self.o.walk_limit))
        print(f"  grew to {size}: " + ", ".join(s.name for s in self.servers(0)), file=sys.stderr, flush=True)


def walk(s, n, limit):
    """List everything page by page as a client does; every key, in order, once."""
    t, token, count, last, pages = time.monotonic(), None, 0, "", 0
    cpu = cpu_seconds(s.pid) if s.pid else 0
    while True:
        q = [("list-type", "2"), ("prefix", "grow/"), ("max-keys", "1000")]
        if token:
            q.append(("continuation-token", token))
        keys, _, token = parse_list(s.call("GET", None, q, timeout=120)[2])
        if keys and (keys[0] <= last or keys != sorted(keys)):
            raise Wrong(f"walk: keys out of order near {keys[0]}")
        pages, count, last = pages + 1, count + len(keys), keys[-1] if keys else last
        if not token or not keys:
            break
        if time.monotonic() - t > limit:
            return {"wall": time.monotonic() - t, "ok": count, "rate": count / (time.monotonic() - t), "part": True}
    if count != n:
        raise Wrong(f"walk: {count} keys, not {n}")
    wall = time.monotonic() - t
    return {"wall": wall, "ok": count, "rate": count / wall, "pages": pages,
            "cpu": (cpu_seconds(s.pid) - cpu) if s.pid else None}
