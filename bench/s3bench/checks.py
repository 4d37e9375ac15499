"""Whether a server does the work that the numbers are compared for."""
import base64
import hashlib
import http.client
import struct
import zlib

from .run import SMALL


def checks(run, s):
    """Does the server do the work that the numbers are compared for?"""
    if s.plain:
        return {}
    out, body = {}, run.bodies.read(0, SMALL)
    md5 = hashlib.md5(body).hexdigest()

    def status(target, h, data):
        c = http.client.HTTPConnection(s.host, s.port, timeout=30)
        try:
            c.request("PUT", target, body=data, headers=h)
            r = c.getresponse()
            r.read()
            return r.status, (r.getheader("ETag") or "").strip('"')
        except (OSError, http.client.HTTPException) as e:
            return repr(e), ""
        finally:
            c.close()

    st, tag = status(s.presign("PUT", "chk/a"), {}, body)
    out["presigned PUT"] = st == 200 and tag == md5
    bad = s.presign("PUT", "chk/b")
    st, _ = status(bad[:-4] + ("0000" if bad[-4:] != "0000" else "1111"), {}, body)
    out["bad signature refused"] = st == 403
    t, h, *_ = s.sign_headers("PUT", "chk/c", payload=hashlib.sha256(b"other").hexdigest())
    out["wrong SHA-256 refused"] = status(t, h, body)[0] in (400, 403)
    t, h, *_ = s.sign_headers("PUT", "chk/d", payload=hashlib.sha256(body).hexdigest(),
                              headers={"x-amz-checksum-crc32": "AAAAAA=="})
    out["wrong CRC-32 refused"] = status(t, h, body)[0] == 400
    crc = base64.b64encode(struct.pack(">I", zlib.crc32(body))).decode()
    for name, value in (("trailer PUT", crc), ("wrong trailer refused", "AAAAAA==")):
        data = b"1000\r\n" + body + f"\r\n0\r\nx-amz-checksum-crc32:{value}\r\n\r\n".encode()
        t, h, *_ = s.sign_headers("PUT", "chk/e", payload="STREAMING-UNSIGNED-PAYLOAD-TRAILER", headers={
            "content-encoding": "aws-chunked", "x-amz-decoded-content-length": str(SMALL),
            "x-amz-trailer": "x-amz-checksum-crc32"})
        st, tag = status(t, h, data)
        out[name] = (st == 200 and tag == md5) if name == "trailer PUT" else st == 400
    t, h, *_ = s.sign_headers("PUT", "chk/f", payload=hashlib.sha256(body).hexdigest(),
                              headers={"content-md5": base64.b64encode(bytes(16)).decode()})
    out["wrong Content-MD5 refused"] = status(t, h, body)[0] == 400
    return out
