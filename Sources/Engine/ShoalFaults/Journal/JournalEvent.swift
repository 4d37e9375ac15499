import ShoalHTTP
import ShoalS3

/// One line of the journal: what happened, to which exchange, when.
///
/// Callers pass redacted values: no signed URL, signature, secret or token. `JournalEvent+JSON` writes the line.
package struct JournalEvent: Sendable {
    /// Ascending over the whole journal, from 1, without gaps.
    package let seq: UInt64
    /// Milliseconds since 1970, of the machine's clock.
    package let wall: Int64
    /// Nanoseconds of the monotonic clock.
    package let mono: UInt64
    package let scope: JournalScope
    package let exchange: ExchangeNumber?
    package let kind: Kind

    /// What happened, with what belongs to it.
    package enum Kind: Sendable {
        case connectionOpened(peer: String)
        /// A handshake has ended, in TLS or in nothing.
        case connectionSecured(Handshake)
        case requestHead(RequestHead)
        case continueSent
        /// The key that a form names in its body.
        case formKey(ObjectKey)
        case auth(Auth)
        case body(Body)
        case store(Store)
        case responseHead(ResponseHead)
        /// Body bytes handed to the kernel.
        case responseEnd(bytes: UInt64)
        case fault(Fault)
        /// Of a fault that lasts by itself, at `listen`: things are as usual again, or the rule's next step begins.
        case faultEnded(rule: String, point: FaultPoint, action: String)
        case connectionClosed(Closing)
        /// `seed` for rules that leave something to chance.
        case ruleAdded(id: String, line: String, seed: UInt64? = nil)
        case ruleRemoved(id: String)
        case clockSet(scopeTime: Int64, isFrozen: Bool)
        case gateReleased(name: String, resumed: Int)
        /// Of no exchange: what went wrong with a webhook, or the steps of a test.
        case note(String)
    }

    /// One event of several that are appended together, with its own time.
    package struct Stamped: Sendable {
        package let mono: UInt64
        package let kind: Kind
    }
}

/// Which exchange an event belongs to.
package struct ExchangeNumber: Sendable {
    package let connection: UInt64
    /// Ordinal on the connection, from 1; 0 for an event of the connection itself.
    package let exchange: UInt32
    /// Which operation of the app it is an attempt of; nil before that is known.
    package let operation: OperationIdentity?
    /// Ordinal of the attempt within its operation, from 1; 0 if no operation is known.
    package let attempt: UInt32

    package init(connection: UInt64, exchange: UInt32, operation: OperationIdentity? = nil, attempt: UInt32 = 0) {
        self.connection = connection
        self.exchange = exchange
        self.operation = operation
        self.attempt = attempt
    }
}

extension JournalEvent.Kind {
    /// The word in the line's `ev`.
    package var name: StaticString {
        switch self {
        case .connectionOpened: "conn.open"
        case .connectionSecured: "conn.tls"
        case .requestHead: "request.head"
        case .continueSent: "continue.sent"
        case .formKey: "form.key"
        case .auth: "auth"
        case .body: "body"
        case .store: "store"
        case .responseHead: "response.head"
        case .responseEnd: "response.end"
        case .fault: "fault"
        case .faultEnded: "fault.end"
        case .connectionClosed: "conn.close"
        case .ruleAdded: "rule.added"
        case .ruleRemoved: "rule.removed"
        case .clockSet: "clock.set"
        case .gateReleased: "gate.released"
        case .note: "note"
        }
    }

    /// Bytes of text it holds, for the journal's bound; fixed parts are counted elsewhere.
    var textByteCount: Int {
        switch self {
        case .connectionOpened(let text), .ruleRemoved(let text), .note(let text), .gateReleased(let text, _):
            text.utf8.count
        case .connectionSecured(let handshake):
            [handshake.version, handshake.cipher, handshake.failure, handshake.serverName, handshake.protocols]
                .reduce(0) { $0 + ($1?.utf8.count ?? 0) }
        case .ruleAdded(let id, let line, _): id.utf8.count + line.utf8.count
        case .requestHead(let head):
            (head.key?.bytes.count ?? 0) + (head.bucket?.utf8.count ?? 0) + (head.uploadID?.count ?? 0)
        case .auth(let auth): auth.diagnosis?.utf8.count ?? 0
        case .store(let store):
            (store.etag?.utf8.count ?? 0) + (store.versionID?.utf8.count ?? 0) + (store.sha256?.count ?? 0)
        case .fault(let fault): fault.rule.utf8.count + fault.action.utf8.count
        case .faultEnded(let rule, _, let action): rule.utf8.count + action.utf8.count
        case .formKey(let key): key.bytes.count
        case .continueSent, .body, .responseHead, .responseEnd, .connectionClosed, .clockSet: 0
        }
    }
}
