"""sessions.py: temporary credentials of boto3's own STS client, used with boto3's S3 client and its presigned URLs."""
import urllib.error
import urllib.request
from datetime import datetime, timedelta, timezone
import boto3
from botocore.config import Config
from shoal_client import BUCKET, body, refused

ROLE = "arn:aws:iam::000000000000:role/team/uploader"
sts = boto3.client("sts")
data = body(70_000)


def keys(credentials, **changes):
    return {
        "aws_access_key_id": credentials["AccessKeyId"], "aws_secret_access_key": credentials["SecretAccessKey"],
        "aws_session_token": credentials["SessionToken"], **changes}


def use(credentials, key):
    """Puts, gets, lists and presigns in both versions."""
    s3 = boto3.client("s3", **keys(credentials))
    s3.put_object(Bucket=BUCKET, Key=key, Body=data)
    assert s3.get_object(Bucket=BUCKET, Key=key)["Body"].read() == data
    assert key in [item["Key"] for item in s3.list_objects_v2(Bucket=BUCKET)["Contents"]]
    for version in ["s3", "s3v4"]:
        signer = boto3.client("s3", config=Config(signature_version=version), **keys(credentials))
        url = signer.generate_presigned_url("get_object", Params={"Bucket": BUCKET, "Key": key}, ExpiresIn=300)
        assert "security-token" in url.lower(), url
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        with opener.open(url, timeout=30) as response:
            assert response.read() == data
    post = s3.generate_presigned_post(BUCKET, f"{key}-form")
    assert post["fields"]["x-amz-security-token"] == credentials["SessionToken"]


answer = sts.get_session_token(DurationSeconds=900)["Credentials"]
left = answer["Expiration"] - datetime.now(timezone.utc)
assert timedelta(seconds=600) < left <= timedelta(seconds=900), left
use(answer, "session")

role = sts.assume_role(RoleArn=ROLE, RoleSessionName="phone")
use(role["Credentials"], "role")
who = boto3.client("sts", **keys(role["Credentials"])).get_caller_identity()
assert who["Arn"] == role["AssumedRoleUser"]["Arn"] == "arn:aws:sts::000000000000:assumed-role/uploader/phone", who
assert sts.get_caller_identity()["Account"] == "000000000000"

# A URL that proves who somebody is, as clusters take it in place of a password
url = sts.generate_presigned_url("get_caller_identity", ExpiresIn=60, HttpMethod="GET")
with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(url, timeout=30) as response:
    assert b"<Arn>arn:aws:iam::000000000000:root</Arn>" in response.read()

# What S3 and STS refuse
s3 = boto3.client("s3", **keys(answer, aws_session_token=None))
refused("InvalidAccessKeyId", s3.get_object, Bucket=BUCKET, Key="session")
s3 = boto3.client("s3", **keys(answer, aws_session_token="garbage"))
refused("InvalidToken", s3.get_object, Bucket=BUCKET, Key="session")
refused("ValidationError", sts.get_session_token, DurationSeconds=129_601)
refused("NotImplemented", sts.assume_role, RoleArn=ROLE, RoleSessionName="phone", Policy='{"Version":"2012-10-17"}')
refused("AccessDenied", sts.assume_role, RoleArn=ROLE.replace("000000000000", "123456789012"), RoleSessionName="phone")
stranger = boto3.client("sts", aws_secret_access_key="guess", aws_access_key_id="shoal")
refused("SignatureDoesNotMatch", stranger.get_caller_identity)
print("ok")
