"""What happens to a photo on its way into the bucket, at the moments at which uploads go wrong."""
import urllib.error
import urllib.request

import pytest
from boto3.s3.transfer import TransferConfig


def put(url, body=b"a photo", content_type="image/jpeg"):
    """What an app does with a presigned URL."""
    request = urllib.request.Request(url, body, {"Content-Type": content_type}, method="PUT")
    return urllib.request.urlopen(request).status


def link(shoal, key, **more):
    return shoal.presign("PUT", "photos", key, headers={"content-type": "image/jpeg"}, **more)


def test_the_photo_arrives(shoal, s3):
    assert put(link(shoal, "a.jpg")) == 200
    assert s3.get_object(Bucket="photos", Key="a.jpg")["Body"].read() == b"a photo"


def test_another_type_than_was_signed_is_refused(shoal):
    with pytest.raises(urllib.error.HTTPError) as refusal:
        put(link(shoal, "a.jpg"), content_type="image/png")
    assert refusal.value.code == 403
    assert shoal.objects() == []


def test_a_photo_whose_answer_is_lost_is_stored_all_the_same(shoal):
    shoal.fault("PutObject a.jpg @commit.after 1*reset")
    url = link(shoal, "a.jpg")
    with pytest.raises(OSError):
        put(url)
    assert [(o["key"], o["size"]) for o in shoal.objects()] == [("a.jpg", 7)]
    assert put(url) == 200


def test_a_link_expires_without_waiting(shoal):
    url = link(shoal, "a.jpg", expires=60)
    shoal.advance(61)
    with pytest.raises(urllib.error.HTTPError) as refusal:
        put(url)
    assert b"Request has expired" in refusal.value.read()


def test_boto3_gets_a_film_through_a_busy_store(shoal, s3, tmp_path):
    film = tmp_path / "film.mp4"
    film.write_bytes(bytes(12 << 20))
    shoal.fault("UploadPart *#2 @auth 2*SlowDown", "CompleteMultipartUpload @commit.after 1*close")
    s3.upload_file(str(film), "photos", "film.mp4", Config=TransferConfig(multipart_chunksize=5 << 20))
    assert [o["size"] for o in shoal.objects()] == [12 << 20]
    assert shoal.open_uploads() == []
    # The second Complete was answered like the first: boto3 never knew that anything was wrong.
    shoal.verify("completed-once", "no-orphan-upload", "resumed", "honours-retry-after")


def test_an_app_that_sends_again_without_looking_stores_twice(shoal):
    shoal.fault("PutObject a.jpg @commit.after 1*reset")
    url = link(shoal, "a.jpg")
    with pytest.raises(OSError):
        put(url)
    put(url)
    with pytest.raises(AssertionError, match="committed 2 times"):
        shoal.verify("one-commit key=a.jpg")


def test_an_app_that_looks_first_passes_a_scene_by_its_name(shoal, s3):
    shoal.preset("lost-answer", key="*.jpg")
    with pytest.raises(OSError):
        put(link(shoal, "a.jpg"))
    assert s3.head_object(Bucket="photos", Key="a.jpg")["ContentLength"] == 7
    shoal.verify(preset="lost-answer", key="*.jpg")


def test_other_tests_see_nothing_of_it(shoal, shoal_server):
    neighbour = shoal_server.scope(buckets=["photos"])
    neighbour.fault("PutObject @auth reset")
    assert put(link(shoal, "a.jpg")) == 200
    assert neighbour.objects() == []
    assert neighbour.end()["neverFired"] != []
