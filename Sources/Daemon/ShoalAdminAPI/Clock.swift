/// `GET …/scopes/{s}/clock`, and the answer to a change of it.
package struct ClockState: Codable, Sendable, Equatable {
    /// ISO 8601 in UTC: the scope's idea of now.
    package let now: String
    /// Milliseconds ahead of the machine's clock, negative when behind.
    package let offset: Int64
    package let frozen: Bool

    package init(now: String, offset: Int64, frozen: Bool) {
        self.now = now
        self.offset = offset
        self.frozen = frozen
    }
}

/// `PUT …/scopes/{s}/clock`: exactly one member says what happens to the scope's time.
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
