/// An instant in milliseconds since 1970-01-01T00:00:00Z, as S3 keeps times. Pure: it knows no clock.
package struct Timestamp: Hashable, Comparable, Sendable {
    package let milliseconds: Int64

    package init(milliseconds: Int64) { self.milliseconds = milliseconds }

    package init(seconds: Int64) { milliseconds = seconds * 1_000 }

    /// Whole seconds, rounded towards the past.
    package var seconds: Int64 { (milliseconds - (milliseconds % 1_000 + 1_000) % 1_000) / 1_000 }

    /// The second it is in.
    package var wholeSecond: Timestamp { Timestamp(seconds: seconds) }

    package static func < (left: Timestamp, right: Timestamp) -> Bool { left.milliseconds < right.milliseconds }

    package func adding(milliseconds more: Int64) -> Timestamp { Timestamp(milliseconds: milliseconds + more) }

    package func adding(seconds more: Int64) -> Timestamp { adding(milliseconds: more * 1_000) }
}
