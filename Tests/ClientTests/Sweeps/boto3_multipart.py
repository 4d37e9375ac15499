"""boto3 with its defaults: upload_fileobj in three parts, which it does by itself above 8 MiB."""
import io

import boto3
from boto3.s3.transfer import TransferConfig

from photo import BUCKET, FILM, PART

boto3.client("s3").upload_fileobj(io.BytesIO(FILM), BUCKET, "film.mov", Config=TransferConfig(multipart_chunksize=PART))
