/// A moment in the life of a connection or of one exchange at which a rule may strike.
///
/// Raw values are the names that rules, the journal and the admin API use; cases stand in the order in which an exchange
/// comes by.
package enum FaultPoint: String, CaseIterable, Sendable {
    /// A port takes connections, or does not: before the kernel answers a SYN. Only for scopes with a port of their own.
    case listen
    /// TCP accepted, nothing read; only the peer's address is known.
    case accept
    /// A ClientHello read, nothing answered; the server name and the protocols it offers are known.
    case tlsHello = "tls.hello"
    /// The TLS handshake finished, no byte of HTTP read.
    case tlsDone = "tls.done"
    /// Method and target parsed, and no header line; asked of the connection, for there is no exchange yet.
    case requestLine = "request.line"
    /// All header lines parsed, before `100 Continue` and before the signature is looked at.
    case requestHead = "request.head"
    /// `100 Continue` is due; reached only by a request that sent `Expect`.
    case continueDue = "continue"
    /// Signature, expiry and pinned conditions are judged and the verdict is not sent yet.
    case auth
    /// So many body bytes taken.
    case bodyAt = "body.at"
    /// So many bytes of what is uploaded written to the disk: without the framing of `aws-chunked`, where it may be a few more.
    case storeWrite = "store.write"
    /// The last body byte taken, the digest known, nothing durable.
    case bodyEnd = "body.end"
    /// The object of a read is looked up, and whether it is a 200 or a 404 is not said yet.
    case readOpen = "read.open"
    /// The bytes are complete and synced, and not visible.
    case commitBefore = "commit.before"
    /// Visible and durable, and no byte of the answer sent.
    case commitAfter = "commit.after"
    /// So many bytes of the answer's status line and header lines sent.
    case responseHeadAt = "response.head.at"
    /// The answer's head is sent whole, nothing of its body.
    case responseHead = "response.head"
    /// Before this byte of the object is read from the disk, wherever a range begins.
    case readAt = "read.at"
    /// So many bytes of the answer's body sent.
    case responseAt = "response.at"
    /// The last byte of the answer sent, before keep-alive is decided.
    case responseEnd = "response.end"
    /// The connection is kept and waits for its next request.
    case idle

    /// Whether the point needs a position, as in `body.at(50%)`.
    package var takesPosition: Bool {
        switch self {
        case .bodyAt, .storeWrite, .responseHeadAt, .readAt, .responseAt: true
        default: false
        }
    }

    /// Whether nothing is known of a request, only of a connection.
    package var precedesRequest: Bool {
        switch self {
        case .listen, .accept, .tlsHello, .tlsDone: true
        default: false
        }
    }

    /// Whether bytes of the answer have left, so that no other answer can be given.
    package var isAfterResponseBegan: Bool {
        switch self {
        case .responseHeadAt, .responseHead, .readAt, .responseAt, .responseEnd, .idle: true
        default: false
        }
    }

    /// What is missing for anything that needs a request; nil where there is one.
    var requestLack: String? {
        switch self {
        case .listen, .accept, .tlsHello, .tlsDone: "there is no request yet"
        case .requestLine: "only the first line of one has come; 'request.head' is the first point that can"
        default: nil
        }
    }

    /// What a client that is cut off here can conclude, in the words of Jepsen's histories.
    package enum ClientKnowledge: String, Sendable {
        /// Stored, and the client was told.
        case ok
        /// Not stored, and the client sees that it failed.
        case fail
        /// Unknown to the client: it must look before it repeats.
        case info
    }

    package var clientKnowledge: ClientKnowledge {
        switch self {
        case .listen, .accept, .tlsHello, .tlsDone, .requestLine, .requestHead, .continueDue, .auth, .bodyAt,
            .storeWrite, .readOpen, .readAt:
            .fail
        case .bodyEnd, .commitBefore, .commitAfter, .responseHeadAt, .responseAt: .info
        case .responseHead, .responseEnd, .idle: .ok
        }
    }

    /// Whether what a write asked for is stored once this point is reached.
    package var isStored: Bool {
        switch self {
        case .listen, .accept, .tlsHello, .tlsDone, .requestLine, .requestHead, .continueDue, .auth, .bodyAt: false
        case .storeWrite, .bodyEnd, .readOpen, .commitBefore, .readAt: false
        case .commitAfter, .responseHeadAt, .responseHead, .responseAt, .responseEnd, .idle: true
        }
    }

    /// The moment in one sentence, for the self-description under `/points`.
    package var moment: String {
        switch self {
        case .listen: "a port takes connections or does not, before TCP's handshake; from when the rule is in force"
        case .accept: "TCP accepted, nothing read"
        case .tlsHello: "ClientHello read, nothing answered"
        case .tlsDone: "TLS handshake finished, no byte of HTTP read"
        case .requestLine: "method and target parsed, header lines not"
        case .requestHead: "all headers parsed, before 100 Continue and before the signature is judged"
        case .continueDue: "where 100 Continue is due, only if Expect was sent"
        case .auth: "signature, expiry and pinned conditions judged, verdict not sent"
        case .bodyAt: "so many bytes of the request body taken"
        case .storeWrite: "so many bytes of an object or a part written to the disk"
        case .bodyEnd: "last body byte taken, digest known, nothing durable"
        case .readOpen: "object of a read looked up, 200 or 404 not said"
        case .commitBefore: "body complete and synced, not visible"
        case .commitAfter: "visible and durable, no byte of the answer sent"
        case .responseHeadAt: "so many bytes of the answer's head sent"
        case .responseHead: "the answer's head sent, nothing of its body"
        case .readAt: "before this byte of the object is read"
        case .responseAt: "so many bytes of the answer's body sent"
        case .responseEnd: "last byte of the answer sent, before keep-alive is decided"
        case .idle: "connection kept, waiting for its next request"
        }
    }
}

extension FaultPoint: Comparable {
    private var order: Int { Self.allCases.firstIndex(of: self) ?? 0 }

    /// Earlier in the life of an exchange.
    package static func < (left: FaultPoint, right: FaultPoint) -> Bool { left.order < right.order }
}
