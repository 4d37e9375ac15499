"""boto3 with its defaults: one PutObject."""
import boto3

from photo import BUCKET, PHOTO, TYPE

boto3.client("s3").put_object(Bucket=BUCKET, Key="photo.jpg", Body=PHOTO, ContentType=TYPE)
