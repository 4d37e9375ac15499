"""The bytes that are sent, with their digests."""
import base64
import hashlib
import os
import struct
import zlib

from .units import KiB, MiB


class Bodies:
    """Files of random bytes that the generator sends from, with their digests."""

    def __init__(self, work, size):
        self.work, self.size = work, size
        self.path = f"{work}/body.bin"
        with open(self.path, "wb") as f:
            for _ in range(size // (16 * MiB)):
                f.write(os.urandom(16 * MiB))
        self.f = open(self.path, "rb")
        self._md5, self._small, self._sum = {}, [], {}

    def read(self, off, n):
        self.f.seek(off)
        return self.f.read(n)

    def _digest(self, kind, n):
        if (kind, n) not in self._sum:
            h, crc = {"md5": hashlib.md5, "sha256": hashlib.sha256}.get(kind), 0
            h = h() if h else None
            for off in range(0, n, MiB):
                d = self.read(off, min(MiB, n - off))
                if h:
                    h.update(d)
                else:
                    crc = zlib.crc32(d, crc)
            self._sum[kind, n] = h.hexdigest() if h else base64.b64encode(struct.pack(">I", crc)).decode()
        return self._sum[kind, n]

    def md5(self, n):
        return self._digest("md5", n)

    def sha256(self, n):
        return self._digest("sha256", n)

    def crc32(self, n):
        return self._digest("crc32", n)

    def small(self, i, n):
        """(offset, md5) of one of 256 different small bodies."""
        i %= 256
        if (i, n) not in self._md5:
            self._md5[i, n] = hashlib.md5(self.read(i * 64 * KiB, n)).hexdigest()
        return i * 64 * KiB, self._md5[i, n]

    def trailer_file(self, n):
        """Body of n bytes as aws-chunked with an unsigned CRC-32 trailer, 1 MiB chunks (as boto3 sends)."""
        path = f"{self.work}/trailer-{n}.bin"
        if not os.path.exists(path):
            with open(path, "wb") as f:
                for off in range(0, n, MiB):
                    d = self.read(off, min(MiB, n - off))
                    f.write(b"%x\r\n%b\r\n" % (len(d), d))
                f.write(f"0\r\nx-amz-checksum-crc32:{self.crc32(n)}\r\n\r\n".encode())
        return path, os.path.getsize(path)
