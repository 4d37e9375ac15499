"""Cells of whole uploads: multipart by hand, and the clients s5cmd and boto3."""
import hashlib
import json
import os
import subprocess
import time
import xml.etree.ElementTree as ET

from .metering import Meter
from .requests import record, simple
from .run import SMALL, cell
from .signing import REGION, Unsupported, Wrong
from .units import GiB, MiB


def multipart(size, part, conns):
    def f(run, s, rnd):
        if s.plain:
            raise Unsupported
        size_ = min(size, run.o.big)
        key, n = f"big/{run.tag}-mpu", size_ // part
        if ("mpu", part) not in run.facts:
            run.facts["mpu", part] = [hashlib.md5(run.bodies.read(i * part, part)).hexdigest() for i in range(n)]
        md5s = run.facts["mpu", part]
        etag = hashlib.md5(b"".join(bytes.fromhex(m) for m in md5s)).hexdigest() + f"-{n}"
        yield
        status, _, x = s.call("POST", key, [("uploads", "")], ok=(200, 501))
        if status == 501:
            raise Unsupported
        upload = next(e.text for e in ET.fromstring(x).iter() if e.tag.endswith("UploadId"))
        recs = [record(simple(s, "PUT", key, [("partNumber", i + 1), ("uploadId", upload)], length=part),
                       body=(i * part, part), etag=md5s[i]) for i in range(n)]
        done = ("<CompleteMultipartUpload>" + "".join(
            f"<Part><PartNumber>{i + 1}</PartNumber><ETag>&quot;{m}&quot;</ETag></Part>" for i, m in enumerate(md5s))
            + "</CompleteMultipartUpload>").encode()
        g = run.load(s, recs, conns, payload=part)
        with Meter(s.pid) as m:
            t = time.monotonic()
            _, _, x = s.call("POST", key, [("uploadId", upload)], body=done, timeout=120)
            g["complete_s"] = time.monotonic() - t
        if etag not in x.decode():
            raise Wrong(f"CompleteMultipartUpload: no ETag {etag} in {x[:300]!r}")
        if m.out:
            g["cpu"] += m.out["cpu"]
            g["written"] += m.out["written"]
            g["rss_peak"] = max(g["rss_peak"], m.out["rss_peak"])
        g["mbps"] = size_ / (g["wall"] + g["complete_s"]) / 1e6
        run.check(s, key, size_, None)
        yield g
        run.drop_keys(s, [key])
    return f


def client_put(tool):
    """The whole way with a real client: upload of the big body in parts of 8 MiB."""
    def f(run, s, rnd):
        program = getattr(run.o, tool)
        if s.plain or not program:
            raise Unsupported
        key = f"big/{run.tag}-{tool}"
        env = dict(os.environ, AWS_ACCESS_KEY_ID=s.access, AWS_SECRET_ACCESS_KEY=s.secret, AWS_REGION=REGION,
                   AWS_DEFAULT_REGION=REGION)
        if tool == "s5cmd":
            cmd = [program, "--endpoint-url", s.url, "cp", "--part-size", "8", "--concurrency", "8", run.bodies.path,
                   f"s3://{s.bucket}/{key}"]
        else:
            cmd = [program, "-c", "import sys,boto3,boto3.s3.transfer as t\n"
                   "from botocore.config import Config\n"
                   "u,p,b,k=sys.argv[1:]\n"
                   "c=boto3.client('s3',endpoint_url=u,config=Config(s3={'addressing_style':'path'}))\n"
                   "c.upload_file(p,b,k,Config=t.TransferConfig(multipart_chunksize=8<<20,max_concurrency=8))",
                   s.url, run.bodies.path, s.bucket, key]
        yield
        with Meter(s.pid) as m:
            t = time.monotonic()
            r = subprocess.run(cmd, env=env, capture_output=True, text=True, timeout=run.o.limit * 2)
            wall = time.monotonic() - t
        if r.returncode:
            raise Wrong(f"{tool}: {(r.stderr or r.stdout).strip()[-300:]}")
        run.check(s, key, run.o.big, None)
        yield {"ok": 1, "wall": wall, "rate": 1 / wall, "mbps": run.o.big / wall / 1e6, "payload": run.o.big, **m.out}
        run.drop_keys(s, [key])
    return f


SDK_PUTS = """
import json, os, sys, time, boto3
from botocore.config import Config
url, bucket, prefix, n = sys.argv[1:]
c = boto3.client("s3", endpoint_url=url, config=Config(s3={"addressing_style": "path"}, retries={"max_attempts": 0}))
body = os.urandom(4096)
c.put_object(Bucket=bucket, Key=prefix + "warm", Body=body)
lat = []
for i in range(int(n)):
    t = time.perf_counter()
    c.put_object(Bucket=bucket, Key=f"{prefix}{i}", Body=body)
    lat.append(time.perf_counter() - t)
assert c.get_object(Bucket=bucket, Key=prefix + "0")["Body"].read() == body
lat.sort()
print(json.dumps({"wall": sum(lat), "p50_ms": lat[len(lat) // 2] * 1e3, "p99_ms": lat[len(lat) * 99 // 100] * 1e3}))
"""


def sdk_puts(n):
    """put_object of 4 KiB by boto3 as it comes: signed SHA-256, CRC-32 header, Expect: 100-continue."""
    def f(run, s, rnd):
        if s.plain or not run.o.boto3:
            raise Unsupported
        env = dict(os.environ, AWS_ACCESS_KEY_ID=s.access, AWS_SECRET_ACCESS_KEY=s.secret, AWS_DEFAULT_REGION=REGION)
        yield
        with Meter(s.pid) as m:
            r = subprocess.run([run.o.boto3, "-c", SDK_PUTS, s.url, s.bucket, f"sdk/{run.tag}-{rnd}/", str(n)],
                               env=env, capture_output=True, text=True, timeout=run.o.limit * 2)
        if r.returncode:
            raise Wrong(f"boto3: {r.stderr.strip()[-300:]}")
        g = json.loads(r.stdout)
        yield {"ok": n, "rate": n / g["wall"], "payload": n * SMALL, **g, **m.out}
    return f


def define_clients():
    cell("boto3-4k", "boto3 put_object of 4 KiB, one after the other", sdk_puts(300))
    cell("mpu-1g", "multipart 1 GiB, parts of 8 MiB, 8 connections", multipart(GiB, 8 * MiB, 8), "MB/s", 3, GiB)
    cell("s5cmd-1g", "s5cmd cp 1 GiB, parts of 8 MiB, 8 at once", client_put("s5cmd"), "MB/s", 2, GiB)
    cell("boto3-1g", "boto3 upload_file 1 GiB, parts of 8 MiB, 8 threads", client_put("boto3"), "MB/s", 2, GiB)
