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
    /// The point is passed later.
    case delay(Duration)
    /// An answer in place of the real one.
    case respond(InjectedAnswer)
    /// Signatures count as expired from here on, and this request is answered as an expired one.
    case expire(ExpiryReach)
    /// The exchange waits until its gate is released.
    case pause(gate: String)

    /// Whose signatures `expire` takes.
    package enum ExpiryReach: String, CaseIterable, Sendable {
        /// The signature of the request that was struck, whenever it is used again.
        case signature
        /// Every signature of the scope dated before the second of the strike.
        case scope
    }

    /// The action's word in rules. An S3 error code is a word for `respond` as well.
    package enum Name: String, CaseIterable, Sendable {
        case reset, close, hang, delay, respond, expire, pause
    }

    package var name: Name {
        switch self {
        case .reset: .reset
        case .close: .close
        case .hang: .hang
        case .delay: .delay
        case .respond: .respond
        case .expire: .expire
        case .pause: .pause
        }
    }

    /// Whether the exchange is over after it, so that nothing may follow in a rule.
    package var endsExchange: Bool {
        switch self {
        case .reset, .close, .respond, .expire, .hang(nil): true
        case .hang, .delay, .pause: false
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
        case .delay: "pass the point later"
        case .respond: "answer with a status, an S3 error or a body of your own"
        case .expire: "signatures count as expired from now on"
        case .pause: "wait until a gate is released"
        }
    }

    /// The parameters' names, as the JSON form spells them.
    package var parameters: [String] {
        switch self {
        case .reset, .close: []
        case .hang, .delay: ["ms"]
        case .respond: InjectedAnswer.Parameter.allCases.map(\.rawValue)
        case .expire: ["of"]
        case .pause: ["gate"]
        }
    }
}
