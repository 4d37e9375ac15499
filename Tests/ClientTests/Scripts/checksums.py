"""checksums.py ALGORITHM: a checksum computed here goes with the object; what the server says must be the same."""
import base64
import hashlib
import io
import sys
import zlib
from shoal_client import BUCKET, body, client, refused

algorithm = sys.argv[1]
s3 = client()
data = body(150_001)


def reflected(polynomial, width, content):
    """A CRC whose bits run from the lowest, started with ones and inverted at the end, as all of S3's are."""
    table = []
    for byte in range(256):
        for _ in range(8):
            byte = byte >> 1 ^ (polynomial if byte & 1 else 0)
        table.append(byte)
    ones = (1 << width) - 1
    value = ones
    for byte in content:
        value = value >> 8 ^ table[(value ^ byte) & 255]
    return (value ^ ones).to_bytes(width // 8, "big")


def digest(content):
    return base64.b64encode({
        "CRC32": lambda: zlib.crc32(content).to_bytes(4, "big"),
        "CRC32C": lambda: reflected(0x82F63B78, 32, content),
        "CRC64NVME": lambda: reflected(0x9A6C9329AC4BC9B5, 64, content),
        "SHA1": lambda: hashlib.sha1(content).digest(),
        "SHA256": lambda: hashlib.sha256(content).digest(),
    }[algorithm]()).decode()


field = "Checksum" + algorithm
put = s3.put_object(Bucket=BUCKET, Key="given", Body=data, **{field: digest(data)})
assert put[field] == digest(data), put
head = s3.head_object(Bucket=BUCKET, Key="given", ChecksumMode="ENABLED")
assert head[field] == digest(data) and head["ChecksumType"] == "FULL_OBJECT", head
# Reading verifies what boto3 can verify.
assert s3.get_object(Bucket=BUCKET, Key="given", ChecksumMode="ENABLED")["Body"].read() == data

if algorithm in ("CRC32", "SHA1", "SHA256"):  # the others boto3 computes only with a library of C
    for key, content in (("bytes", data), ("stream", io.BytesIO(data)), ("empty", b"")):
        expected = digest(b"" if key == "empty" else data)
        put = s3.put_object(Bucket=BUCKET, Key=key, Body=content, ChecksumAlgorithm=algorithm)
        assert put[field] == expected, put
        assert s3.head_object(Bucket=BUCKET, Key=key, ChecksumMode="ENABLED")[field] == expected

refused("BadDigest", s3.put_object, Bucket=BUCKET, Key="wrong", Body=data, **{field: digest(b"other")})
refused("404", s3.head_object, Bucket=BUCKET, Key="wrong")
print("ok")
