/// `GET …/scopes/{s}/clock`, and the answer to a change of it.
package struct ClockState: Codable, Sendable, Equatable {
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
}

/// `PUT …/scopes/{s}/clock`: exactly one member says what happens to the scope's time.
///
/// What the command line sends. The server reads more than that: lengths of time as text, such as `"+20m"`.
package enum ClockChange: Sendable, Equatable, Codable {
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

    private enum Member: String, CodingKey, CaseIterable {
        case offset, now, freeze, advance
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Member.self)
        guard container.allKeys.count == 1, let member = container.allKeys.first else {
            throw DecodingError.dataCorrupted(
                .init(
                    codingPath: container.codingPath,
                    debugDescription: "give exactly one of offset, now, freeze and advance"))
        }
        switch member {
        case .offset: self = .offset(milliseconds: try container.decode(Int64.self, forKey: .offset))
        case .now: self = .now(try container.decode(String.self, forKey: .now))
        case .advance: self = .advance(milliseconds: try container.decode(Int64.self, forKey: .advance))
        case .freeze:
            if let stands = try? container.decode(Bool.self, forKey: .freeze) {  // else it has to be an instant
                self = stands ? .freeze(at: nil) : .resume
            } else {
                self = .freeze(at: try container.decode(String.self, forKey: .freeze))
            }
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Member.self)
        switch self {
        case .offset(let milliseconds): try container.encode(milliseconds, forKey: .offset)
        case .now(let instant): try container.encode(instant, forKey: .now)
        case .freeze(nil): try container.encode(true, forKey: .freeze)
        case .freeze(let instant?): try container.encode(instant, forKey: .freeze)
        case .resume: try container.encode(false, forKey: .freeze)
        case .advance(let milliseconds): try container.encode(milliseconds, forKey: .advance)
        }
    }
}
