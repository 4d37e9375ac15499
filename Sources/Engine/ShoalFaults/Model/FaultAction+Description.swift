extension FaultAction.Name {
    /// The effect in one sentence, for the self-description under `/actions`.
    package var effect: String {
        switch self {
        case .refuse: "the port answers every SYN with RST, for a time or as long as the rule is there"
        case .connectHang: "the port answers no SYN, so that connecting times out"
        case .connectionLimit: "a connection above a number of open ones is reset, closed, answered 503 or left waiting"
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
        case .wrongETag: "the answer's ETag is another one's"
        case .wrongChecksumHeader: "the answer's checksum is another one's"
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
        case .revoke: "the access key is unknown from now on"
        case .pin: "a signature counts as made for these values, and a request with others is refused"
        case .quota: "requests above a number of them, or of their bytes, in a time are refused"
        case .pause: "wait until a gate is released"
        case .loseWrite: "answered as stored, and thrown away"
        case .tornWrite: "only the beginning is stored"
        case .corruptStored: "other bytes are stored than were sent"
        case .corruptRead: "other bytes are sent than are stored"
        case .duplicate: "the request is applied several times"
        case .zombie: "RST, and the commit comes later"
        case .visibility: "stored, and for a while reads find what was there before"
        case .staleRead: "the read finds an earlier version"
        case .diskFull: "the disk is full"
        case .ioError: "a system call on a file fails"
        case .slowDisk: "the disk takes its time"
        case .crash: "the server ends as if it were killed"
        case .tlsHang: "silence in place of a ServerHello"
        case .tlsClose: "FIN in place of a ServerHello"
        case .tlsAlert: "a fatal alert in place of a ServerHello"
        case .tlsCert: "a certificate that clients must refuse"
        case .tlsTruncate: "FIN without the close_notify of TLS"
        }
    }

    /// The parameters' names, as the JSON form spells them.
    package var parameters: [String] {
        switch self {
        case .reset, .close, .blackhole, .abandon, .dropAll, .missingTerminator, .duplicateResponse: []
        case .wrongETag, .wrongChecksumHeader, .loseWrite: []
        case .tlsHang, .tlsClose, .tlsTruncate: []
        case .tlsAlert: ["code"]
        case .tlsCert: ["fault"]
        case .tornWrite: ["at"]
        case .corruptStored, .corruptRead: ["at", "xor", "count"]
        case .duplicate: ["times", "everyMs"]
        case .zombie: ["afterMs"]
        case .visibility: ["forMs", "reads", "of"]
        case .staleRead: ["versions"]
        case .diskFull: ["after", "status"]
        case .ioError: ["error", "step", "after"]
        case .slowDisk: ["opMs", "rate", "syncMs"]
        case .crash: ["restartMs", "forgetUnsynced"]
        case .refuse, .connectHang, .hang: ["ms"]
        case .connectionLimit: ["max", "then"]
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
        case .revoke: []
        case .pin: ["contentType", "contentLength", "checksum"]
        case .quota: ["requests", "bytes", "then"]
        case .pause: ["gate"]
        }
    }
}
