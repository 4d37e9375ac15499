import ShoalCrypto
import ShoalHTTP
import ShoalJSON
import ShoalS3

/// Reads back what `appendJSON` writes, so that a journal survives the end of its process.
extension JournalEvent {
    /// Nil for a line that is no event of this version. `scope` gives the scope of a name, nil for one that is gone.
    init?(_ line: JSON, scope: (String) -> JournalScope?) {
        guard let seq = line.natural("seq"), let mono = line.natural("mono"), let time = line.time("t"),
            let scope = line.text("scope").flatMap(scope), let name = line.text("ev"),
            let kind = Kind(name, line)
        else { return nil }
        self.init(
            seq: seq, wall: time, mono: mono, scope: scope, exchange: ExchangeNumber(line), kind: kind)
    }
}

extension ExchangeNumber {
    fileprivate init?(_ line: JSON) {
        guard let connection = line.natural("conn") else { return nil }
        self.init(
            connection: connection, exchange: UInt32(clamping: line.natural("exchange") ?? 0),
            operation: line.text("op").flatMap { OperationIdentity(text: $0, source: line.text("opSource")) },
            attempt: UInt32(clamping: line.natural("attempt") ?? 0))
    }
}

extension JournalEvent.Kind {
    fileprivate init?(_ name: String, _ line: JSON) {
        switch name {
        case "conn.open": self = .connectionOpened(peer: line.text("peer") ?? "")
        case "continue.sent": self = .continueSent
        case "form.key": self = .formKey(ObjectKey(stored: Array((line.text("key") ?? "").utf8)))
        case "body": self = .body(.init(line))
        case "response.end": self = .responseEnd(bytes: line.natural("bytes") ?? 0)
        case "rule.added":
            self = .ruleAdded(id: line.text("rule") ?? "", line: line.text("line") ?? "", seed: line.natural("seed"))
        case "rule.removed": self = .ruleRemoved(id: line.text("rule") ?? "")
        case "clock.set": self = .clockSet(scopeTime: line.time("clock") ?? 0, isFrozen: line.isOn("frozen"))
        case "gate.released":
            self = .gateReleased(name: line.text("gate") ?? "", resumed: Int(line.natural("resumed") ?? 0))
        case "note": self = .note(line.text("text") ?? "")
        case "conn.tls": self = .connectionSecured(.init(line))
        default:
            guard let kind = Self.detailed(name, line) else { return nil }
            self = kind
        }
    }

    private static func detailed(_ name: String, _ line: JSON) -> Self? {
        switch name {
        case "request.head": JournalEvent.RequestHead(line).map { .requestHead($0) }
        case "auth": JournalEvent.Auth(line).map { .auth($0) }
        case "store": JournalEvent.Store(line).map { .store($0) }
        case "response.head": JournalEvent.ResponseHead(line).map { .responseHead($0) }
        case "fault": JournalEvent.Fault(line).map { .fault($0) }
        case "conn.close": JournalEvent.Closing(line).map { .connectionClosed($0) }
        case "fault.end":
            line.word("point", as: FaultPoint.self).map { point in
                .faultEnded(rule: line.text("rule") ?? "", point: point, action: line.text("action") ?? "")
            }
        default: nil
        }
    }
}

extension JournalEvent.Handshake {
    fileprivate init(_ line: JSON) {
        self.init(
            version: line.text("version"), cipher: line.text("cipher"), isResumed: line.isOn("resumed"),
            failure: line.text("failed"), serverName: line.text("sni"), protocols: line.text("alpn"))
    }
}

// MARK: - Details

extension JournalEvent.RequestHead {
    fileprivate init?(_ line: JSON) {
        guard let method = line.text("method"), let operation = line.word("operation", as: S3Operation.self) else {
            return nil
        }
        self.init(
            method: method, operation: operation, bucket: line.text("bucket"),
            key: line.text("key").map { ObjectKey(stored: Array($0.utf8)) },
            contentLength: line.natural("contentLength"), isPresigned: line.isOn("presigned"),
            isConnectionReused: line.text("connection") == "reused", expectsContinue: line.isOn("expectContinue"),
            sdkAttempt: line.natural("sdkAttempt").map(UInt32.init(clamping:)),
            partNumber: line.natural("partNumber").map(UInt32.init(clamping:)),
            uploadID: line.text("uploadId").map { Array($0.utf8) },
            signatureHash: line.text("url").flatMap { OperationIdentity(text: $0, source: nil)?.hash },
            isConditional: line.isOn("conditional"), asksForChecksum: line.isOn("checksumAsked"))
    }
}

extension JournalEvent.Auth {
    fileprivate init?(_ line: JSON) {
        guard let verdict = line.word("verdict", as: Verdict.self) else { return nil }
        self.init(
            verdict, code: line.word("code", as: S3Error.Code.self), diagnosis: line.text("diagnosis"),
            scopeTime: line.time("clock") ?? 0)
    }
}

extension JournalEvent.Body {
    fileprivate init(_ line: JSON) {
        self.init(
            bytes: line.natural("bytes") ?? 0, firstAt: line.natural("firstMono") ?? 0,
            lastAt: line.natural("lastMono") ?? 0, isCut: line.isOn("cut"))
    }
}

extension JournalEvent.Store {
    fileprivate init?(_ line: JSON) {
        guard let change = line.word("change", as: Change.self) else { return nil }
        self.init(
            change, size: line.natural("size"), etag: line.text("etag"), versionID: line.text("versionId"),
            sha256: line.text("sha256").flatMap { Hexadecimal.decode($0.utf8) })
    }
}

extension JournalEvent.ResponseHead {
    fileprivate init?(_ line: JSON) {
        guard let status = line.natural("status") else { return nil }
        self.init(
            HTTPStatus(Int(status)), code: line.word("code", as: S3Error.Code.self),
            retryAfter: line.natural("retryAfter").map(UInt32.init(clamping:)), isExpired: line.isOn("expired"))
    }
}

extension JournalEvent.Fault {
    fileprivate init?(_ line: JSON) {
        guard let rule = line.text("rule"), let point = line.word("point", as: FaultPoint.self),
            let action = line.text("action")
        else { return nil }
        self.init(
            rule: rule, point: point, action: action, n: Int(line.natural("n") ?? 1),
            counter: Int(line.natural("counter") ?? 1), arrival: Int(line.natural("arrival") ?? 1),
            u: line.fraction("u"), offset: line.natural("offset"), bodyBytesTaken: line.natural("bodyBytesTaken"))
    }
}

extension JournalEvent.Closing {
    fileprivate init?(_ line: JSON) {
        guard let side = line.word("by", as: Side.self), let manner = line.word("how", as: Manner.self) else {
            return nil
        }
        self.init(by: side, manner, unreadBytes: line.natural("unread"), sentBytes: line.natural("sent"))
    }
}

// MARK: - Members

extension JSON {
    fileprivate func text(_ name: String) -> String? { if case .string(let text)? = self[name] { text } else { nil } }

    fileprivate func natural(_ name: String) -> UInt64? {
        if case .integer(let number)? = self[name] { UInt64(exactly: number) } else { nil }
    }

    fileprivate func isOn(_ name: String) -> Bool { self[name] == .bool(true) }

    fileprivate func word<Word: RawRepresentable<String>>(_ name: String, as type: Word.Type) -> Word? {
        text(name).flatMap(Word.init(rawValue:))
    }

    /// Milliseconds since 1970.
    fileprivate func time(_ name: String) -> Int64? { text(name).flatMap(Timestamp.init(iso8601:))?.milliseconds }

    /// In parts of 2^64.
    fileprivate func fraction(_ name: String) -> UInt64? {
        guard case .number(let number)? = self[name] else { return nil }
        // In the middle of what the nine digits cover, so that the same ones are printed again.
        return UInt64(min(max(0, number + 5e-10), 1 - .ulpOfOne) * 0x1p64)
    }
}
