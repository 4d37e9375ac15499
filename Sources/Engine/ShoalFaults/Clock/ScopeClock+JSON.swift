import ShoalJSON
import ShoalLog
import ShoalS3

extension ScopeClock.Change {
    /// Reads `{"offset":"+20m"|ms}`, `{"now":ISO}`, `{"freeze":true|false|ISO}` or `{"advance":"1h"|ms}`.
    package init(json: JSON) throws(RuleError) {
        let root = JSONCursor(json)
        let members = try root.members(of: "a clock change", among: ["offset", "now", "freeze", "advance"])
        guard let (name, cursor) = members.first, members.count == 1 else {
            throw root.flaw("one of 'offset', 'now', 'freeze' and 'advance' is due here")
        }
        switch name {
        case "offset": self = .offset(try Self.span(cursor))
        case "advance": self = .advance(try Self.span(cursor))
        case "now": self = .now(try Self.instant(cursor))
        default:
            if case .bool(let stands) = cursor.value {
                self = stands ? .freeze(at: nil) : .thaw
            } else {
                self = .freeze(at: try Self.instant(cursor))
            }
        }
    }

    private static func span(_ cursor: JSONCursor) throws(RuleError) -> Int64 {
        if case .integer(let milliseconds) = cursor.value, milliseconds.magnitude <= DurationText.millisecondsMax {
            return milliseconds
        }
        guard case .string(let text) = cursor.value, let milliseconds = DurationText.milliseconds(text, signed: true)
        else {
            throw cursor.flaw("a span is due here: milliseconds, or text such as \"+20m\", \"-90s\" or \"1h30m\"")
        }
        return milliseconds
    }

    private static func instant(_ cursor: JSONCursor) throws(RuleError) -> Timestamp {
        guard case .string(let text) = cursor.value, let instant = ScopeClock.instant(text) else {
            throw cursor.flaw("an instant is due here, such as \"2026-02-03T04:05:06Z\"")
        }
        return instant
    }
}

extension ScopeClock.Reading {
    /// `{"now","real","offset","offsetMs","frozen"}`.
    package var json: JSON {
        [
            "now": .string(now.iso8601),
            "real": .string(real.iso8601),
            "offset": .string((offset >= 0 ? "+" : "") + DurationText.text(milliseconds: offset)),
            "offsetMs": .integer(offset), "frozen": .bool(isFrozen),
        ]
    }
}

extension ScopeClock {
    /// An instant as people write it: ISO 8601, or S3's `20260314T150926Z`. Nil for anything else, and before 1970, where
    /// no date of HTTP can be. A day alone is none: midnight is rarely what was meant.
    package static func instant(_ text: String) -> Timestamp? {
        guard text.contains("T"), let instant = Timestamp(iso8601: text) ?? Timestamp(amzDate: text),
            instant.milliseconds >= 0
        else {
            return nil
        }
        return instant
    }
}

extension ScopeClock {
    /// For the process that takes this one's place: the instant at which it stands, or how far it is ahead.
    package var handover: JSON {
        let reading = reading(real: Timestamp(milliseconds: SystemClock.wallMilliseconds()))
        return reading.isFrozen
            ? ["frozen": .integer(reading.now.milliseconds)] : ["offset": .integer(reading.offset)]
    }

    /// Goes on as `handover` says.
    package func resume(_ json: JSON) {
        let real = Timestamp(milliseconds: SystemClock.wallMilliseconds())
        if case .integer(let instant)? = json["frozen"] {
            apply(.freeze(at: Timestamp(milliseconds: instant)), real: real)
        } else if case .integer(let offset)? = json["offset"] {
            apply(.offset(offset), real: real)
        }
    }
}
