import ShoalHTTP
import ShoalS3

/// One exchange, as an attempt of what the app was doing: made from its events, whatever the client believes.
package struct Attempt: Sendable {
    /// What became of it, as far as the client can know, in the words of Jepsen's histories.
    package typealias Outcome = FaultPoint.ClientKnowledge

    /// Connection, exchange, and the identity it showed.
    package internal(set) var number: ExchangeNumber
    package let head: JournalEvent.RequestHead
    /// Of its first event.
    package let seq: UInt64
    /// When its head was complete: milliseconds since 1970, and nanoseconds of the monotonic clock.
    package let wall: Int64
    package let mono: UInt64
    /// Of the object it is about; a form says it in its body.
    package internal(set) var key: ObjectKey?
    /// Among the attempts of its operation, from 1, whatever URLs they came with.
    package internal(set) var ordinal = 1
    /// Nanoseconds from the end of the attempt before to its own head; negative if they overlapped, nil for the first.
    package internal(set) var gap: Int64?

    /// The furthest point it is known to have passed.
    package internal(set) var reached = FaultPoint.requestHead
    package internal(set) var faults: [StampedFault] = []
    package internal(set) var body: JournalEvent.Body?
    /// What it changed; nil if it changed nothing, or only repeated what had been done.
    package internal(set) var commit: Commit?
    package internal(set) var answer: JournalEvent.ResponseHead?
    /// The kernel has taken the whole answer.
    package internal(set) var isAnswerWhole = false
    /// Bytes of the answer that the kernel has taken: of the body if it is whole, of head and body if it broke off.
    package internal(set) var answerByteCount: UInt64 = 0
    package internal(set) var closing: JournalEvent.Closing?
    /// The earliest instant at which the client can have known of the end, on the monotonic clock; nil while it is under
    /// way.
    package internal(set) var end: UInt64?

    var answeredAt: UInt64?

    package struct StampedFault: Sendable {
        package let fault: JournalEvent.Fault
        package let seq: UInt64
        package let mono: UInt64
    }

    package struct Commit: Sendable {
        package let store: JournalEvent.Store
        package let seq: UInt64
        package let mono: UInt64
    }

    init(_ event: JournalEvent, _ number: ExchangeNumber, _ head: JournalEvent.RequestHead) {
        self.number = number
        self.head = head
        key = head.key
        (seq, wall, mono) = (event.seq, event.wall, event.mono)
    }
}

extension Attempt {
    package var operation: S3Operation { head.operation }

    /// Body bytes taken by the server.
    package var bodyByteCount: UInt64 { body?.bytes ?? faults.compactMap(\.fault.bodyBytesTaken).max() ?? 0 }

    /// Which presigned URL it came with, as `OperationIdentity(signature:)` hashes it; nil for other requests.
    package var signatureHash: UInt64? {
        head.signatureHash ?? (number.operation?.source == .signature ? number.operation?.hash : nil)
    }

    /// A whole answer says it; otherwise a read has failed, and a write depends on how far it came.
    package var outcome: Outcome {
        guard let answer, isAnswerWhole || reached == .responseHead && operation.isWrite else {
            return operation.isWrite ? min(reached, .responseAt).clientKnowledge : .fail
        }
        return answer.status.code < 400 && answer.code == nil ? .ok : .fail
    }

    /// What it left of the object's bytes: the operations that make an object's content.
    var writesContent: Bool {
        switch operation {
        case .putObject, .postObject, .copyObject, .completeMultipartUpload: true
        default: false
        }
    }

    /// Whether it made an object's content, be it the same as before.
    package var committedContent: Bool { writesContent && commit?.store.change == .committed }

    /// Sends the object's bytes, or a part of them.
    var sendsContent: Bool {
        switch operation {
        case .putObject, .postObject, .copyObject, .uploadPart, .uploadPartCopy: true
        default: false
        }
    }

    /// Tells a client what is stored.
    var looks: Bool {
        switch operation {
        case .headObject, .getObject, .getObjectAttributes, .listParts, .listMultipartUploads: true
        default: operation.rawValue.hasPrefix("ListObject")
        }
    }

    /// `photos/7.jpg`, or as much of it as the request names.
    package var target: String {
        [head.bucket, key?.description].compactMap { $0 }.joined(separator: "/")
    }
}

// MARK: - From events

extension Attempt {
    /// Takes up one further event of its exchange.
    mutating func add(_ event: JournalEvent) {
        switch event.kind {
        case .continueSent: reach(.continueDue)
        case .auth: reach(.auth)
        case .body(let body):
            self.body = body
            if body.bytes > 0 { reach(body.isCut ? .bodyAt : .bodyEnd) }
        case .store(let store):
            guard store.change == .committed || store.change == .deleted else { return }
            commit = Commit(store: store, seq: event.seq, mono: event.mono)
            reach(.commitAfter)
        case .formKey(let key): self.key = key
        case .fault(let fault):
            faults.append(StampedFault(fault: fault, seq: event.seq, mono: event.mono))
            reach(fault.point)
        case .responseHead(let answer): (self.answer, answeredAt) = (answer, event.mono)
        case .responseEnd(let bytes):
            (isAnswerWhole, answerByteCount) = (true, bytes)
            reach(.responseEnd)
            end = endOfAnswer(sentAt: event.mono)
        case .connectionClosed(let closing):
            self.closing = closing
            if !isAnswerWhole { answerByteCount = closing.sentBytes ?? 0 }
            end = end ?? cutAt ?? event.mono
        default: break
        }
    }

    private mutating func reach(_ point: FaultPoint) { reached = max(reached, point) }

    /// Bytes that fit in the kernel's buffers, so that the client may have had the answer before we heard of it.
    private static let bufferedByteCountMax: UInt64 = 65_536

    private func endOfAnswer(sentAt: UInt64) -> UInt64 {
        let isHeldUp = faults.contains { $0.fault.point.isAfterResponseBegan }
        guard let answeredAt, !isHeldUp, answerByteCount <= Self.bufferedByteCountMax else { return sentAt }
        return answeredAt
    }

    /// Actions after which the client knows at once that nothing more will come.
    private static let endings = ["reset", "close", "abandon", "dropAll", "halfClose", "zombie", "crash"]

    /// When a rule ended the connection: a client learns of a FIN long before the connection is gone.
    private var cutAt: UInt64? {
        guard let last = faults.last,
            Self.endings.contains(String(last.fault.action.prefix { $0 != "(" }))
        else { return nil }
        return last.mono
    }
}
