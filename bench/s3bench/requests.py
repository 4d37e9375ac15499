"""Requests in the form that native/loadgen.c reads: a packed record, then the request line and headers."""
import struct

HEAD_FLAG, VERIFY_FLAG = 1, 2
RECORD = struct.Struct("<IHHQQQq32s")


def record(head, status=0, flags=0, body=(0, 0), resp_off=0, resp_len=-1, etag=None):
    return RECORD.pack(len(head), status, flags, body[0], body[1], resp_off, resp_len,
                       etag.encode() if etag else b"") + head


def head_of(server, method, target, length=None, headers=None):
    h = dict(headers or {})
    h.pop("host", None)
    lines = [f"{method} {target} HTTP/1.1", f"Host: {server.host}:{server.port}"]
    if length is not None:
        lines.append(f"Content-Length: {length}")
    lines += [f"{k}: {v}" for k, v in h.items()]
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


def simple(server, method, key, query=(), length=None, headers=None):
    """Head of a request with a presigned URL, or header-signed where the server takes no presigned ones."""
    if server.presigned:
        return head_of(server, method, server.presign(method, key, query), length, headers)
    target, h, *_ = server.sign_headers(method, key, query)
    return head_of(server, method, target, length, {**h, **(headers or {})})
