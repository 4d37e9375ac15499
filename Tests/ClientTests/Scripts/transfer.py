"""transfer.py FILE TARGET: upload_file and download_file with their defaults, below the size where they split."""
import sys
from shoal_client import BUCKET, body, client

s3 = client()
source, target = sys.argv[1:]
s3.upload_file(source, BUCKET, "transfer/harbour.jpg", ExtraArgs={"ContentType": "image/jpeg", "Metadata": {"from": "boto3"}})
s3.download_file(BUCKET, "transfer/harbour.jpg", target)
head = s3.head_object(Bucket=BUCKET, Key="transfer/harbour.jpg")
assert head["ContentType"] == "image/jpeg", head
assert head["Metadata"] == {"from": "boto3"}, head

for count in (0, 1, 65_536, 5_000_000, 8 * 1024 * 1024 - 1):
    path = f"{target}.{count}"
    with open(path, "wb") as file:
        file.write(body(count))
    s3.upload_file(path, BUCKET, f"transfer/{count}")
    s3.download_file(BUCKET, f"transfer/{count}", path + ".back")
    with open(path + ".back", "rb") as file:
        assert file.read() == body(count), count
print("ok")
