"""multipart.py FOLDER: transfers that boto3 splits, copies, versions, tags, and uploads it gives up."""
import sys
from boto3.s3.transfer import TransferConfig
from shoal_client import BUCKET, body, client, refused

s3 = client()
folder = sys.argv[1]
MIB = 1024 * 1024
large = body(20 * MIB + 5)
path = f"{folder}/large"
with open(path, "wb") as file:
    file.write(large)

s3.upload_file(path, BUCKET, "large", ExtraArgs={"Metadata": {"a": "b"}, "Tagging": "k=v"})
head = s3.head_object(Bucket=BUCKET, Key="large", PartNumber=1)
assert head["PartsCount"] == 3 and head["Metadata"] == {"a": "b"} and head["ETag"].endswith('-3"'), head
s3.download_file(BUCKET, "large", path + ".back")
with open(path + ".back", "rb") as file:
    assert file.read() == large

source = {"Bucket": BUCKET, "Key": "large"}
s3.copy_object(Bucket=BUCKET, Key="copy", CopySource=source)
s3.copy(source, BUCKET, "parts", Config=TransferConfig(multipart_threshold=5 * MIB, multipart_chunksize=5 * MIB))
for key, suffix in (("copy", '"'), ("parts", '-5"')):
    got = s3.get_object(Bucket=BUCKET, Key=key)
    assert got["Body"].read() == large and got["ETag"].endswith(suffix), got
assert s3.get_object_tagging(Bucket=BUCKET, Key="copy")["TagSet"] == [{"Key": "k", "Value": "v"}]

upload = s3.create_multipart_upload(Bucket=BUCKET, Key="given-up")["UploadId"]
s3.upload_part(Bucket=BUCKET, Key="given-up", UploadId=upload, PartNumber=1, Body=b"x")
assert [part["Size"] for part in s3.list_parts(Bucket=BUCKET, Key="given-up", UploadId=upload)["Parts"]] == [1]
assert [each["Key"] for each in s3.list_multipart_uploads(Bucket=BUCKET)["Uploads"]] == ["given-up"]
s3.abort_multipart_upload(Bucket=BUCKET, Key="given-up", UploadId=upload)
refused("NoSuchUpload", s3.list_parts, Bucket=BUCKET, Key="given-up", UploadId=upload)

s3.put_bucket_versioning(Bucket=BUCKET, VersioningConfiguration={"Status": "Enabled"})
first = s3.put_object(Bucket=BUCKET, Key="v", Body=b"1")["VersionId"]
s3.put_object(Bucket=BUCKET, Key="v", Body=b"2")
s3.delete_object(Bucket=BUCKET, Key="v")
refused("NoSuchKey", s3.get_object, Bucket=BUCKET, Key="v")
assert s3.get_object(Bucket=BUCKET, Key="v", VersionId=first)["Body"].read() == b"1"
listed = s3.list_object_versions(Bucket=BUCKET, Prefix="v")
assert len(listed["Versions"]) == 2 and len(listed["DeleteMarkers"]) == 1, listed

everything = s3.list_object_versions(Bucket=BUCKET)
gone = s3.delete_objects(
    Bucket=BUCKET,
    Delete={
        "Objects": [
            {"Key": each["Key"], "VersionId": each["VersionId"]}
            for each in everything["Versions"] + everything["DeleteMarkers"]
        ]
    },
)
assert "Errors" not in gone, gone
s3.delete_bucket(Bucket=BUCKET)
print("ok")
