"""curl --retry 3 with presigned URLs for each part; whatever fails, the upload is aborted."""
import re
import subprocess
import sys
import tempfile

from photo import abort_link, complete_link, create_link, part_links, parts

KEY = "film.mov"
CURL = ["curl", "-q", "-sS", "--fail", "--noproxy", "*", "--retry", "3"]


def curl(*words):
    done = subprocess.run([*CURL, *words], stdout=subprocess.PIPE, text=True)
    if done.returncode:
        raise subprocess.CalledProcessError(done.returncode, "curl")
    return done.stdout


def upload_parts(links):
    """All of them in one call, so that they share a connection; the ETags in their order."""
    with tempfile.TemporaryDirectory() as folder:
        words = []
        for number, (part, link) in enumerate(zip(parts(), links), 1):
            path = f"{folder}/{number}"
            with open(path, "wb") as file:
                file.write(part)
            words += ["-T", path, "-o", "/dev/null", link]
        heads = curl("-D", "-", *words)
    tags = re.findall(r'(?im)^etag: *("[0-9a-f]+")', heads)
    if len(tags) != len(links):
        raise ValueError(f"{len(tags)} ETags for {len(links)} parts")
    return tags


def complete(upload, tags):
    rows = "".join(
        f"<Part><PartNumber>{number}</PartNumber><ETag>{tag}</ETag></Part>" for number, tag in enumerate(tags, 1))
    body = f"<CompleteMultipartUpload>{rows}</CompleteMultipartUpload>"
    answer = curl("-X", "POST", "-H", "Content-Type: application/xml", "-d", body, complete_link(KEY, upload))
    if "<CompleteMultipartUploadResult" not in answer:
        raise ValueError("the completion was not confirmed")


found = re.search("<UploadId>([^<]+)</UploadId>", curl("-X", "POST", create_link(KEY)))
if not found:
    sys.exit("no upload id came")
try:
    complete(found[1], upload_parts(part_links(KEY, found[1])))
except (subprocess.CalledProcessError, ValueError) as error:
    print(error, file=sys.stderr)
    subprocess.run([*CURL, "-X", "DELETE", abort_link(KEY, found[1])])
    sys.exit(1)
