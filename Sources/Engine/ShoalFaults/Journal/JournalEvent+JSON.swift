import ShoalJSON
import ShoalLog
import ShoalS3

extension JournalEvent {
    /// Appends the event as one JSON object, without a line break:
    /// `{"seq":7,"t":"2026-02-03T04:05:06.789Z","mono":123,"scope":"default","conn":1,"exchange":2,"op":"obj-…",`
    /// `"attempt":1,"ev":"auth","verdict":"accepted",…}`
    package func appendJSON(to out: inout [UInt8]) {
        // Swapped, not copied: `out` often holds many lines already.
        var line = JournalLine()
        swap(&line.bytes, &out)
        defer { swap(&line.bytes, &out) }
        line.number("{\"seq\":", seq)
        line.raw(",\"t\":\"")
        Timestamp(milliseconds: wall).appendISO8601(to: &line.bytes)
        line.number("\",\"mono\":", mono)
        line.string(",\"scope\":", scope.name)
        if let exchange { Self.append(exchange, to: &line) }
        line.raw(",\"ev\":\"")
        line.raw(kind.name)
        line.raw("\"")
        append(kind, to: &line)
        line.raw("}")
    }

    private static func append(_ exchange: ExchangeNumber, to line: inout JournalLine) {
        line.number(",\"conn\":", exchange.connection)
        if exchange.exchange > 0 { line.number(",\"exchange\":", UInt64(exchange.exchange)) }
        guard let operation = exchange.operation else { return }
        if operation.label.isEmpty {
            // Our own names need no escape.
            line.raw(",\"op\":\"")
            operation.append(to: &line.bytes)
            line.raw("\"")
        } else {
            line.raw(",\"op\":")
            JSONText.append(string: operation.label, to: &line.bytes)
        }
        line.number(",\"attempt\":", UInt64(exchange.attempt))
    }

    /// The exchange's members, for lines that are put together elsewhere.
    static func append(_ exchange: ExchangeNumber, to out: inout [UInt8]) {
        var line = JournalLine()
        swap(&line.bytes, &out)
        append(exchange, to: &line)
        swap(&line.bytes, &out)
    }

    private func append(_ kind: Kind, to line: inout JournalLine) {
        switch kind {
        case .connectionOpened(let peer): line.string(",\"peer\":", peer)
        case .connectionSecured(let handshake):
            if let version = handshake.version { line.string(",\"version\":", version) }
            if let cipher = handshake.cipher { line.string(",\"cipher\":", cipher) }
            if handshake.isResumed { line.raw(",\"resumed\":true") }
            if let name = handshake.serverName { line.string(",\"sni\":", name) }
            if let protocols = handshake.protocols { line.string(",\"alpn\":", protocols) }
            if let failure = handshake.failure { line.string(",\"failed\":", failure) }
        case .requestHead(let head): append(head, to: &line)
        case .continueSent: break
        case .formKey(let key):
            line.raw(",\"key\":")
            JSONText.append(string: key.bytes, to: &line.bytes)
        case .auth(let auth): append(auth, to: &line)
        case .body(let body):
            line.number(",\"bytes\":", body.bytes)
            line.number(",\"firstMono\":", body.firstAt)
            line.number(",\"lastMono\":", body.lastAt)
            if body.isCut { line.raw(",\"cut\":true") }
        case .store(let store): append(store, to: &line)
        case .responseHead(let head):
            line.number(",\"status\":", UInt64(head.status.code))
            if let code = head.code { line.string(",\"code\":", code.rawValue) }
            if let seconds = head.retryAfter { line.number(",\"retryAfter\":", UInt64(seconds)) }
            if head.isExpired { line.raw(",\"expired\":true") }
        case .responseEnd(let bytes): line.number(",\"bytes\":", bytes)
        case .fault(let fault): append(fault, to: &line)
        case .faultEnded(let rule, let point, let action):
            line.string(",\"rule\":", rule)
            line.string(",\"point\":", point.rawValue)
            line.string(",\"action\":", action)
        case .connectionClosed(let closing):
            line.string(",\"by\":", closing.by.rawValue)
            line.string(",\"how\":", closing.manner.rawValue)
            if let bytes = closing.unreadBytes { line.number(",\"unread\":", bytes) }
            if let bytes = closing.sentBytes { line.number(",\"sent\":", bytes) }
        case .ruleAdded(let id, let text, let seed):
            line.string(",\"rule\":", id)
            line.string(",\"line\":", text)
            if let seed { line.number(",\"seed\":", seed) }
        case .ruleRemoved(let id): line.string(",\"rule\":", id)
        case .clockSet(let instant, let isFrozen):
            line.time(",\"clock\":", instant)
            line.flag(",\"frozen\":", isFrozen)
        case .gateReleased(let name, let count):
            line.string(",\"gate\":", name)
            line.number(",\"resumed\":", UInt64(count))
        case .note(let text): line.string(",\"text\":", text)
        }
    }

    private func append(_ head: RequestHead, to line: inout JournalLine) {
        line.string(",\"method\":", head.method)
        line.string(",\"operation\":", head.operation.rawValue)
        if let bucket = head.bucket { line.string(",\"bucket\":", bucket) }
        if let key = head.key {
            line.raw(",\"key\":")
            JSONText.append(string: key.bytes, to: &line.bytes)
        }
        if let id = head.uploadID {
            line.raw(",\"uploadId\":")
            JSONText.append(string: id, to: &line.bytes)
        }
        if let number = head.partNumber { line.number(",\"partNumber\":", UInt64(number)) }
        if let length = head.contentLength { line.number(",\"contentLength\":", length) }
        line.flag(",\"presigned\":", head.isPresigned)
        line.raw(head.isConnectionReused ? ",\"connection\":\"reused\"" : ",\"connection\":\"fresh\"")
        if head.expectsContinue { line.raw(",\"expectContinue\":true") }
        if let attempt = head.sdkAttempt { line.number(",\"sdkAttempt\":", UInt64(attempt)) }
        if let hash = head.signatureHash { line.string(",\"url\":", OperationIdentity.signatureText(hash)) }
        if head.isConditional { line.raw(",\"conditional\":true") }
        if head.asksForChecksum { line.raw(",\"checksumAsked\":true") }
        if let source = exchange?.operation?.source {
            line.raw(",\"opSource\":\"")
            line.raw(source.name)
            line.raw("\"")
        }
    }

    private func append(_ auth: Auth, to line: inout JournalLine) {
        line.string(",\"verdict\":", auth.verdict.rawValue)
        if let code = auth.code { line.string(",\"code\":", code.rawValue) }
        if let diagnosis = auth.diagnosis { line.string(",\"diagnosis\":", diagnosis) }
        line.time(",\"clock\":", auth.scopeTime)
    }

    private func append(_ store: Store, to line: inout JournalLine) {
        line.string(",\"change\":", store.change.rawValue)
        if let size = store.size { line.number(",\"size\":", size) }
        if let etag = store.etag { line.string(",\"etag\":", etag) }
        if let version = store.versionID { line.string(",\"versionId\":", version) }
        if let digest = store.sha256 { line.hexadecimal(",\"sha256\":\"", digest) }
    }

    private func append(_ fault: Fault, to line: inout JournalLine) {
        line.string(",\"rule\":", fault.rule)
        line.string(",\"point\":", fault.point.rawValue)
        line.string(",\"action\":", fault.action)
        line.number(",\"n\":", UInt64(fault.n))
        line.number(",\"counter\":", UInt64(fault.counter))
        line.number(",\"arrival\":", UInt64(fault.arrival))
        if let u = fault.u { line.fraction(",\"u\":", DecimalFraction(draw: u)) }
        if let offset = fault.offset { line.number(",\"offset\":", offset) }
        if let taken = fault.bodyBytesTaken { line.number(",\"bodyBytesTaken\":", taken) }
    }
}

/// The line being written: each call appends a member's literal beginning and its value.
private struct JournalLine {
    var bytes: [UInt8] = []

    mutating func raw(_ text: StaticString) { JSONText.append(text, to: &bytes) }

    mutating func number(_ begin: StaticString, _ value: UInt64) {
        raw(begin)
        JSONText.append(number: value, to: &bytes)
    }

    mutating func fraction(_ begin: StaticString, _ value: DecimalFraction) {
        raw(begin)
        bytes += value.text.utf8
    }

    mutating func string(_ begin: StaticString, _ value: String) {
        raw(begin)
        JSONText.append(string: value, to: &bytes)
    }

    mutating func flag(_ begin: StaticString, _ value: Bool) {
        raw(begin)
        raw(value ? "true" : "false")
    }

    mutating func time(_ begin: StaticString, _ milliseconds: Int64) {
        raw(begin)
        raw("\"")
        Timestamp(milliseconds: milliseconds).appendISO8601(to: &bytes)
        raw("\"")
    }

    /// The literal beginning holds the opening quote.
    mutating func hexadecimal(_ begin: StaticString, _ digest: [UInt8]) {
        raw(begin)
        for byte in digest {
            for digit in [byte >> 4, byte & 15] { bytes.append(digit < 10 ? 0x30 + digit : 0x57 + digit) }
        }
        raw("\"")
    }
}
