import ShoalHTTP
import ShoalS3

/// What belongs to the kinds of events.
extension JournalEvent {
    package struct Handshake: Sendable {
        /// `TLSv1.3`; nil if it failed.
        package let version: String?
        package let cipher: String?
        /// The client came back to an earlier session, so that no certificate was shown.
        package let isResumed: Bool
        /// Why it failed, in words.
        package let failure: String?
        /// What the client asked for by SNI.
        package let serverName: String?
        /// What it offers by ALPN, with commas between.
        package let protocols: String?

        package init(
            version: String? = nil, cipher: String? = nil, isResumed: Bool = false, failure: String? = nil,
            serverName: String?, protocols: String?
        ) {
            self.version = version
            self.cipher = cipher
            self.isResumed = isResumed
            self.failure = failure
            self.serverName = serverName
            self.protocols = protocols
        }
    }

    package struct RequestHead: Sendable {
        package let method: String
        package let operation: S3Operation
        package let bucket: String?
        package let key: ObjectKey?
        /// Bytes; nil if the head does not say.
        package let contentLength: UInt64?
        package let isPresigned: Bool
        package let isConnectionReused: Bool
        package let expectsContinue: Bool
        /// `N` of the SDK's own `amz-sdk-request: attempt=N`.
        package let sdkAttempt: UInt32?
        /// The part of a multipart upload it is about.
        package let partNumber: UInt32?
        /// As the client sent it.
        package let uploadID: [UInt8]?
        /// Tells one presigned URL from another where the operation's identity does not, as
        /// `OperationIdentity(signature:)` hashes it; nil for every other request.
        package let signatureHash: UInt64?
        /// A write that only holds if the object is, or is not, what the client thinks: `If-Match`, `If-None-Match`.
        package let isConditional: Bool
        /// A read that asks for the checksum of what it gets: `x-amz-checksum-mode`.
        package let asksForChecksum: Bool

        package init(
            method: String, operation: S3Operation, bucket: String? = nil, key: ObjectKey? = nil,
            contentLength: UInt64? = nil, isPresigned: Bool = false, isConnectionReused: Bool = false,
            expectsContinue: Bool = false, sdkAttempt: UInt32? = nil, partNumber: UInt32? = nil,
            uploadID: [UInt8]? = nil, signatureHash: UInt64? = nil, isConditional: Bool = false,
            asksForChecksum: Bool = false
        ) {
            self.method = method
            self.operation = operation
            self.bucket = bucket
            self.key = key
            self.contentLength = contentLength
            self.isPresigned = isPresigned
            self.isConnectionReused = isConnectionReused
            self.expectsContinue = expectsContinue
            self.sdkAttempt = sdkAttempt
            self.partNumber = partNumber
            self.uploadID = uploadID
            self.signatureHash = signatureHash
            self.isConditional = isConditional
            self.asksForChecksum = asksForChecksum
        }
    }

    package struct Auth: Sendable {
        package enum Verdict: String, Sendable {
            case accepted, refused, anonymous
            /// The lenient profile let it pass; `code` and `diagnosis` tell what S3 would have said.
            case tolerated
        }

        package let verdict: Verdict
        package let code: S3Error.Code?
        /// Why, for people; redacted by whoever wrote it.
        package let diagnosis: String?
        /// The scope's time the verdict rests on, in milliseconds since 1970.
        package let scopeTime: Int64

        package init(_ verdict: Verdict, code: S3Error.Code? = nil, diagnosis: String? = nil, scopeTime: Int64) {
            self.verdict = verdict
            self.code = code
            self.diagnosis = diagnosis
            self.scopeTime = scopeTime
        }
    }

    package struct Body: Sendable {
        /// Body bytes taken by the server, whatever the client thinks it sent.
        package let bytes: UInt64
        /// Of the first and of the last byte, on the monotonic clock; equal to each other for a body in one piece.
        package let firstAt: UInt64
        package let lastAt: UInt64
        /// The rest never came.
        package let isCut: Bool

        package init(bytes: UInt64, firstAt: UInt64, lastAt: UInt64, isCut: Bool = false) {
            self.bytes = bytes
            self.firstAt = firstAt
            self.lastAt = lastAt
            self.isCut = isCut
        }
    }

    package struct Store: Sendable {
        package enum Change: String, Sendable {
            /// Received whole, not visible yet.
            case received
            /// Visible and durable.
            case committed
            case deleted
            /// Thrown away: a body that broke off, or an upload that was aborted.
            case discarded
            /// The same request had been carried out before: it is answered again, and nothing has changed.
            case repeated
            /// Answered as stored, and thrown away by a rule.
            case lost
        }

        package let change: Change
        package let size: UInt64?
        package let etag: String?
        package let versionID: String?
        /// 32 bytes; nil if it was not computed.
        package let sha256: [UInt8]?

        package init(
            _ change: Change, size: UInt64? = nil, etag: String? = nil, versionID: String? = nil, sha256: [UInt8]? = nil
        ) {
            self.change = change
            self.size = size
            self.etag = etag
            self.versionID = versionID
            self.sha256 = sha256
        }
    }

    package struct ResponseHead: Sendable {
        package let status: HTTPStatus
        /// Of an error's document.
        package let code: S3Error.Code?
        /// `Retry-After`, in seconds.
        package let retryAfter: UInt32?
        /// Refused because the signature, or the form's policy, has expired.
        package let isExpired: Bool

        package init(
            _ status: HTTPStatus, code: S3Error.Code? = nil, retryAfter: UInt32? = nil, isExpired: Bool = false
        ) {
            self.status = status
            self.code = code
            self.retryAfter = retryAfter
            self.isExpired = isExpired
        }
    }

    package struct Fault: Sendable {
        package let rule: String
        package let point: FaultPoint
        /// As the one-line form writes it.
        package let action: String
        package let n: Int
        /// Which counter of the rule it was, and which match of that counter, as a schedule names them.
        package let counter: Int
        package let arrival: Int
        /// What chance said, in parts of 2^64; nil if nothing was left to it.
        package let u: UInt64?
        package let offset: UInt64?
        /// Request body bytes taken when it struck.
        package let bodyBytesTaken: UInt64?

        package init(_ step: Strike.Step, of strike: Strike, bodyBytesTaken: UInt64?) {
            rule = step.rule
            point = strike.point
            action = step.action.text
            n = step.n
            counter = step.counter
            arrival = step.arrival
            u = step.u
            offset = strike.offset
            self.bodyBytesTaken = bodyBytesTaken
        }

        /// `arrival` nil is that of a rule that strikes every match.
        package init(
            rule: String, point: FaultPoint, action: String, n: Int = 1, counter: Int = 1, arrival: Int? = nil,
            u: UInt64? = nil, offset: UInt64? = nil, bodyBytesTaken: UInt64? = nil
        ) {
            self.rule = rule
            self.point = point
            self.action = action
            self.n = n
            (self.counter, self.arrival, self.u) = (counter, arrival ?? n, u)
            self.offset = offset
            self.bodyBytesTaken = bodyBytesTaken
        }
    }

    package struct Closing: Sendable {
        package enum Side: String, Sendable { case peer, shoal }
        package enum Manner: String, Sendable { case fin, rst, timeout }

        package let by: Side
        package let manner: Manner
        /// Bytes of the peer that were never read, where known.
        package let unreadBytes: UInt64?
        /// Bytes of the answer, head included, that the kernel took before the end of an exchange under way.
        package let sentBytes: UInt64?

        package init(by side: Side, _ manner: Manner, unreadBytes: UInt64? = nil, sentBytes: UInt64? = nil) {
            self.by = side
            self.manner = manner
            self.unreadBytes = unreadBytes
            self.sentBytes = sentBytes
        }
    }
}
