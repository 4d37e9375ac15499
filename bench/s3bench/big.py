"""Cells of big objects: PUT in each way that clients sign a body, GET, ranges."""
import hashlib
import hmac
import os
import random

from .metering import settle
from .requests import VERIFY_FLAG, head_of, record, simple
from .run import cell
from .signing import EMPTY_SHA256, Unsupported
from .units import GiB, KiB, MiB


def big_put_head(run, s, mode, key, size):
    """(head, body file, offset, length) of a PUT of the first `size` bytes of the body file.

    unsigned  presigned URL, no hash of the body in the signature
    sha256    Authorization header with the body's SHA-256
    sdk       sha256 and x-amz-checksum-crc32: what boto3 sends to http:// endpoints by default
    trailer   aws-chunked, STREAMING-UNSIGNED-PAYLOAD-TRAILER with CRC-32: boto3 to https:// by default
    chunked   aws-chunked, STREAMING-AWS4-HMAC-SHA256-PAYLOAD, 128 KiB chunks: AWS SDK for Java, minio-go
    """
    b = run.bodies
    if mode == "unsigned":
        return simple(s, "PUT", key, length=size), b.path, 0, size
    if mode in ("sha256", "sdk"):
        crc = {"x-amz-checksum-crc32": b.crc32(size), "x-amz-sdk-checksum-algorithm": "CRC32"}
        extra = crc if mode == "sdk" else {}
        target, h, *_ = s.sign_headers("PUT", key, payload=b.sha256(size), headers=extra)
        return head_of(s, "PUT", target, size, h), b.path, 0, size
    if mode == "trailer":
        path, n = b.trailer_file(size)
        target, h, *_ = s.sign_headers("PUT", key, payload="STREAMING-UNSIGNED-PAYLOAD-TRAILER", headers={
            "content-encoding": "aws-chunked", "x-amz-decoded-content-length": str(size),
            "x-amz-trailer": "x-amz-checksum-crc32", "x-amz-sdk-checksum-algorithm": "CRC32"})
        return head_of(s, "PUT", target, n, h), path, 0, n
    if mode == "chunked":
        step = 128 * KiB
        target, h, sig, stamp, scope = s.sign_headers(
            "PUT", key, payload="STREAMING-AWS4-HMAC-SHA256-PAYLOAD",
            headers={"content-encoding": "aws-chunked", "x-amz-decoded-content-length": str(size)})
        path = f"{run.work}/chunked-{s.name}.bin"
        with open(path, "ab") as f:         # the signatures depend on the key: each object its own region
            start = f.tell()
            for off in list(range(0, size, step)) + [size]:
                d = b.read(off, min(step, size - off))
                text = "\n".join(["AWS4-HMAC-SHA256-PAYLOAD", stamp, scope, sig, EMPTY_SHA256,
                                  hashlib.sha256(d).hexdigest()])
                sig = hmac.new(s._key, text.encode(), hashlib.sha256).hexdigest()
                f.write(f"{len(d):x};chunk-signature={sig}\r\n".encode() + d + b"\r\n")
        n = os.path.getsize(path) - start
        return head_of(s, "PUT", target, n, h), path, start, n
    raise ValueError(mode)


def big_put(mode, size, streams, repeat=1):
    def f(run, s, rnd):
        if s.plain and mode != "unsigned":
            raise Unsupported
        if size > run.o.big:
            raise Unsupported
        keys = [f"big/{run.tag}-{mode}-{size}-{i}" for i in range(streams * repeat)]
        heads = [big_put_head(run, s, mode, k, size) for k in keys]
        md5 = run.bodies.md5(size)
        recs = [record(h, body=(at, n), etag=None if s.plain else md5) for h, _, at, n in heads]
        yield
        try:
            g = run.load(s, recs, streams, body=heads[0][1], payload=size)
            run.check(s, keys[-1], size, md5)
        finally:
            if mode == "chunked":
                os.remove(heads[0][1])
        yield g
        run.drop_keys(s, keys)
    return f


def ready_big(run, s, size):
    """Put the object that GETs read, once per server."""
    key = f"get/{run.tag}-{size}"
    if (s.name, size) not in run.ready:
        head, _, at, n = big_put_head(run, s, "unsigned", key, size)
        run.load(s, [record(head, body=(at, n))], 1, meter=False)
        run.check(s, key, size, run.bodies.md5(size))
        run.ready[s.name, size] = [key]
        settle()
    return key


def big_get(size, streams, repeat=1):
    def f(run, s, rnd):
        if size > run.o.big:
            raise Unsupported
        yield
        key = ready_big(run, s, size)
        recs = [record(simple(s, "GET", key), flags=VERIFY_FLAG, resp_len=size,
                       etag=None if s.plain else run.bodies.md5(size)) for _ in range(streams * repeat)]
        yield run.load(s, recs, streams, payload=size)
    return f


def range_get(size, part, conns, name):
    def f(run, s, rnd):
        size_ = min(size, run.o.big)
        rng, recs, key = random.Random(rnd), [], f"get/{run.tag}-{size_}"
        for _ in range(run.count(name, s, run.o.seconds, start=600, most=20000)):
            off = rng.randrange(size_ - part)
            head = simple(s, "GET", key, headers={"Range": f"bytes={off}-{off + part - 1}"})
            recs.append(record(head, status=206, flags=VERIFY_FLAG, resp_off=off, resp_len=part))
        yield
        ready_big(run, s, size_)
        yield run.load(s, recs, conns, run.o.seconds, payload=part)
    return f


def define_big():
    big, mid = GiB, 64 * MiB
    for mode in ("unsigned", "sha256", "sdk", "trailer", "chunked"):
        cell(f"put-64m-{mode}", f"PUT 64 MiB, {mode}", big_put(mode, mid, 1, 4), "MB/s", moves=4 * mid)
    cell("put-64m-x4", "PUT 64 MiB, 4 streams", big_put("unsigned", mid, 4, 2), "MB/s", moves=8 * mid)
    for mode in ("unsigned", "sdk", "trailer"):
        cell(f"put-1g-{mode}", f"PUT 1 GiB, {mode}", big_put(mode, big, 1), "MB/s", 3, big)
    cell("put-1g-x4", "PUT 1 GiB, 4 streams", big_put("unsigned", big, 4), "MB/s", 2, 4 * big)
    cell("get-64m", "GET 64 MiB", big_get(mid, 1, 4), "MB/s")
    cell("get-1g", "GET 1 GiB", big_get(big, 1), "MB/s", 3)
    cell("get-1g-x4", "GET 1 GiB, 4 streams", big_get(big, 4), "MB/s", 2)
    for c in (1, 16):
        name = f"range-1m-c{c}"
        cell(name, f"ranged GET, 1 MiB of 1 GiB, {c} connection(s)", range_get(big, MiB, c, name), "MB/s")
