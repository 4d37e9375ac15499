"""Shoal for Python tests: a local S3 that breaks uploads on purpose, with a world of its own for each test.

Only the standard library. Copy this file beside your conftest.py.
"""
import json
import subprocess
import urllib.error
import urllib.parse
import urllib.request


class ShoalError(Exception):
    """What was asked for cannot be done; the text says why and what to change."""


class Shoal:
    """A running server: one that was started here, or one that was running already."""

    def __init__(self, endpoint, process=None, admin_token=None):
        self.endpoint = endpoint.rstrip("/")
        self._process = process
        self._token = admin_token
        # Past every proxy of the environment: the server is on this machine.
        self._opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))

    @classmethod
    def start(cls, command="shoal", *arguments):
        """Starts `shoal serve` on a free port, with a directory that goes with it."""
        process = subprocess.Popen(
            [command, "serve", "--ephemeral", "--listen", "127.0.0.1:0", *arguments],
            stdout=subprocess.PIPE, text=True)
        line = process.stdout.readline()
        if not line.startswith("shoal: listening on "):
            process.wait()
            raise ShoalError(f"{command} serve did not start (exit code {process.returncode}); see its error output")
        return cls(line.removeprefix("shoal: listening on ").strip(), process)

    def stop(self):
        if self._process:
            self._process.terminate()
            self._process.wait()
            self._process.stdout.close()

    def scope(self, name=None, buckets=(), ttl=3600, port=False):
        """Makes a world of its own behind a key of its own; `ttl` is how many seconds it may be unused.

        `port` gives it a port of its own, where its endpoint leads then: whoever connects there is in it.
        """
        wanted = {"buckets": list(buckets), "ttl": ttl, "port": port}
        if name:
            wanted["name"] = name
        return Scope(self, self.ask("POST", "/scopes", wanted))

    def ask(self, method, path, body=None, text=None):
        """A request to the admin API; `body` is sent as JSON, `text` as it is. Returns the answer's JSON, or None."""
        data = json.dumps(body).encode() if body is not None else text.encode() if text is not None else None
        request = urllib.request.Request(f"{self.endpoint}/_shoal/v1{path}", data, method=method)
        request.add_header("Content-Type", "application/json" if body is not None else "text/plain")
        if self._token:
            request.add_header("Authorization", f"Bearer {self._token}")
        try:
            with self._opener.open(request, timeout=60) as answer:
                content = answer.read()
        except urllib.error.HTTPError as refusal:
            raise ShoalError(_reason(refusal.code, refusal.read())) from None
        return json.loads(content) if content else None


def _reason(status, content):
    try:
        problem = json.loads(content)
    except ValueError:
        return f"the server answered {status}; is this a Shoal server?"
    pointer = f"{problem['pointer']}: " if problem.get("pointer") else ""
    return pointer + (problem.get("detail") or problem["title"])


class Scope:
    """Buckets, clock, rules and journal that no other scope touches. Whoever signs with its key is in it."""

    def __init__(self, shoal, view):
        self._shoal = shoal
        self.name = view["scope"]
        self.access_key_id = view["accessKeyId"]
        self.secret_access_key = view["secretAccessKey"]
        self.port = view.get("port")
        self.endpoint = view["endpoint"] if self.port else shoal.endpoint

    def _ask(self, method, path, body=None, text=None):
        return self._shoal.ask(method, f"/scopes/{urllib.parse.quote(self.name, safe='')}{path}", body, text)

    @property
    def boto3(self):
        """What `boto3.client("s3", **scope.boto3)` takes."""
        return {
            "endpoint_url": self.endpoint, "region_name": "us-east-1", "aws_access_key_id": self.access_key_id,
            "aws_secret_access_key": self.secret_access_key,
        }

    # Faults

    def fault(self, *lines):
        """Puts rules in force, such as `PutObject photos/* @commit.after 2*reset`; what the server made of them."""
        return self._ask("POST", "/rules", text="\n".join(lines))["rules"]

    def preset(self, name, **parameters):
        """Puts the rules of a scene with a name in force, such as preset("lost-answer", times=2, key="photos/*")."""
        return self._ask("POST", f"/presets/{urllib.parse.quote(name, safe='')}", parameters)["rules"]

    def rules(self):
        """The rules, with how often each `matched` and `fired`."""
        return self._ask("GET", "/rules")["rules"]

    def clear_faults(self):
        self._ask("DELETE", "/rules")

    def release(self, gate):
        """Lets go on who waits at a gate of `pause`; how many that were."""
        return self._ask("POST", f"/gates/{urllib.parse.quote(gate, safe='')}/release")["released"]

    # Time

    def advance(self, seconds):
        """Lets time pass at once: links expire, and lifecycle rules have acted when this returns."""
        return self._ask("PUT", "/clock", {"advance": round(seconds * 1000)})["now"]

    def set_clock(self, seconds):
        """So far ahead of the machine's clock, or behind it; 0 is the machine's own time."""
        return self._ask("PUT", "/clock", {"offset": round(seconds * 1000)})["now"]

    def freeze(self, instant=True):
        """Stands still, now or at an instant such as "2026-03-14T15:09:26Z"; False runs on."""
        return self._ask("PUT", "/clock", {"freeze": instant})["now"]

    # Truth

    def objects(self):
        """What is really stored, whatever rules pretend: bucket, key, size, etag, contentType."""
        objects, after = [], ""
        while after is not None:
            page = self._ask("GET", f"/objects?limit=10000&after={urllib.parse.quote(after, safe='')}")
            objects += page["objects"]
            after = page.get("next")
        return objects

    def open_uploads(self):
        """Uploads in parts that were neither completed nor aborted."""
        return self._ask("GET", "/uploads?limit=10000")["uploads"]

    def journal(self, since=0):
        """Every event behind number `since`; raises if some were dropped for want of room."""
        events = []
        while True:
            page = self._ask("GET", f"/journal?limit=10000&since={since}")
            if page["incomplete"]:
                raise ShoalError(f"events behind {since} were dropped from the journal; read it earlier")
            if not page["events"]:
                return events
            events += page["events"]
            since = page["last"]

    def presign(self, method, bucket, key, expires=300, headers=None, fault=None):
        """A presigned URL by the scope's clock and key; the client has to send just these headers.

        `fault` is what happens to its request, such as "commit.after 1*reset"; the server needs --allow-request-faults.
        """
        wanted = {"method": method, "bucket": bucket, "key": key, "expires": expires, "headers": headers or {}}
        if fault:
            wanted["fault"] = fault
        return self._ask("POST", "/urls", wanted)["url"]

    def verify(self, *checks, preset=None, since=0, quiesce=2, silent_rules=False, **parameters):
        """Judges what the client did, by checks such as "one-commit key=a.jpg"; `shoal verify --help` lists them.

        `preset="lost-answer"` asks for what that preset implies; further arguments are its parameters. Raises
        AssertionError with the attempts that a failure rests on. Every rule must have struck, too.
        """
        wanted = {"checks": list(checks), "since": since, "quiesceMs": round(quiesce * 1000)}
        if preset:
            wanted.update(preset=preset, parameters=parameters)
        if silent_rules:
            wanted["allFired"] = False
        results = self._ask("POST", "/verify", wanted)["results"]
        bad = [r for r in results if r["outcome"] in ("fail", "incomplete")]
        assert not bad, "\n".join(
            "\n  ".join([f"{r['outcome']}: {r['check']}: {r['reason']}"]
                        + [f"rule: {rule}" for rule in r.get("rules", [])] + r.get("timeline", []))
            for r in bad)

    def note(self, text):
        """Puts a sentence of the test among the events of the journal."""
        self._ask("POST", "/notes", {"text": text})

    def end(self):
        """Removes the scope with everything in it; what was unfinished: neverFired, openUploads, openConnections."""
        return self._ask("DELETE", "")
