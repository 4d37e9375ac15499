#!/usr/bin/env python3
"""Shoal against its targets: one row a target, from the JSON files of bench.py.

    compare.py out/small.json out/big.json ...

A target is a ratio to the best peer (a store that did the cell rightly), a ratio to the floor (nginx, or the C floor)
or a bound of its own.  "must" is what a release has to reach, "aim" what the floor shows to be possible.  Every
condition of a column has to hold.  Exit status 1 if a measured "must" is missed.
"""
import sys

from s3bench.tables import cpu_per, failed, median, merge, num, ratio, table, written_per_byte
from s3bench.units import MiB

SHOAL, PEERS = "shoal", ("seaweed", "rclone", "juicefs", "ministack")
FLOORS = ("nginx", "floor-log", "floor-file")

rate = lambda r: r["rate"]
mbps = lambda r: r["mbps"]
p50 = lambda r: r["p50_ms"]
p99 = lambda r: r["p99_ms"]
seconds = lambda r: r["wall"]
rss = lambda r: r["rss"]
peak = lambda r: r["rss_peak"]
LESS_IS_BETTER = (p50, p99, seconds, rss, peak, written_per_byte)


class Row:
    """One cell with what is asked of it; conditions are functions of a Measured that return True, False or None."""

    def __init__(self, name, cell, must, aim, get=rate, floor=None, unit="/s", scale=1):
        self.name, self.cell, self.must, self.aim = name, cell, must, aim
        self.get, self.floor, self.unit, self.scale = get, floor, unit, scale


class Measured:
    """The values of all runs together."""

    def __init__(self, data):
        self.data = data

    def rows(self, cell, server=SHOAL):
        rows = self.data["cells"].get(cell, {}).get(server)
        return rows if rows and not failed(rows) else None

    def value(self, cell, get, server=SHOAL):
        rows = self.rows(cell, server)
        return median(rows, get) if rows else None

    def best_peer(self, cell, get):
        """(name, value) of the peer that did best; None if no one did it rightly."""
        values = [(self.value(cell, get, p), p) for p in PEERS]
        values = [v for v in values if v[0] is not None]
        if not values:
            return None
        value, name = min(values) if get in LESS_IS_BETTER else max(values)
        return name, value

    def against(self, cell, get, other, server=SHOAL):
        """Median of the per-round ratios to another server."""
        mine, theirs = self.rows(cell, server), self.rows(cell, other)
        return ratio(mine, theirs, get) if mine and theirs else None

    def sizes(self):
        """Key counts that Shoal grew to, ascending."""
        cells = [c for c, per in self.data["cells"].items() if c.startswith("put@") and per.get(SHOAL)]
        return sorted(int(c.split("@")[1]) for c in cells)


# --------------------------------------------------------------------------- conditions: (text, test)

def at_least(text, left, factor):
    return text, lambda m: None if left(m) is None else left(m) >= factor


def at_most(text, left, most):
    return text, lambda m: None if left(m) is None else left(m) <= most


def peer(cell, factor, get=rate):
    def left(m):
        best = m.best_peer(cell, get)
        return m.against(cell, get, best[0]) if best else None
    return at_least(f"≥ {factor}x peer", left, factor)


def floor(cell, name, factor):
    return at_least(f"≥ {factor}x {name}", lambda m: m.against(cell, rate, name), factor)


def cpu(cell, most):
    """Per 10,000 requests, or per 10^9 bytes."""
    get = lambda r: cpu_per(r, r["payload"] / 1e9 if cell.startswith(BIG) else r["ok"] / 1e4)
    return at_most(f"CPU ≤ {most} s", lambda m: m.value(cell, get), most)


BIG = ("put-64m", "put-1g", "get-64m", "get-1g", "range")


def cpu_over(cell, base, most):
    get = lambda r: cpu_per(r, r["payload"] / 1e9)

    def left(m):
        both = m.value(cell, get), m.value(base, get)
        return None if None in both else both[0] - both[1]
    return at_most(f"CPU ≤ {base} + {most} s", left, most)


def own(cell, base, factor):
    def left(m):
        both = m.value(cell, rate), m.value(base, rate)
        return None if None in both else both[0] / both[1]
    return at_least(f"≥ {factor}x {base}", left, factor)


def durable(cell, factor):
    left = lambda m: m.against(cell, rate, "shoal-process", server="shoal-power")
    return at_least(f"≥ {factor}x not durable", left, factor)


def tail(cell, factor):
    get = lambda r: r["p99_ms"] / r["p50_ms"]
    return at_most(f"≤ {factor}x p50", lambda m: m.value(cell, get), factor)


def bound(cell, get, most, unit, scale=1):
    def left(m):
        value = m.value(cell, get)
        return None if value is None else value / scale
    return at_most(f"≤ {most} {unit}".strip(), left, most)


def over_idle(cell, most):
    def left(m):
        both = m.value(cell, peak), m.value("startup", rss)
        return None if None in both else (both[0] - both[1]) / MiB
    return at_most(f"≤ idle + {most} MiB", left, most)


def grown(m_cell, m_base, test, factor, get):
    def left(m):
        both = m.value(m_cell, get), m.value(m_base, get)
        return None if None in both else both[0] / both[1]
    return test(f"{'≥' if test is at_least else '≤'} {factor}x {m_base}", left, factor)


# --------------------------------------------------------------------------- the targets

def small_rows():
    written = written_per_byte
    c = "put-4k-c1"
    yield Row("PUT 4 KiB, 1 connection", c, [peer(c, 2.5), cpu(c, 1.2)], [floor(c, "floor-log", 0.6), cpu(c, 0.8)],
              floor="floor-log")
    c = "put-4k-c64"
    yield Row("PUT 4 KiB, 64 connections", c, [peer(c, 2.5), cpu(c, 0.9)], [floor(c, "floor-log", 0.35), cpu(c, 0.6)],
              floor="floor-log")
    c = "put-4k-churn"
    yield Row("PUT right after deletes", c, [own(c, "put-4k-c16", 0.9)], [], floor="floor-log")
    c = "put-4k-c64"
    yield Row("PUT durable (--durability power), 64 connections", c + "/shoal-power", [durable(c, 0.4)],
              [durable(c, 0.6)])
    c = "get-4k-c1"
    yield Row("GET 4 KiB, 1 connection", c, [peer(c, 1.3)], [floor(c, "nginx", 0.7)], floor="nginx")
    c = "get-4k-c64"
    yield Row("GET 4 KiB, 64 connections", c, [peer(c, 2), cpu(c, 0.6)], [floor(c, "nginx", 0.5), cpu(c, 0.4)],
              floor="nginx")
    c = "head-c64"
    yield Row("HEAD, 64 connections", c, [peer(c, 1.3)], [floor(c, "nginx", 0.5)], floor="nginx")
    c = "delete-c64"
    yield Row("DELETE, 64 connections", c, [peer(c, 1.5)], [floor(c, "floor-log", 0.25)], floor="floor-log")
    for c in ("put-4k-c1", "get-4k-c1", "head-c1"):
        yield Row(f"p99 of {c}", c, [tail(c, 4), bound(c, p99, 0.6, "ms")], [tail(c, 2.5)], get=p99, unit="ms")
    for c, must, aim in (("put-4k-c64", 1.15, 1.08), ("put-64m-unsigned", 1.02, 1.005)):
        yield Row(f"written per payload byte, {c}", c, [bound(c, written, must, "")], [bound(c, written, aim, "")],
                  get=written, unit="")


def big_rows():
    c, base = "put-64m-unsigned", "put-64m-unsigned"
    yield Row("PUT 64 MiB, 1 stream", c, [peer(c, 1.0), cpu(c, 2.4)], [floor(c, "floor-log", 1.0), cpu(c, 1.9)],
              get=mbps, floor="floor-log", unit="MB/s")
    c = "put-64m-x4"
    yield Row("PUT 64 MiB, 4 streams", c, [peer(c, 1.3)], [floor(c, "floor-log", 0.9)], get=mbps, floor="floor-log",
              unit="MB/s")
    c = "put-64m-sdk"
    yield Row("the same with SHA-256 and CRC-32", c, [own(c, base, 0.75), cpu_over(c, base, 0.9)],
              [cpu_over(c, base, 0.7)], get=mbps, unit="MB/s")
    for c, must, aim in (("put-64m-trailer", 0.85, 0.95), ("put-64m-chunked", 0.7, 0.75)):
        yield Row(f"the same, {c.split('-')[-1]}", c, [own(c, base, must)], [own(c, base, aim)], get=mbps, unit="MB/s")
    for c in ("get-64m", "get-1g"):
        yield Row(f"GET, {c}", c, [floor(c, "nginx", 0.8), cpu(c, 0.5)], [floor(c, "nginx", 1.0), cpu(c, 0.3)],
                  get=mbps, floor="nginx", unit="MB/s")
    for c in ("range-1m-c1", "range-1m-c16"):
        yield Row(f"ranges of 1 MiB, {c}", c, [floor(c, "nginx", 0.6)], [floor(c, "nginx", 0.8)],
                  get=mbps, floor="nginx", unit="MB/s")
    for c in ("put-1g-unsigned", "put-1g-x4", "get-1g"):
        yield Row(f"memory in {c}", c, [over_idle(c, 32)], [over_idle(c, 16)], get=peak, unit="MiB", scale=MiB)


def growth_rows(sizes):
    """`sizes`: key counts that were reached, ascending."""
    if not sizes:
        return
    first, last = sizes[0], sizes[-1]
    page = f"list-mid@{last}"
    yield Row(f"list page of 1,000 at {last:,} keys", page,
              [bound(page, p50, 3, "ms"), grown(page, f"list-mid@{first}", at_most, 1.3, p50)],
              [bound(page, p50, 1, "ms")], get=p50, unit="ms")
    page = f"list-delim@{last}"
    yield Row(f"page with delimiter at {last:,} keys", page, [bound(page, p50, 3, "ms")], [bound(page, p50, 1, "ms")],
              get=p50, unit="ms")
    put = f"put@{last}"
    yield Row(f"PUT at {last:,} keys", put, [grown(put, f"put@{first}", at_least, 0.8, rate)],
              [grown(put, f"put@{first}", at_least, 0.9, rate)])
    if last >= 100_000:
        def held(m):
            ends = [m.value(f"rss@{n}", rss) for n in (first, last)]
            return None if None in ends else (ends[1] - ends[0]) / (last - first)
        yield Row(f"memory at {last:,} keys", f"rss@{last}", [at_most("≤ 300 B per key", held, 300)],
                  [at_most("≤ 100 B per key", held, 100)], get=rss, unit="MiB", scale=MiB)


def start_rows():
    yield Row("start-up to ListBuckets", "startup", [bound("startup", seconds, 30, "ms", 1e-3)],
              [bound("startup", seconds, 15, "ms", 1e-3)], get=seconds, unit="ms", scale=1e-3, floor="nginx")
    yield Row("idle memory", "startup", [bound("startup", rss, 25, "MiB", MiB)],
              [bound("startup", rss, 15, "MiB", MiB)], get=rss, unit="MiB", scale=MiB)


# --------------------------------------------------------------------------- the table

def verdict(m, row):
    """aim, must, no; "?" where nothing was measured, "FAIL" where Shoal answered wrongly."""
    cell = row.cell.split("/")[0]
    if failed(m.data["cells"].get(cell, {}).get(SHOAL) or []):
        return "FAIL"
    must, aim = ([test(m) for _, test in conditions] for conditions in (row.must, row.aim))
    if False in must:
        return "NO"
    if None in must:
        return "?"
    return "aim" if aim and all(aim) else "must"


def line(m, row):
    cell, _, server = row.cell.partition("/")
    mine = m.value(cell, row.get, server or SHOAL)
    best = None if server else m.best_peer(cell, row.get)       # no peer syncs before it answers
    shown = lambda v: "" if v is None else f"{num(v / row.scale)} {row.unit}".strip()
    least = m.value(cell, row.get, row.floor) if row.floor else None
    ratios = [m.against(cell, row.get, n) for n in (best[0] if best else None, row.floor) if n]
    words = lambda conditions: ", ".join(text for text, _ in conditions)
    return [row.name, shown(mine), f"{best[0]} {shown(best[1])}" if best else "",
            f"{row.floor} {shown(least)}" if least is not None else "",
            " / ".join(num(r) + "x" for r in ratios if r is not None), words(row.must), words(row.aim), verdict(m, row)]


def main():
    if len(sys.argv) < 2 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    m = Measured(merge(sys.argv[1:]))
    rows = [*small_rows(), *big_rows(), *growth_rows(m.sizes()), *start_rows()]
    lines = [line(m, row) for row in rows]
    wrong = [f"* {c}: {r['fail']}" for c, per in m.data["cells"].items() for r in per.get(SHOAL, []) if "fail" in r]
    print(table(["cell", "shoal", "best peer", "floor", "ratio to peer / floor", "must", "aim", "reached"], lines))
    print("Wrong answers of Shoal:\n\n" + "\n".join(wrong) if wrong else "Shoal gave no wrong answer.")
    sys.exit(1 if wrong or any(x[-1] == "NO" for x in lines) else 0)


if __name__ == "__main__":
    main()
