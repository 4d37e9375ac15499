import ShoalFaults
import ShoalS3

extension CheckCase {
    static let all = stored + retried + careful + traffic

    /// What was stored.
    private static let stored: [CheckCase] = [
        CheckCase(
            "one-commit key=a.jpg",
            passes: {
                $0.add { ($0.bodyIsCut, $0.status) = (true, nil) }
                $0.put(at: 100)
            },
            fails: {
                $0.loseAnswer()
                $0.put(at: 100, stores: "e2")
            }, "2 commits changed the content of photos/a.jpg", wouldPass: "the same without the commits of #2",
            isSilentWhenEmpty: false),
        CheckCase(
            "one-commit allowIdenticalRewrite=true",
            passes: {
                $0.loseAnswer()
                $0.put(at: 100)
            },
            fails: { $0.add { $0.status = nil } }, "photos/a.jpg was never committed",
            wouldPass: "the same with one commit"),
        CheckCase(
            "one-commit", passes: { $0.put(at: 0) },
            fails: {
                $0.loseAnswer()
                $0.put(at: 100)
            }, "committed 2 times with the same content", wouldPass: "one-commit allowIdenticalRewrite=true"),
        CheckCase(
            "one-version key=a.jpg",
            passes: { $0.store(versions: 1) }, fails: { $0.store(versions: 2) }, "photos/a.jpg has 2 versions",
            wouldPass: "one version", isSilentWhenEmpty: false),
        CheckCase(
            "no-commit key=a.jpg", passes: { $0.refuse(at: 0, 403, .accessDenied) }, fails: { $0.put(at: 0) },
            "#1 of PutObject photos/a.jpg was committed", wouldPass: "the same without the commits of #1"),
        CheckCase(
            "content key=a.jpg size=5 type=image/jpeg", passes: { $0.store(size: 5) }, fails: { $0.store(size: 4) },
            "photos/a.jpg has 4 bytes, not 5", wouldPass: "content key=a.jpg size=4 type=image/jpeg",
            isSilentWhenEmpty: false),
        CheckCase(
            "notified-after-commit note=told*",
            passes: {
                $0.put(at: 0)
                $0.note("told the backend", at: 50)
            },
            fails: {
                $0.note("told the backend", at: 0)
                $0.put(at: 50)
            }, "the note 'told the backend' came before the commit of photos/a.jpg",
            wouldPass: "the note behind the commit of #1", isSilentWhenEmpty: false),
        CheckCase(
            "no-orphan-upload", passes: { $0.add { $0.operation = .createMultipartUpload } },
            fails: { $0.facts.openUploads = [.init(bucket: "photos", key: "a.jpg", uploadID: "u1")] },
            "the upload u1 of photos/a.jpg was neither completed nor aborted",
            wouldPass: "an AbortMultipartUpload of it"),
    ]

    /// How the client tried again.
    private static let retried: [CheckCase] = [
        CheckCase(
            "attempts key=a.jpg min=2 max=3",
            passes: { story in for at in [0, 100, 200] { story.put(at: at) } },
            fails: { story in for at in [0, 100, 200, 300] { story.put(at: at) } },
            "PutObject photos/a.jpg had 4 attempts", wouldPass: "attempts key=a.jpg min=2 max=4",
            isSilentWhenEmpty: false),
        CheckCase(
            "backoff min=1s factor>=1.5", passes: { $0.retry(after: 1_000, 1_500, 3_000) },
            fails: { $0.retry(after: 1_000, 1_200) }, "#3 waited 1s200ms after 1s",
            wouldPass: "backoff min=1s factorMin=1.2"),
        CheckCase(
            "backoff min=1s", passes: { $0.retry(after: 1_000) }, fails: { $0.retry(after: 1_000, 30) },
            "#3 waited 30ms", wouldPass: "backoff min=30ms"),
        CheckCase(
            "backoff first<=1s cap=4s jitter=0.5 total>=2s", passes: { $0.retry(after: 200, 1_900, 5_000, 6_000) },
            fails: { $0.retry(after: 200, 1_900, 7_000) }, "#4 waited 7s, at most 6s is allowed",
            wouldPass: "backoff firstMax=7s cap=7s jitter=0.5 totalMin=2s"),
        CheckCase(
            "backoff totalMin=2s", passes: { $0.retry(after: 500, 1_500) }, fails: { $0.retry(after: 500, 1_000) },
            "the waits are 1s500ms together", wouldPass: "backoff totalMin=1s500ms"),
        CheckCase(
            "honours-retry-after tolerance=100ms",
            passes: {
                $0.refuse(at: 0, 503, .slowDown, retryAfter: 2)
                $0.put(at: 1_950)
            },
            fails: {
                $0.refuse(at: 0, 503, .slowDown, retryAfter: 2)
                $0.put(at: 1_010)
            }, "#2 came 1s after Retry-After: 2", wouldPass: "honours-retry-after tolerance=1s1ms"),
        CheckCase(
            "no-retry-after",
            passes: {
                $0.refuse(at: 0, 403, .signatureDoesNotMatch, signature: "one")
                $0.refuse(at: 100, 400, .entityTooLarge, signature: "two")
            },
            fails: {
                $0.refuse(at: 0, 400, .entityTooLarge, signature: "one")
                $0.refuse(at: 100, 400, .entityTooLarge, signature: "two")
            }, "#2 came after #1 was refused for good with EntityTooLarge", wouldPass: "the same without #2"),
        CheckCase(
            "no-retry-after codes=NoSuchKey,SlowDown",
            passes: { $0.refuse(at: 0, 503, .slowDown) }, fails: { $0.refuseTwice(503, .slowDown) },
            "refused for good with SlowDown", wouldPass: "the same without #2"),
        CheckCase(
            "fresh-url-after",
            passes: {
                $0.refuse(at: 0, 403, .accessDenied, expired: true, signature: "one")
                $0.loseAnswer(at: 100, signature: "two")
            },
            fails: { $0.refuse(at: 0, 403, .accessDenied, expired: true, signature: "one") },
            "nobody came back with a new link after #1", wouldPass: "an attempt with another signature behind #1"),
        CheckCase(
            "fresh-url-after after=SignatureDoesNotMatch",
            passes: {
                $0.refuse(at: 0, 403, .signatureDoesNotMatch, signature: "one")
                $0.loseAnswer(at: 100, signature: "two")
            },
            fails: {
                $0.refuse(at: 0, 403, .signatureDoesNotMatch, signature: "one")
                $0.loseAnswer(at: 100, signature: "one")
            }, "#2 came with the link that was refused at #1", wouldPass: "another signature at #2"),
        CheckCase(
            "never-resent", passes: { $0.refuse(at: 0, 403, .accessDenied, expired: true, signature: "one") },
            fails: {
                $0.refuse(at: 0, 403, .accessDenied, expired: true, signature: "one")
                $0.loseAnswer(at: 100, signature: "two")
                $0.refuse(at: 200, 403, .accessDenied, expired: true, signature: "one")
            }, "#3 used the link again that was refused at #1", wouldPass: "another signature at #3, or none"),
    ]

    /// What the client did about what it could not know.
    private static let careful: [CheckCase] = [
        CheckCase(
            "verified-after-unknown",
            passes: {
                $0.loseAnswer()
                $0.look(at: 50)
                $0.put(at: 100)
            },
            fails: {
                $0.loseAnswer()
                $0.put(at: 100)
                $0.look(at: 150)
            }, "#2 sent everything again without looking whether #1 was stored",
            wouldPass: "a HEAD between #1 and #2, or If-None-Match at #2"),
        CheckCase(
            "verified-after-unknown claim=done",
            passes: {
                $0.loseAnswer()
                $0.add { ($0.at, $0.isConditional, $0.status, $0.code) = (50, true, 412, .preconditionFailed) }
                $0.note("done", at: 100)
            },
            fails: {
                $0.loseAnswer()
                $0.note("done", at: 100)
            }, "the note 'done' claims success, and nobody looked after #1", wouldPass: "a HEAD between #1 and the note"
        ),
        CheckCase(
            "resumed",
            passes: {
                $0.putPart(1, at: 0)
                $0.putPart(2, at: 100, stores: nil)
                $0.putPart(2, at: 200)
            },
            fails: {
                $0.putPart(1, at: 0)
                $0.putPart(2, at: 100, stores: nil)
                $0.putPart(1, at: 200)
            }, "photos/a.jpg: 100 bytes of stored parts were resent", wouldPass: "resumed maxResentBytes=100"),
        CheckCase(
            "wasted-bytes max=99",
            passes: { story in for number in 1...3 as ClosedRange<UInt32> { story.putPart(number, at: Int(number)) } },
            fails: {
                $0.putPart(1, at: 0, stores: nil)
                $0.putPart(1, at: 100)
            }, "photos/a.jpg: 100 body bytes were sent in vain", wouldPass: "wasted-bytes max=100"),
        CheckCase(
            "completed-once uploadId=u1",
            passes: {
                $0.complete(at: 0)
                $0.complete(at: 100, repeats: true)
            },
            fails: {
                $0.complete(at: 0)
                $0.complete(at: 100, stores: nil, status: 404)
            }, "a further completion of photos/a.jpg had another result: NoSuchUpload",
            wouldPass: "the same list of parts each time"),
        CheckCase(
            "reads-verified",
            passes: {
                $0.readCorrupt(at: 0, asksForChecksum: true)
                $0.readCorrupt(at: 100)
                $0.look(at: 200, .getObject)
            },
            fails: { $0.readCorrupt(at: 0) }, "got corrupt bytes and did not ask for a checksum",
            wouldPass: "x-amz-checksum-mode: ENABLED, or a second read"),
        CheckCase(
            "reads-finished",
            passes: {
                $0.look(at: 0, .getObject)
                $0.readHalf(at: 100)
                $0.look(at: 200, .getObject)
            },
            fails: {
                $0.look(at: 0, .getObject)
                $0.readHalf(at: 100)
            }, "the read #2 of photos/a.jpg broke off, and none that came after it was whole",
            wouldPass: "a GET of the rest, with Range: bytes=N-"),
        CheckCase(
            "reads-finished key=a.jpg",
            passes: {
                $0.missHead(at: 0)
                $0.put(at: 100)
                $0.missHead(at: 200)
                $0.look(at: 300)
            },
            fails: {
                $0.put(at: 100)
                $0.missHead(at: 200)
            }, "the read #1 of photos/a.jpg found nothing, though it was stored",
            wouldPass: "the same read once more"),
    ]

    /// What was under way together, and whether the rules struck.
    private static let traffic: [CheckCase] = [
        CheckCase(
            "no-overlap", passes: { $0.retry(after: 1) },
            fails: {
                $0.add { ($0.length, $0.stores) = (100, "e") }
                $0.put(at: 40)
            }, "#1 and #2 were under way together for 10ms", wouldPass: "no-overlap tolerance=11ms"),
        CheckCase(
            "quiet for=500ms", passes: { $0.put(at: 99_490) }, fails: { $0.put(at: 99_600) },
            "PutObject photos/a.jpg arrived 400ms before the end", wouldPass: "quiet for=400ms",
            isSilentWhenEmpty: false),
        CheckCase(
            "concurrency max=1", passes: { $0.retry(after: 0, 0) },
            fails: { story in for at in [0, 3, 6, 100] { story.put(at: at) } }, "3 requests were under way together",
            wouldPass: "concurrency max=3"),
        CheckCase(
            "connections max=1",
            passes: { story in
                for ordinal in 1...3 as ClosedRange<UInt32> {
                    story.add { ($0.connection, $0.ordinal, $0.at) = (7, ordinal, Int(ordinal) * 20) }
                }
            },
            fails: { $0.retry(after: 10) }, "2 connections carried requests", wouldPass: "connections max=2"),
        CheckCase(
            "order of=CreateMultipartUpload,UploadPart:a.*,note:told",
            passes: {
                $0.add { $0.operation = .createMultipartUpload }
                $0.putPart(1, at: 10)
                $0.note("told", at: 20)
            },
            fails: {
                $0.putPart(1, at: 0)
                $0.add { ($0.operation, $0.at) = (.createMultipartUpload, 10) }
                $0.note("told", at: 20)
            }, "UploadPart:a.* did not come after CreateMultipartUpload", wouldPass: "order of=CreateMultipartUpload",
            isSilentWhenEmpty: false),
        CheckCase(
            "all-fired", passes: { try $0.rules("PutObject @auth reset id=x", struck: "x") },
            fails: { try $0.rules("PutObject @auth reset id=x", "GetObject @auth reset id=y", struck: "x") },
            "never struck: y (matched 0)",
            wouldPass: "a request that reaches the rule's point, or the test without the rule"),
        CheckCase(
            "fired rule=x n=1", passes: { try $0.rules("PutObject @auth reset id=x", struck: "x") },
            fails: { try $0.rules("PutObject @auth reset id=x", struck: "x", "x") }, "x struck 2 times",
            wouldPass: "fired rule=x n=2", isSilentWhenEmpty: false),
    ]
}

extension Story {
    fileprivate func store(size: UInt64 = 5, versions: Int = 1) {
        facts.objects = [
            .init(
                bucket: "photos", key: "a.jpg", size: size, contentType: "image/jpeg", sha256: nil,
                versionCount: versions)
        ]
    }

    /// Attempts that are lost on their way, with so many milliseconds between each end and the next beginning.
    fileprivate func retry(after waits: Int...) {
        var at = 0
        for wait in [0] + waits {
            at += wait
            add { ($0.at, $0.status, $0.bodyIsCut) = (at, nil, true) }
            at += 10
        }
    }

    fileprivate func refuseTwice(_ status: Int, _ code: S3Error.Code) {
        refuse(at: 0, status, code)
        refuse(at: 100, status, code)
    }

    fileprivate func missHead(at milliseconds: Int) {
        add {
            ($0.operation, $0.at, $0.byteCount) = (.headObject, milliseconds, 0)
            ($0.status, $0.code) = (404, .noSuchKey)
        }
    }

    /// A read that breaks off in its body.
    fileprivate func readHalf(at milliseconds: Int) {
        add {
            ($0.operation, $0.at, $0.byteCount, $0.status) = (.getObject, milliseconds, 0, nil)
            $0.fault = ("half", .responseAt, "close")
        }
    }

    fileprivate func readCorrupt(at milliseconds: Int, asksForChecksum: Bool = false) {
        add {
            ($0.operation, $0.at, $0.byteCount, $0.asksForChecksum) = (.getObject, milliseconds, 0, asksForChecksum)
            $0.fault = ("flip", .responseHead, "corruptRead(10)")
        }
    }
}
