"""What the clients upload, and links to upload it with."""
import os

import boto3
from botocore.config import Config

BUCKET = os.environ["SHOAL_BUCKET"]
PHOTO = bytes(range(256)) * 1024
PART = 5 << 20
FILM = b"shoal" * (2 * PART // 5) + b"the end"
TYPE = "image/jpeg"


def signer():
    """A client that signs links and sends nothing."""
    return boto3.client("s3", config=Config(signature_version="s3v4"))


def put_link(key):
    return signer().generate_presigned_url(
        "put_object", Params={"Bucket": BUCKET, "Key": key, "ContentType": TYPE}, ExpiresIn=600)


def create_link(key):
    return signer().generate_presigned_url("create_multipart_upload", Params={"Bucket": BUCKET, "Key": key}, ExpiresIn=600)


def part_links(key, upload):
    s3 = signer()
    return [
        s3.generate_presigned_url(
            "upload_part", Params={"Bucket": BUCKET, "Key": key, "UploadId": upload, "PartNumber": number},
            ExpiresIn=600)
        for number in range(1, len(parts()) + 1)
    ]


def complete_link(key, upload):
    return signer().generate_presigned_url(
        "complete_multipart_upload", Params={"Bucket": BUCKET, "Key": key, "UploadId": upload}, ExpiresIn=600)


def abort_link(key, upload):
    return signer().generate_presigned_url(
        "abort_multipart_upload", Params={"Bucket": BUCKET, "Key": key, "UploadId": upload}, ExpiresIn=600)


def parts():
    return [FILM[at:at + PART] for at in range(0, len(FILM), PART)]
