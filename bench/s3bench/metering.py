"""What a process tree costs: CPU, memory, bytes written; and waiting for a machine at rest."""
import mmap
import os
import threading
import time

from .units import KiB, MiB

TICK = os.sysconf("SC_CLK_TCK")
PAGE = os.sysconf("SC_PAGE_SIZE")


def tree(pid):
    """The process and its descendants that live now."""
    pids = [pid]
    try:
        for task in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{task}/children") as f:
                for kid in f.read().split():
                    pids += tree(int(kid))
    except OSError:
        pass
    return pids


def cpu_seconds(pid):
    total = 0
    for p in tree(pid):
        try:
            with open(f"/proc/{p}/stat") as f:
                v = f.read().rsplit(")", 1)[1].split()
            total += int(v[11]) + int(v[12]) + int(v[13]) + int(v[14])
        except OSError:
            pass
    return total / TICK


def rss_bytes(pid):
    total = 0
    for p in tree(pid):
        try:
            with open(f"/proc/{p}/statm") as f:
                total += int(f.read().split()[1]) * PAGE
        except OSError:
            pass
    return total


def pss_bytes(pid):
    """Proportional share: pages shared by workers of one server count once."""
    total = 0
    for p in tree(pid):
        try:
            with open(f"/proc/{p}/smaps_rollup") as f:
                total += sum(int(x.split()[1]) for x in f if x.startswith("Pss:")) * 1024
        except OSError:
            pass
    return total


def written_bytes(pid):
    total = 0
    for p in tree(pid):
        try:
            with open(f"/proc/{p}/io") as f:
                v = dict(x.split(": ") for x in f.read().splitlines())
            total += int(v["write_bytes"]) - int(v["cancelled_write_bytes"])
        except OSError:
            pass
    return total


def busy_seconds():
    """CPU seconds that all of the machine's processes and the kernel have used."""
    with open("/proc/stat") as f:
        v = [int(x) for x in f.readline().split()[1:]]
    return (sum(v[:8]) - v[3] - v[4]) / TICK


def settle(warm=256 * MiB, most=2.0, calm=0.15):
    """Write back what is dirty, wait until less than `calm` of one core is busy, then touch and free memory.

    A virtual machine that gives free pages back to its host pays for each page that it uses again: here
    the first write of 1 GiB to the page cache went at 0.45 GB/s, the second, at once, at 5.5 GB/s.
    Whoever runs after a server that has just freed memory would be ahead, so each run starts warm.
    """
    os.sync()
    end = time.monotonic() + most
    while time.monotonic() < end:
        b, t = busy_seconds(), time.monotonic()
        time.sleep(0.1)
        if (busy_seconds() - b) / (time.monotonic() - t) < calm:
            break
    with open("/proc/meminfo") as f:
        available = next(int(x.split()[1]) * KiB for x in f if x.startswith("MemAvailable"))
    try:
        with mmap.mmap(-1, min(warm, available // 3 & -PAGE)) as m:
            m.madvise(14)           # MADV_HUGEPAGE
            m.madvise(23)           # MADV_POPULATE_WRITE
    except (OSError, ValueError):
        pass                        # an older kernel: cold


class Meter:
    """CPU, peak memory and bytes written of a server between enter and exit."""

    def __init__(self, pid):
        self.pid, self.out = pid, {}

    def __enter__(self):
        if self.pid:
            self.cpu, self.io, self.peak = cpu_seconds(self.pid), written_bytes(self.pid), rss_bytes(self.pid)
            self.stop = threading.Event()
            self.thread = threading.Thread(target=self._watch, daemon=True)
            self.thread.start()
        return self

    def _watch(self):
        while not self.stop.wait(0.05):
            self.peak = max(self.peak, rss_bytes(self.pid))

    def __exit__(self, *_):
        if self.pid:
            self.stop.set()
            self.thread.join()
            after = rss_bytes(self.pid)
            self.out = {"cpu": cpu_seconds(self.pid) - self.cpu, "written": written_bytes(self.pid) - self.io,
                        "rss_peak": max(self.peak, after), "rss_after": after}
