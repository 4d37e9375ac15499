"""From exec to the first answer."""
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time

from .metering import cpu_seconds, pss_bytes, rss_bytes, settle, tree
from .signing import Server, Wrong


def free_port(i):
    """A port with room above it (some servers open more: +1..+9, and +10000..+10003)."""
    for base in range(19000 + 10 * i, 20900, 10):
        try:
            for p in [base + k for k in range(10)] + [base + 10000 + k for k in range(4)]:
                with socket.socket() as k:
                    k.bind(("127.0.0.1", p))
            return base
        except OSError:
            continue
    raise RuntimeError("no free ports")


def end_tree(proc):
    """End a server that this program started, and its children, by pid."""
    pids = tree(proc.pid)
    proc.send_signal(signal.SIGTERM)
    try:
        proc.wait(10)
    except subprocess.TimeoutExpired:
        proc.kill()
        proc.wait()
    for p in pids[1:]:
        try:
            os.kill(p, signal.SIGKILL)
        except OSError:
            pass


def startup(run, s, command, prepare, i):
    """exec to the first 200 of ListBuckets (plain: any HTTP answer), then memory after a second of rest."""
    port, d = free_port(i), tempfile.mkdtemp(prefix="start-", dir=run.o.disk)
    try:
        if prepare:
            subprocess.run(prepare.format(port=port, dir=d), shell=True, check=True, stdout=subprocess.DEVNULL)
        t = Server(f"{s.name}=http://127.0.0.1:{port},{s.access},{s.secret},{s.bucket}")
        cmd = "exec " + command.format(port=port, dir=d, p1=port + 1, p2=port + 2, p3=port + 3)
        log = open(f"{run.work}/start-{s.name}.log", "wb")
        settle()
        t0 = time.monotonic()
        proc = subprocess.Popen(cmd, shell=True, cwd=d, stdout=log, stderr=log, start_new_session=True)
        wall = None
        try:
            while time.monotonic() - t0 < run.o.limit:
                if proc.poll() is not None:
                    raise Wrong(f"exited with {proc.returncode}: " + open(log.name).read()[-300:])
                try:
                    socket.create_connection(("127.0.0.1", port), 1).close()
                    if s.plain or t.call("GET", "", ok=None, timeout=5)[0] == 200:
                        wall = time.monotonic() - t0
                        break
                except (OSError, Wrong):
                    pass
                time.sleep(0.001)
            if wall is None:
                raise Wrong("does not answer ListBuckets with 200")
            cpu = cpu_seconds(proc.pid)
            time.sleep(1)
            if proc.poll() is not None:
                raise Wrong(f"answered, then exited with {proc.returncode}: " + open(log.name).read()[-300:])
            return {"wall": wall, "rate": 1 / wall, "ok": 1, "cpu": cpu, "rss": rss_bytes(proc.pid),
                    "pss": pss_bytes(proc.pid), "procs": len(tree(proc.pid))}
        finally:
            end_tree(proc)
    finally:
        shutil.rmtree(d, ignore_errors=True)
