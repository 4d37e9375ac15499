import ShoalHTTP
import ShoalS3

/// What happens to an exchange at a point.
package enum FaultAction: Hashable, Sendable {
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
    /// The exchange waits until its gate is released.
    case pause(gate: String)

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
        case reset, close, hang, blackhole, halfClose, abandon, dropAll, closeIdle
        case dropHeader, setHeader, wrongLength, extraInformational, noContinue, missingTerminator
        case truncateHead, truncateBody, garbage, duplicateResponse
        case throttle, dribble, stallBursts
        case delay, respond, respondEarly, foreignPage, redirect, expire, pause
    }

    package var name: Name {
        switch self {
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
        case .delay, .drawnDelay: .delay
        case .respond: .respond
        case .respondEarly: .respondEarly
        case .foreignPage: .foreignPage
        case .redirect: .redirect
        case .expire: .expire
        case .pause: .pause
        }
    }

    /// Whether the exchange is over after it, so that nothing may follow in a rule.
    package var endsExchange: Bool {
        switch self {
        case .reset, .close, .respond, .expire, .hang(nil): true
        case .blackhole, .halfClose(.out), .abandon, .dropAll, .respondEarly, .foreignPage, .redirect: true
        case .hang, .delay, .drawnDelay, .pause, .halfClose(.in), .closeIdle, .noContinue, .edit, .pace: false
        }
    }
}

extension FaultAction.Name {
    /// The effect in one sentence, for the self-description under `/actions`.
    package var effect: String {
        switch self {
        case .reset: "RST at once"
        case .close: "FIN, then read and discard"
        case .hang: "silence on an open socket, for a time or for ever"
        case .blackhole: "silence, while all that comes is read and thrown away"
        case .halfClose: "end one direction of the connection"
        case .abandon: "close at once: FIN, or RST on top of unread bytes"
        case .dropAll: "RST on every connection of the scope"
        case .closeIdle: "FIN when the connection has been idle for a time behind this answer"
        case .dropHeader: "the answer lacks a header"
        case .setHeader: "the answer has a header of your own"
        case .wrongLength: "the answer's Content-Length disagrees with its body, or is absent"
        case .extraInformational: "informational answers (1xx) go before the answer"
        case .noContinue: "100 Continue is withheld"
        case .missingTerminator: "the answer's body is chunked and lacks its last chunk"
        case .throttle: "so many bytes a second, in and out"
        case .dribble: "the answer in pieces over a time"
        case .stallBursts: "as usual and silence in turns"
        case .delay: "pass the point later"
        case .truncateHead: "the answer is cut in its head"
        case .truncateBody: "the answer is cut in its body"
        case .garbage: "bytes that are no HTTP in place of the answer or of its body"
        case .duplicateResponse: "the answer is sent twice"
        case .respondEarly: "answer before the request body is taken"
        case .foreignPage: "answer with a login page, as a captive portal does"
        case .redirect: "answer with a redirect to another endpoint, as S3 does"
        case .respond: "answer with a status, an S3 error or a body of your own"
        case .expire: "signatures count as expired from now on"
        case .pause: "wait until a gate is released"
        }
    }

    /// The parameters' names, as the JSON form spells them.
    package var parameters: [String] {
        switch self {
        case .reset, .close, .blackhole, .abandon, .dropAll, .missingTerminator, .duplicateResponse: []
        case .hang: ["ms"]
        case .delay: ["ms"] + DelayDistribution.Name.allCases.map(\.rawValue)
        case .halfClose: ["direction"]
        case .closeIdle: ["afterMs", "announce"]
        case .dropHeader: ["name"]
        case .setHeader: ["name", "value"]
        case .wrongLength: ["by"]
        case .extraInformational: ["status", "count"]
        case .noContinue: ["forMs"]
        case .truncateHead: ["bytes", "then"]
        case .truncateBody: ["at", "then"]
        case .garbage: ["place"]
        case .throttle: ["in", "out", "burst"]
        case .dribble: ["chunks", "overMs"]
        case .stallBursts: ["onMs", "offMs"]
        case .foreignPage: ["html", "location"]
        case .redirect: ["status", "region", "endpoint"]
        case .respond, .respondEarly: InjectedAnswer.Parameter.allCases.map(\.rawValue)
        case .expire: ["of"]
        case .pause: ["gate"]
        }
    }
}
