"""forms.py default|s3|s3v4: forms that boto3 signs, filled in and sent by a program that knows nothing of S3."""
import sys
import urllib.error
import urllib.request
from shoal_client import BUCKET, body, client

name = sys.argv[1]
s3 = client(None if name == "default" else name)
BOUNDARY = "form-boundary-of-a-page"


def send(form, data, more={}, filename="harbour photo.jpg"):
    parts = b""
    for field, value in {**form["fields"], **more}.items():
        parts += f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="{field}"\r\n\r\n{value}\r\n'.encode()
    parts += f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="{filename}"\r\n\r\n'.encode()
    request = urllib.request.Request(
        form["url"], data=parts + data + f"\r\n--{BOUNDARY}--\r\n".encode(), method="POST",
        headers={"Content-Type": f"multipart/form-data; boundary={BOUNDARY}"})
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with opener.open(request, timeout=30) as response:
        return response.status, response.headers, response.read()


def refused(status, code, *arguments, **more):
    try:
        send(*arguments, **more)
    except urllib.error.HTTPError as error:
        text = error.read()
        assert error.code == status and f"<Code>{code}</Code>".encode() in text, (error.code, text)
        return
    raise AssertionError(f"{code} was expected, and the form went through")


data = body(70_000)
form = s3.generate_presigned_post(BUCKET, f"forms/{name}/ü.bin", ExpiresIn=300)
assert ("x-amz-signature" in form["fields"]) == (name == "s3v4"), form
status, headers, answer = send(form, data)
assert (status, answer) == (204, b""), (status, answer)
stored = s3.get_object(Bucket=BUCKET, Key=f"forms/{name}/ü.bin")
assert stored["Body"].read() == data and stored["ETag"] == headers["ETag"], stored

form = s3.generate_presigned_post(
    BUCKET, f"forms/{name}/" + "${filename}", ExpiresIn=300,
    Fields={"Content-Type": "image/jpeg", "success_action_status": "201", "acl": "bucket-owner-full-control"},
    Conditions=[["starts-with", "$Content-Type", "image/"], {"success_action_status": "201"}, {"acl": "bucket-owner-full-control"},
                ["content-length-range", 1, 70_000]])
status, headers, answer = send(form, data)
assert status == 201 and f"<Key>forms/{name}/harbour photo.jpg</Key>".encode() in answer, (status, answer)
stored = s3.head_object(Bucket=BUCKET, Key=f"forms/{name}/harbour photo.jpg")
assert stored["ContentType"] == "image/jpeg" and stored["ContentLength"] == 70_000, stored
refused(400, "EntityTooLarge", form, data + b"x")
refused(400, "EntityTooSmall", form, b"")
refused(403, "AccessDenied", form, data, {"x-amz-meta-more": "x"})
refused(403, "AccessDenied", form, data, {"Content-Type": "text/html"})

form = s3.generate_presigned_post(BUCKET, f"forms/{name}/late", ExpiresIn=-1)
refused(403, "AccessDenied", form, data)
form["fields"]["policy"] = form["fields"]["policy"][:-4] + "fX0="
refused(403, "SignatureDoesNotMatch", form, data)
print("ok")
