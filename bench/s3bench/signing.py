"""A server under test, and AWS Signature Version 4 for its requests.

https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-authenticating-requests.html
"""
import datetime
import hashlib
import hmac
import http.client
import sys
import urllib.parse

EMPTY_SHA256 = hashlib.sha256(b"").hexdigest()
UNSIGNED = "UNSIGNED-PAYLOAD"
REGION = "us-east-1"


class Unsupported(Exception):
    """The server does not offer what the cell needs: n/a."""


class Wrong(Exception):
    """The server answered wrongly: FAIL."""


def quote(s, safe="/-._~"):
    return urllib.parse.quote(s, safe=safe)


class Server:
    def __init__(self, spec):
        self.name, _, rest = spec.partition("=")
        parts = rest.split(",")
        if len(parts) < 4:
            sys.exit(f"--server {spec}: want NAME=URL,ACCESS,SECRET,BUCKET[,PID[,plain]]")
        url = urllib.parse.urlsplit(parts[0])
        self.url, self.host, self.port = parts[0].rstrip("/"), url.hostname, url.port or 80
        self.access, self.secret, self.bucket = parts[1:4]
        self.pid = int(parts[4]) if len(parts) > 4 and parts[4] else None
        self.plain = "plain" in parts[5:]
        self.presigned = True       # set by probe()
        self._scope = self._key = None

    # -- AWS Signature Version 4

    def _now(self):
        t = datetime.datetime.now(datetime.timezone.utc)
        date, stamp = t.strftime("%Y%m%d"), t.strftime("%Y%m%dT%H%M%SZ")
        scope = f"{date}/{REGION}/s3/aws4_request"
        if scope != self._scope:
            k = ("AWS4" + self.secret).encode()
            for part in (date, REGION, "s3", "aws4_request"):
                k = hmac.new(k, part.encode(), hashlib.sha256).digest()
            self._scope, self._key = scope, k
        return stamp, scope

    def _sign(self, stamp, scope, canonical):
        text = f"AWS4-HMAC-SHA256\n{stamp}\n{scope}\n{hashlib.sha256(canonical.encode()).hexdigest()}"
        return hmac.new(self._key, text.encode(), hashlib.sha256).hexdigest()

    def target(self, key=None, query=()):
        path = "/" + self.bucket + ("/" + quote(key) if key is not None else "")
        return path, "&".join(f"{quote(k, '-._~')}={quote(str(v), '-._~')}" for k, v in sorted(query))

    def presign(self, method, key, query=()):
        """Request target of a presigned URL (UNSIGNED-PAYLOAD, only `host` signed)."""
        stamp, scope = self._now()
        path, extra = self.target(key, query)
        q = (f"X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential={quote(self.access + '/' + scope, '-._~')}"
             f"&X-Amz-Date={stamp}&X-Amz-Expires=86400&X-Amz-SignedHeaders=host")
        if extra:
            q += "&" + extra        # the names used here all sort after "X-Amz-"
        host = f"{self.host}:{self.port}"
        sig = self._sign(stamp, scope, f"{method}\n{path}\n{q}\nhost:{host}\n\nhost\n{UNSIGNED}")
        return f"{path}?{q}&X-Amz-Signature={sig}"

    def sign_headers(self, method, key, query=(), payload=UNSIGNED, headers=None):
        """(target, headers, signature, stamp, scope) with an Authorization header."""
        stamp, scope = self._now()
        path, q = self.target(key, query)
        if key == "":               # the service itself: ListBuckets
            path = "/"
        h = {"host": f"{self.host}:{self.port}", "x-amz-content-sha256": payload, "x-amz-date": stamp}
        h.update({k.lower(): v for k, v in (headers or {}).items()})
        signed = ";".join(sorted(h))
        canonical = "\n".join([method, path, q, *(f"{k}:{h[k]}" for k in sorted(h)), "", signed, payload])
        sig = self._sign(stamp, scope, canonical)
        h["authorization"] = (f"AWS4-HMAC-SHA256 Credential={self.access}/{scope}, "
                              f"SignedHeaders={signed}, Signature={sig}")
        return path + ("?" + q if q else ""), h, sig, stamp, scope

    # -- single requests (set-up, verification)

    def call(self, method, key, query=(), body=b"", headers=None, ok=(200, 204), timeout=60):
        payload = hashlib.sha256(body).hexdigest() if body else EMPTY_SHA256
        target, h, *_ = self.sign_headers(method, key, query, payload, headers)
        c = http.client.HTTPConnection(self.host, self.port, timeout=timeout)
        try:
            c.request(method, target, body=body or None, headers=h)
            r = c.getresponse()
            data = r.read()
        except (OSError, http.client.HTTPException) as e:
            raise Wrong(f"{method} {target}: {e!r}")
        finally:
            c.close()
        if ok and r.status not in ok:
            raise Wrong(f"{method} {target}: {r.status} {data[:200]!r}")
        return r.status, {k.lower(): v for k, v in r.getheaders()}, data
