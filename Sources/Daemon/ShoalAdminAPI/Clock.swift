import ShoalFaults
import ShoalJSON

/// `GET …/scopes/{s}/clock`, and the answer to a change of it.
package struct ClockState: AdminMessage, Equatable {
    /// ISO 8601 in UTC: the scope's idea of now.
    package let now: String
    /// The machine's.
    package let real: String
    /// How far `now` is ahead, as in a change: `+20m`, `-1m30s`, `+0ms`.
    package let offset: String
    /// The same in milliseconds.
    package let offsetMs: Int64
    package let frozen: Bool

    package init(now: String, real: String, offset: String, offsetMs: Int64, frozen: Bool) {
        self.now = now
        self.real = real
        self.offset = offset
        self.offsetMs = offsetMs
        self.frozen = frozen
    }

    package init(_ reader: MessageReader) throws(MalformedMessage) {
        now = try reader.required("now").string()
        real = try reader.required("real").string()
        offset = try reader.required("offset").string()
        offsetMs = try reader.required("offsetMs").integer()
        frozen = try reader.required("frozen").bool()
    }

    package var json: JSON {
        [
            "now": .string(now), "real": .string(real), "offset": .string(offset), "offsetMs": .integer(offsetMs),
            "frozen": .bool(frozen),
        ]
    }
}

/// `PUT …/scopes/{s}/clock`: exactly one member says what happens to the scope's time.
///
/// What the command line sends. The server reads more than that: lengths of time as text, such as `"+20m"`.
package enum ClockChange: AdminMessage, Equatable {
    /// `{"offset": ms}`: that far from the machine's clock, and running; 0 is the machine's own time.
    case offset(milliseconds: Int64)
    /// `{"now": "2026-03-14T15:09:26Z"}`: this instant, and running from it.
    case now(String)
    /// `{"freeze": true}`, or `{"freeze": "2026-…"}` to stand still at that instant.
    case freeze(at: String?)
    /// `{"freeze": false}`: runs on from where it stands.
    case resume
    /// `{"advance": ms}`: forwards, running or frozen as before.
    case advance(milliseconds: Int64)

    package init(_ reader: MessageReader) throws(MalformedMessage) {
        try reader.allow(["offset", "now", "freeze", "advance"])
        let members = try reader.members()
        guard let (name, member) = members.first, members.count == 1 else {
            throw reader.flaw("give exactly one of offset, now, freeze and advance")
        }
        switch name {
        case "offset": self = .offset(milliseconds: try member.integer())
        case "now": self = .now(try member.string())
        case "advance": self = .advance(milliseconds: try member.integer())
        default:
            if case .bool(let stands) = member.value {
                self = stands ? .freeze(at: nil) : .resume
            } else {
                self = .freeze(at: try member.string())
            }
        }
    }

    package var json: JSON {
        switch self {
        case .offset(let milliseconds): ["offset": .integer(milliseconds)]
        case .now(let instant): ["now": .string(instant)]
        case .freeze(nil): ["freeze": true]
        case .freeze(let instant?): ["freeze": .string(instant)]
        case .resume: ["freeze": false]
        case .advance(let milliseconds): ["advance": .integer(milliseconds)]
        }
    }
}
