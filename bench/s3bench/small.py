"""Cells of small objects: PUT, GET, HEAD and DELETE of 4 KiB."""
import random

from .metering import settle
from .requests import HEAD_FLAG, VERIFY_FLAG, record, simple
from .run import SMALL, cell
from .signing import Wrong


def define_small():
    def put(conns, name):
        def f(run, s, rnd):
            n = run.count(name, s, run.o.seconds, start=8000 if conns == 1 else 16000)
            keys = [f"put/{run.tag}-{name}-{rnd}/{i:07d}" for i in range(n)]
            recs = run.fill_small(s, keys, SMALL)
            yield
            g = run.load(s, recs, conns, run.o.seconds, payload=SMALL)
            for i in random.Random(rnd).sample(range(g["ok"]), 3):
                off, md5 = run.bodies.small(i, SMALL)
                run.check(s, keys[i], SMALL, md5, off)
            yield g
        return f

    def on_set(method, conns, name):
        """GET or HEAD of objects that exist."""
        def f(run, s, rnd):
            keys = [f"set/{run.tag}/{i:05d}" for i in range(1000)]
            fill = None
            if (s.name, "set") not in run.ready:
                fill = run.fill_small(s, keys, SMALL)
            rng, recs = random.Random(rnd), []
            for _ in range(run.count(name, s, run.o.seconds, start=16000)):
                i = rng.randrange(1000)
                off, md5 = run.bodies.small(i, SMALL)
                recs.append(record(simple(s, method, keys[i]), flags=HEAD_FLAG if method == "HEAD" else VERIFY_FLAG,
                                   resp_off=off, resp_len=SMALL, etag=None if s.plain else md5))
            yield
            if fill:
                run.load(s, fill, 16, meter=False)
                run.ready[s.name, "set"] = keys
            yield run.load(s, recs, conns, run.o.seconds, payload=SMALL)
        return f

    def delete(conns, name):
        def f(run, s, rnd):
            n = run.count(name, s, run.o.seconds, start=2000, most=40000)
            keys = [f"del/{run.tag}-{rnd}/{i:07d}" for i in range(n)]
            fill = run.fill_small(s, keys, SMALL)
            recs = [record(simple(s, "DELETE", k)) for k in keys]
            yield
            run.load(s, fill, 16, meter=False)
            settle()
            g = run.load(s, recs, conns, run.o.seconds)
            if s.call("HEAD", keys[0], ok=None)[0] != 404:
                raise Wrong("HEAD of a deleted object is not 404")
            yield g
            run.drop_keys(s, keys[g["ok"]:])
        return f

    def churn(n=4000):
        """PUT of new keys right after as many deletes.  A store with a file per object pays here: ext4
        looks at each recently deleted inode again (recently_deleted() in ext4_new_inode)."""
        def f(run, s, rnd):
            old = [f"churn/{run.tag}-{rnd}-old/{i:07d}" for i in range(n)]
            new = [f"churn/{run.tag}-{rnd}-new/{i:07d}" for i in range(n)]
            fill, drop = run.fill_small(s, old, SMALL), [record(simple(s, "DELETE", k)) for k in old]
            recs = run.fill_small(s, new, SMALL)
            yield
            run.load(s, fill, 16, meter=False)
            run.load(s, drop, 16, meter=False)
            settle()
            yield run.load(s, recs, 16, run.o.seconds, payload=SMALL)
        return f

    # the deletes come last: see churn
    for c in (1, 16, 64):
        cell(f"put-4k-c{c}", f"PUT 4 KiB, new keys, {c} connection(s)", put(c, f"put-4k-c{c}"))
    for c in (1, 64):
        cell(f"get-4k-c{c}", f"GET 4 KiB, {c} connection(s)", on_set("GET", c, f"get-4k-c{c}"))
        cell(f"head-c{c}", f"HEAD, {c} connection(s)", on_set("HEAD", c, f"head-c{c}"))
    for c in (1, 64):
        cell(f"delete-c{c}", f"DELETE, {c} connection(s)", delete(c, f"delete-c{c}"))
    cell("put-4k-churn", "PUT 4 KiB, 16 connections, right after 4,000 deletes", churn())
