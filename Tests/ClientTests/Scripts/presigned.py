"""presigned.py default|s3|s3v4: URLs that boto3 signs, used by a program that knows nothing of S3."""
import sys
import urllib.error
import urllib.request
from urllib.parse import parse_qs, urlsplit
from shoal_client import BUCKET, body, client

name = sys.argv[1]
s3 = client(None if name == "default" else name)
data = body(70_000)


def use(operation, method, headers={}, content=None, **arguments):
    url = s3.generate_presigned_url(
        operation, Params={"Bucket": BUCKET, "Key": f"by url/{name}+ü.bin", **arguments}, ExpiresIn=300)
    version = "X-Amz-Signature" if name == "s3v4" else "Signature"
    assert version in parse_qs(urlsplit(url).query), url
    request = urllib.request.Request(url, data=content, method=method, headers=headers)
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with opener.open(request, timeout=30) as response:
        return response.status, response.headers, response.read()


status, _, answer = use("put_object", "PUT", {"Content-Type": "image/png"}, data, ContentType="image/png")
assert (status, answer) == (200, b""), (status, answer)
status, headers, answer = use("get_object", "GET")
assert status == 200 and answer == data and headers["Content-Type"] == "image/png", (status, headers)
status, headers, answer = use("get_object", "GET", ResponseContentType="text/x-other")
assert answer == data and headers["Content-Type"] == "text/x-other", headers
status, headers, _ = use("head_object", "HEAD")
assert status == 200 and headers["Content-Length"] == "70000", headers

# Another type than the signed one
try:
    use("put_object", "PUT", {"Content-Type": "image/jpeg"}, data, ContentType="image/png")
    raise AssertionError("a type that was not signed went through")
except urllib.error.HTTPError as error:
    assert error.code == 403 and b"<Code>SignatureDoesNotMatch</Code>" in error.read(), error

status, _, _ = use("delete_object", "DELETE")
assert status == 204, status
try:
    use("get_object", "GET")
    raise AssertionError("it is still there")
except urllib.error.HTTPError as error:
    assert error.code == 404 and b"<Code>NoSuchKey</Code>" in error.read(), error
print("ok")
