"""What the boto3 scripts share: a client for the server of the environment, and bytes that are easy to tell apart."""
import boto3
from botocore.config import Config

BUCKET = "photos"


def client(signature=None):
    """boto3 as it comes; `signature` is "s3" for V2 or "s3v4"."""
    config = Config(signature_version=signature) if signature else None
    return boto3.client("s3", config=config)


def body(count):
    return (bytes(range(251)) * (count // 251 + 1))[:count]


def refused(code, call, **arguments):
    """Runs a call that the server has to refuse with `code`."""
    from botocore.exceptions import ClientError
    try:
        call(**arguments)
    except ClientError as error:
        found = error.response["Error"]["Code"]
        assert found == code, f"{found} instead of {code}"
        return error.response
    raise AssertionError(f"{code} was expected, and the call went through")
