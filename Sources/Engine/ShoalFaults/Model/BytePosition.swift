/// Where in a body a rule strikes: `1048576`, `50%`, `random`, or `-1`, which is before the last byte.
package enum BytePosition: Hashable, Sendable {
    /// After so many bytes.
    case bytes(UInt64)
    /// 0 to 100 hundredths of the body, rounded down to a byte.
    case percent(UInt8)
    /// So many bytes, at least 1, before the end.
    case fromEnd(UInt64)
    /// Before a byte that chance gives, each alike.
    case random

    /// Why no byte can be there, in words; nil if one can.
    var flaw: String? {
        switch self {
        case .percent(let share) where share > 100: "\(share)% is more than the whole"
        case .fromEnd(0): "-0 is no position; -1 is before the last byte"
        case .bytes, .percent, .fromEnd, .random: nil
        }
    }

    /// Bytes that have passed when the position is reached in a body of `length` bytes; `u` is what chance says, in parts
    /// of 2^64.
    ///
    /// Nil if the body is shorter than that, or if the position needs a length and none is known (a chunked body).
    package func offset(in length: UInt64?, u: UInt64) -> UInt64? {
        switch self {
        case .random: return length.map { $0.multipliedFullWidth(by: u).high }
        case .bytes(let count):
            guard let length else { return count }
            return count <= length ? count : nil
        case .percent(let share):
            // In two terms, so that no length overflows.
            return length.map { $0 / 100 * UInt64(share) + $0 % 100 * UInt64(share) / 100 }
        case .fromEnd(let count):
            guard let length, count <= length else { return nil }
            return length - count
        }
    }
}

/// A point, with its position where it takes one: the `@` part of a rule.
package struct FaultSite: Hashable, Sendable {
    package let point: FaultPoint
    /// Set for exactly the points that take one, once a rule is validated.
    package let position: BytePosition?

    package init(_ point: FaultPoint, _ position: BytePosition? = nil) {
        self.point = point
        self.position = position
    }
}
