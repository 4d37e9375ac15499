import ShoalHTTP
import ShoalS3

/// What happens to an exchange at a point.
package enum FaultAction: Hashable, Sendable {
    /// The kernel answers every SYN with RST; for so long, or for as long as the rule is there.
    case refuse(Duration?)
    /// The kernel answers no SYN.
    case connectHang(Duration?)
    case connectionLimit(ConnectionLimit)
    /// RST, at once (linger 0).
    case reset
    /// An orderly end: FIN, then what the peer still sends is read and thrown away.
    case close
    /// Silence on an open socket: nothing read, nothing written; for ever if no duration is given.
    case hang(Duration?)
    /// Silence as well, but what the peer sends is read and thrown away, so that it can send everything.
    case blackhole
    case halfClose(Direction)
    /// Closed without a look at what is unread: FIN if nothing is, RST if something is.
    case abandon
    /// RST on every connection that has carried a request of the scope, this one included.
    case dropAll
    /// FIN once the connection has been idle for so long behind this answer; at zero right behind it.
    case closeIdle(after: Duration, announces: Bool)
    /// `100 Continue` is withheld: for so long, or until the client sends its body without it.
    case noContinue(Duration?)
    case edit(AnswerEdit)
    case pace(Pacing)
    case store(StoreFault)
    /// RST in place of the commit, which comes later: after so long, or (nil) right behind the next commit of its key.
    case zombie(after: Duration?)
    /// The server ends as if it were killed, and one that is supervised is started again after so long.
    case crash(restart: Duration, forgetsUnsynced: Bool)
    /// The point is passed later.
    case delay(Duration)
    /// The same, by a time that chance gives; a strike holds the `delay` that came of it.
    case drawnDelay(DelayDistribution)
    /// An answer in place of the real one.
    case respond(InjectedAnswer)
    /// The same before the body: what still comes of that is read behind the answer, or makes it a RST.
    case respondEarly(InjectedAnswer)
    case foreignPage(ForeignPage)
    case redirect(InjectedRedirect)
    /// Signatures count as expired from here on, and this request is answered as an expired one.
    case expire(ExpiryReach)
    /// The access key of this request is unknown from here on.
    case revoke
    /// A signature that was made for other values than these is refused.
    case pin(Pins)
    case quota(Quota)
    /// The exchange waits until its gate is released.
    case pause(gate: String)
    case tls(TLSAction)

    /// Whether it strikes only what it says itself, of what the rule's matcher lets through: so a match is one that it
    /// strikes.
    package var isConditional: Bool {
        switch self {
        case .connectionLimit, .pin, .quota: true
        default: false
        }
    }

    /// Which half of a connection `halfClose` ends.
    package enum Direction: String, CaseIterable, Sendable {
        /// FIN; what the peer still sends is read and thrown away, for as long as it likes.
        case out
        /// Nothing more is taken of the request, as though the peer had closed its side; the answer is still sent.
        case `in`
    }

    /// Whose signatures `expire` takes.
    package enum ExpiryReach: String, CaseIterable, Sendable {
        /// The signature of the request that was struck, whenever it is used again.
        case signature
        /// Every signature of the scope dated before the second of the strike.
        case scope
    }

    /// The action's word in rules. An S3 error code is a word for `respond` as well.
    package enum Name: String, CaseIterable, Sendable {
        case refuse, connectHang, connectionLimit
        case reset, close, hang, blackhole, halfClose, abandon, dropAll, closeIdle
        case dropHeader, setHeader, wrongLength, extraInformational, noContinue, missingTerminator
        case truncateHead, truncateBody, garbage, duplicateResponse
        case wrongETag, wrongChecksumHeader
        case throttle, dribble, stallBursts
        case loseWrite, tornWrite, corruptStored, corruptRead, duplicate, zombie, visibility, staleRead
        case diskFull, ioError, slowDisk, crash
        case delay, respond, respondEarly, foreignPage, redirect, expire, revoke, pin, quota, pause
        case tlsHang = "tls.hang"
        case tlsClose = "tls.close"
        case tlsAlert = "tls.alert"
        case tlsCert = "tls.cert"
        case tlsTruncate = "tls.truncate"
    }

    package var name: Name {
        switch self {
        case .refuse: .refuse
        case .connectHang: .connectHang
        case .connectionLimit: .connectionLimit
        case .reset: .reset
        case .close: .close
        case .hang: .hang
        case .blackhole: .blackhole
        case .halfClose: .halfClose
        case .abandon: .abandon
        case .dropAll: .dropAll
        case .closeIdle: .closeIdle
        case .noContinue: .noContinue
        case .edit(let edit): edit.name
        case .pace(let pacing): pacing.name
        case .store(let fault): fault.name
        case .zombie: .zombie
        case .crash: .crash
        case .delay, .drawnDelay: .delay
        case .respond: .respond
        case .respondEarly: .respondEarly
        case .foreignPage: .foreignPage
        case .redirect: .redirect
        case .expire: .expire
        case .revoke: .revoke
        case .pin: .pin
        case .quota: .quota
        case .pause: .pause
        case .tls(let action): action.name
        }
    }

    /// Whether the exchange is over after it, so that nothing may follow in a rule.
    package var endsExchange: Bool {
        switch self {
        case .refuse(let wait), .connectHang(let wait): wait == nil
        case .connectionLimit(let limit): limit.excess != .queue
        case .reset, .close, .respond, .expire, .revoke, .pin, .quota, .hang(nil): true
        case .blackhole, .halfClose(.out), .abandon, .dropAll, .respondEarly, .foreignPage, .redirect: true
        case .zombie, .crash: true
        case .tls(.certificate): false
        case .tls: true
        case .hang, .delay, .drawnDelay, .pause, .halfClose(.in), .closeIdle, .noContinue, .edit, .pace, .store: false
        }
    }
}
