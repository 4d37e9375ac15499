"""Markdown tables of saved runs."""
import json
import statistics

from .units import MiB

# title, cells ("req/s" or "MB/s": those of that unit; else a prefix), value, options
GRIDS = [
    ("Requests per second (ratio to the first server)", "req/s", lambda r: r["rate"], {"rates": True}),
    ("Latency p50, ms", "req/s", lambda r: r["p50_ms"], {}),
    ("Latency p99, ms", "req/s", lambda r: r["p99_ms"], {}),
    ("Server CPU seconds per 10,000 requests", "req/s", lambda r: cpu_per(r, r["ok"] / 1e4), {}),
    ("MB per second (10^6 bytes of payload)", "MB/s", lambda r: r["mbps"], {"rates": True}),
    ("Server CPU seconds per GB (10^9 bytes)", "MB/s", lambda r: cpu_per(r, r["payload"] / 1e9), {}),
    ("Bytes written per byte of payload (/proc/PID/io)", ("put-", "mpu-", "s5cmd-", "boto3-"),
     lambda r: written_per_byte(r), {"with_ratio": False}),
    ("Resident memory, MiB: highest while the cell ran", ("req/s", "MB/s"),
     lambda r: r["rss_peak"] / MiB if "rss_peak" in r else None, {"with_ratio": False}),
    ("Start-up: exec to first ListBuckets, ms", "startup", lambda r: r["wall"] * 1e3, {}),
    ("Start-up: CPU ms", "startup", lambda r: r["cpu"] * 1e3, {}),
    ("Idle memory after start: RSS, MiB", "startup", lambda r: r["rss"] / MiB, {}),
    ("Idle memory after start: PSS, MiB", "startup", lambda r: r["pss"] / MiB, {}),
    ("Growth: PUT requests/s (100 B, 16 connections) at N keys", "put@", lambda r: r["rate"], {}),
    ("Growth: server CPU s per 10,000 PUTs at N keys", "put@", lambda r: cpu_per(r, r["ok"] / 1e4), {}),
    ("Growth: ms per list page of 1,000 (p50) at N keys", "list-", lambda r: r["p50_ms"], {}),
    ("Growth: server CPU ms per list page at N keys", "list-", lambda r: cpu_per(r, r["ok"] / 1e3), {}),
    ("Growth: full walk, keys/s (client included)", "walk@", lambda r: r["rate"], {}),
    ("Growth: HEAD requests/s (1 connection) at N keys", "head@", lambda r: r["rate"], {}),
    ("Growth: RSS MiB at N keys", "rss@", lambda r: r["rss"] / MiB, {"with_ratio": False}),
]


def cpu_per(r, amount):
    return r["cpu"] / amount if "cpu" in r and amount else None


def written_per_byte(r):
    return r["written"] / r["payload"] if "written" in r and r["payload"] else None


def rotate(items, n):
    n %= len(items)
    return items[n:] + items[:n]


def med(rows, key):
    v = [r[key] for r in rows if r.get(key) is not None]
    return statistics.median(v) if v else None


def num(v):
    if v is None:
        return ""
    if abs(v) >= 1000:
        return f"{v:,.0f}"
    return f"{v:.0f}" if abs(v) >= 100 else f"{v:.1f}" if abs(v) >= 10 else f"{v:.2f}"


def table(head, rows):
    width = [max(len(str(r[i])) for r in [head] + rows) for i in range(len(head))]
    line = lambda r: "| " + " | ".join(str(c).ljust(w) for c, w in zip(r, width)) + " |"
    return "\n".join([line(head), "|" + "|".join("-" * (w + 2) for w in width) + "|"] + [line(r) for r in rows]) + "\n"


# --------------------------------------------------------------------------- values of one cell

def quiet(r):
    """Whether others used less than half a core meanwhile."""
    return r.get("foreign", 0) < 0.5


def failed(rows):
    return any("fail" in r for r in rows)


def median(rows, get):
    """Of the quiet rounds, or of all if there is no quiet one; None without a value."""
    v = [get(r) for r in ([r for r in rows if quiet(r)] or rows)]
    v = [x for x in v if x is not None]
    return statistics.median(v) if v else None


def ratio(rows, base, get):
    """Median of the per-round ratios, of rounds that were quiet for both where there are such."""
    if failed(rows) or failed(base):
        return None
    pairs = list(zip(rows, base))
    pairs = [p for p in pairs if quiet(p[0]) and quiet(p[1])] or pairs
    v = [get(a) / get(b) for a, b in pairs if get(a) is not None and get(b)]
    return statistics.median(v) if v else None


def generator_bound(rows):
    rows = [r for r in rows if quiet(r)] or rows
    return statistics.median(r.get("gen_cpu", 0) / r["wall"] for r in rows) > 0.9


# --------------------------------------------------------------------------- the tables

def show(data):
    """Every table that the run has values for."""
    parts = [checks_table(data), *(grid(data, *g) for g in GRIDS), generator_table(data), noise(data), failures(data)]
    return "\n".join(p for p in parts if p)


def select(data, cells):
    wanted = (cells,) if isinstance(cells, str) else cells
    return [c for c in data["cells"] if data["units"].get(c) in wanted or c.startswith(wanted)]


def grid(data, title, cells, get, style):
    names, rows = data["servers"], []
    for c in select(data, cells):
        per = data["cells"][c]
        base = lambda n: per.get(names[0]) if n != names[0] else None
        rows.append([c] + [entry(per.get(n), base(n), get, **style) for n in names])
    return f"### {title}\n\n" + table(["cell"] + names, rows) if rows else None


def entry(rows, base, get, with_ratio=True, rates=False):
    if not rows:
        return "n/a"
    if failed(rows):
        return "FAIL"
    value = median(rows, get)
    if value is None:
        return ""
    text = ("≥" if rates and generator_bound(rows) else "") + ("" if any(map(quiet, rows)) else "~") + num(value)
    against = ratio(rows, base, get) if with_ratio and base else None
    return text + (f" ({num(against)}x)" if against is not None else "")


def checks_table(data):
    keys = list(next((v for v in data["checks"].values() if v), {}))
    rows = [[n] + [{True: "yes", False: "NO"}.get(data["checks"][n].get(k), "") for k in keys]
            for n in data["servers"] if data["checks"].get(n)]
    return "### What each server does and checks\n\n" + table(["server"] + keys, rows) if rows else None


def generator_table(data):
    rows = [[k, num(v["rate"]), num(v["p50_ms"]), num(v["p99_ms"]), num(v["gen_cpu"] / v["ok"] * 1e6)]
            for k, v in data["generator"].items()]
    head = ["", "req/s", "p50 ms", "p99 ms", "generator CPU us/request"]
    return "### The generator alone\n\n" + table(head, rows) if rows else None


def noise(data):
    runs = [rows for c in data["units"] for rows in data["cells"][c].values()]
    foreign = sorted(r["foreign"] for rows in runs for r in rows if "foreign" in r)
    rates = [[r["rate"] for r in rows if "rate" in r] for rows in runs]
    spread = [(max(v) - min(v)) / statistics.median(v) for v in rates if len(v) > 2]
    lines = []
    if foreign:
        lines.append(f"Cores used by others (neighbours, kernel writeback) during a run: median "
                     f"{statistics.median(foreign):.2f}, 90th percentile {foreign[len(foreign) * 9 // 10]:.2f}.\n")
    if spread:
        lines.append(f"Spread (max-min)/median of the rates over rounds: median {statistics.median(spread):.0%}, "
                     f"worst {max(spread):.0%}.\n")
    return "\n".join(lines)


def failures(data):
    lines = [f"* {c} / {n}: {next(r['fail'] for r in rows if 'fail' in r)}"
             for c, per in data["cells"].items() for n, rows in per.items() if failed(rows)]
    lines += [f"* growth / {n}: {why}" for n, why in data["stopped"].items()]
    return "### Failures and limits\n\n" + "\n".join(lines) + "\n" if lines else None


def merge(paths):
    """Several saved runs as one; columns in order of first appearance."""
    data = {"servers": [], "cells": {}, "units": {}, "checks": {}, "generator": {}, "stopped": {}}
    for p in paths:
        with open(p) as f:
            d = json.load(f)
        data["servers"] += [n for n in d["servers"] if n not in data["servers"]]
        for c, per in d["cells"].items():
            data["cells"].setdefault(c, {}).update(per)
        for k in ("units", "checks", "generator", "stopped"):
            data[k].update(d.get(k) or {})
    return data
