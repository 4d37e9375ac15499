#!/usr/bin/env python3
"""What this machine allows: hashing, memory, loopback, disk.  Prints a Markdown table.

    bounds.py [--dir DIR] [--mib N] [--lock FILE] [--json FILE]

DIR is where the stores keep their data (the disk that is measured), N how much is written to it at a time.  Needs
openssl; iperf3 is used if there.
"""
import argparse
import fcntl
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import zlib

from s3bench.metering import settle

MiB = 1 << 20


def sh(cmd):
    r = subprocess.run(cmd, shell=True, capture_output=True, text=True)
    return r.stdout + r.stderr


def openssl(name):
    """Bytes per second of one thread, 16 KiB blocks."""
    out = sh(f"openssl speed -seconds 2 -bytes 16384 -evp {name}")
    m = re.search(rf"^{name}\s+([\d.]+)k", out, re.M | re.I)
    return float(m.group(1)) * 1000 / 1e6 if m else None


def memcpy():
    a, b = bytearray(os.urandom(MiB) * 256), bytearray(256 * MiB)
    best = 0
    for _ in range(5):
        t = time.perf_counter()
        memoryview(b)[:] = a
        best = max(best, len(a) / (time.perf_counter() - t))
    return best / 1e6


def crc32():
    d, t, n = os.urandom(16 * MiB), time.perf_counter(), 0
    while time.perf_counter() - t < 1:
        zlib.crc32(d)
        n += len(d)
    return n / (time.perf_counter() - t) / 1e6


def iperf():
    if not shutil.which("iperf3"):
        return None
    p = subprocess.Popen(["iperf3", "-s", "-1", "-B", "127.0.0.1", "-p", "19990"], stdout=subprocess.DEVNULL)
    time.sleep(0.3)
    out = sh("iperf3 -c 127.0.0.1 -p 19990 -t 3 -J")
    p.wait(10)
    return json.loads(out)["end"]["sum_received"]["bits_per_second"] / 8e6


def write_mib(d, sync, total):
    block, path = os.urandom(MiB), f"{d}/w"
    settle(total * MiB * 11 // 8)
    t = time.perf_counter()
    fd = os.open(path, os.O_CREAT | os.O_WRONLY | os.O_TRUNC)
    for _ in range(total):
        os.write(fd, block)
    if sync:
        os.fdatasync(fd)
    os.close(fd)
    v = total * MiB / (time.perf_counter() - t) / 1e6
    os.remove(path)
    return v


def read_mib(d, total):
    """Page cache to user space."""
    path = f"{d}/r"
    with open(path, "wb") as f:
        for _ in range(total):
            f.write(bytes(MiB))
    buf = bytearray(MiB)
    fd = os.open(path, os.O_RDONLY)
    t = time.perf_counter()
    while os.readv(fd, [buf]):
        pass
    v = total * MiB / (time.perf_counter() - t) / 1e6
    os.close(fd)
    os.remove(path)
    return v


def sync_latency(d, n=300):
    """Append 4 KiB + fdatasync; (preallocated or not) ms."""
    out = {}
    for kind in ("growing file", "preallocated file"):
        path = f"{d}/s"
        fd = os.open(path, os.O_CREAT | os.O_WRONLY | os.O_TRUNC)
        if kind.startswith("pre"):
            os.write(fd, bytes(4096 * n))
            os.lseek(fd, 0, 0)
            os.fsync(fd)
        block, lat = os.urandom(4096), []
        for _ in range(n):
            t = time.perf_counter()
            os.write(fd, block)
            os.fdatasync(fd)
            lat.append((time.perf_counter() - t) * 1e3)
        os.close(fd)
        os.remove(path)
        lat.sort()
        out[kind] = (statistics.median(lat), lat[int(n * .99)])
    return out


def creates(d, n, sync):
    """4 KiB files a second: create, write, (fdatasync), rename, in 256 folders."""
    base, block = f"{d}/c", os.urandom(4096)
    for i in range(256):
        os.makedirs(f"{base}/{i}")
    settle()
    t, cpu = time.perf_counter(), time.process_time()
    for i in range(n):
        p = f"{base}/{i % 256}/{i}"
        fd = os.open(p + ".t", os.O_CREAT | os.O_WRONLY | os.O_EXCL)
        os.write(fd, block)
        if sync:
            os.fdatasync(fd)
        os.close(fd)
        os.rename(p + ".t", p)
    v = n / (time.perf_counter() - t), (time.process_time() - cpu) / n * 1e6
    shutil.rmtree(base)
    return v


def main():
    a = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    a.add_argument("--dir", default=os.path.dirname(os.path.abspath(__file__)))
    a.add_argument("--mib", type=int, default=1024)
    a.add_argument("--lock")
    a.add_argument("--json")
    o = a.parse_args()
    d = tempfile.mkdtemp(prefix="bounds-", dir=o.dir)
    rows = []

    def row(what, value, unit):
        if value is not None:
            rows.append((what, value, unit))

    lock = open(o.lock, "a") if o.lock else None
    try:
        if lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
        for h in ("md5", "sha1", "sha256", "sha512"):
            row(f"{h}, one thread (openssl, 16 KiB blocks)", openssl(h), "MB/s")
        row("crc32, one thread (zlib in Python)", crc32(), "MB/s")
        settle(600 * MiB)
        row("memcpy 256 MiB, one thread", memcpy(), "MB/s")
        row("loopback TCP, one stream (iperf3)", iperf(), "MB/s")
        for sync in (False, True):
            row(f"write {o.mib} MiB" + (" + fdatasync" if sync else ", page cache") + " (median of 3, warm memory)",
                statistics.median(write_mib(d, sync, o.mib) for _ in range(3)), "MB/s")
        row(f"read {o.mib} MiB from page cache", read_mib(d, o.mib), "MB/s")
        for kind, (p50, p99) in sync_latency(d).items():
            row(f"append 4 KiB + fdatasync, {kind}: p50", p50, "ms")
            row(f"append 4 KiB + fdatasync, {kind}: p99", p99, "ms")
        for n, sync in ((20000, False), (500, True)):
            rate, cpu = sorted(creates(d, n, sync) for _ in range(3))[1]
            row("create 4 KiB file + rename" + (" + fdatasync" if sync else ""), rate, "files/s")
            row("the same: CPU", cpu, "us/file")
    finally:
        shutil.rmtree(d, ignore_errors=True)
        if lock:
            lock.close()
    print("| bound | value | unit |\n|---|---:|---|")
    for what, v, unit in rows:
        print(f"| {what} | {v:,.0f} | {unit} |" if v >= 100 else f"| {what} | {v:.2f} | {unit} |")
    if o.json:
        with open(o.json, "w") as f:
            json.dump(rows, f)


if __name__ == "__main__":
    main()
