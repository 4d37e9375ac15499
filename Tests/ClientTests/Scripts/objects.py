"""Buckets and objects: every call of the API that is built, with answers compared."""
import datetime
import hashlib
from shoal_client import BUCKET, body, client, refused

s3 = client()
data = body(300_000)
tag = f'"{hashlib.md5(data).hexdigest()}"'

# Buckets
s3.create_bucket(Bucket="made-by-boto3")
assert {bucket["Name"] for bucket in s3.list_buckets()["Buckets"]} == {BUCKET, "made-by-boto3"}
s3.head_bucket(Bucket="made-by-boto3")
assert s3.get_bucket_location(Bucket="made-by-boto3")["LocationConstraint"] is None
s3.delete_bucket(Bucket="made-by-boto3")
refused("404", s3.head_bucket, Bucket="made-by-boto3")
refused("NoSuchBucket", s3.list_objects_v2, Bucket="made-by-boto3")

# Objects: headers, metadata, ranges, conditions
put = s3.put_object(
    Bucket=BUCKET, Key="a b/ü-日本.bin", Body=data, ContentType="application/x-shoal", CacheControl="no-cache",
    ContentDisposition='attachment; filename="a.bin"', Metadata={"colour": "blue"})
assert put["ETag"] == tag, put
got = s3.get_object(Bucket=BUCKET, Key="a b/ü-日本.bin")
assert got["Body"].read() == data
assert (got["ContentType"], got["CacheControl"]) == ("application/x-shoal", "no-cache"), got
assert got["ContentDisposition"] == 'attachment; filename="a.bin"', got
head = s3.head_object(Bucket=BUCKET, Key="a b/ü-日本.bin")
assert (head["ContentLength"], head["ETag"], head["Metadata"]) == (300_000, tag, {"colour": "blue"}), head
age = datetime.datetime.now(datetime.timezone.utc) - head["LastModified"]
assert datetime.timedelta(seconds=-2) < age < datetime.timedelta(minutes=5), head
part = s3.get_object(Bucket=BUCKET, Key="a b/ü-日本.bin", Range="bytes=1000-1999")
assert part["Body"].read() == data[1000:2000] and part["ContentRange"] == "bytes 1000-1999/300000", part
refused("InvalidRange", s3.get_object, Bucket=BUCKET, Key="a b/ü-日本.bin", Range="bytes=300000-")
refused("304", s3.get_object, Bucket=BUCKET, Key="a b/ü-日本.bin", IfNoneMatch=tag)
refused("PreconditionFailed", s3.put_object, Bucket=BUCKET, Key="a b/ü-日本.bin", Body=b"x", IfNoneMatch="*")
s3.put_object(Bucket=BUCKET, Key="a b/ü-日本.bin", Body=b"new", IfMatch=tag)
assert s3.get_object(Bucket=BUCKET, Key="a b/ü-日本.bin")["Body"].read() == b"new"
refused("NoSuchKey", s3.get_object, Bucket=BUCKET, Key="none")
refused("404", s3.head_object, Bucket=BUCKET, Key="none")

# Listings: both versions, pages, folders
keys = [f"list/{number:03}" for number in range(25)] + ["list/deep/a", "list/deep/b"]
for key in keys:
    s3.put_object(Bucket=BUCKET, Key=key, Body=b"x")
for operation in ("list_objects", "list_objects_v2"):
    pages = list(s3.get_paginator(operation).paginate(
        Bucket=BUCKET, Prefix="list/", PaginationConfig={"PageSize": 10}))
    found = [item["Key"] for page in pages for item in page["Contents"]]
    assert len(pages) == 3 and found == sorted(keys), (operation, len(pages), found)
folders = s3.list_objects_v2(Bucket=BUCKET, Prefix="list/", Delimiter="/")
assert [item["Prefix"] for item in folders["CommonPrefixes"]] == ["list/deep/"], folders
assert folders["KeyCount"] == 26, folders

# Deleting
s3.delete_object(Bucket=BUCKET, Key="a b/ü-日本.bin")
s3.delete_object(Bucket=BUCKET, Key="a b/ü-日本.bin")
refused("NoSuchKey", s3.get_object, Bucket=BUCKET, Key="a b/ü-日本.bin")
refused("BucketNotEmpty", s3.delete_bucket, Bucket=BUCKET)
print("ok")
