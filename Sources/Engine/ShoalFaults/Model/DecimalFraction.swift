/// A number from 0 on with up to nine digits behind the point, kept exactly: what rules write as `0.1` or `12.5%`.
package struct DecimalFraction: Hashable, Comparable, Sendable {
    package static let one = DecimalFraction(billionths: 1_000_000_000)
    /// A million, beyond which no parameter of a rule makes sense.
    package static let max = DecimalFraction(billionths: 1_000_000_000_000_000)
    private static let digitCountMax = 9

    package let billionths: UInt64

    package init(billionths: UInt64) { self.billionths = billionths }

    /// `0.8`, `3`; nil for anything else, for more than nine digits behind the point and for more than a million.
    package init?(_ text: some StringProtocol) {
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard let whole = parts.first, !whole.isEmpty, let units = BytePosition.digits(whole), units <= 1_000_000 else {
            return nil
        }
        var rest: UInt64 = 0
        if parts.count == 2 {
            guard (1...Self.digitCountMax).contains(parts[1].utf8.count), let digits = BytePosition.digits(parts[1])
            else { return nil }
            rest = (parts[1].utf8.count..<Self.digitCountMax).reduce(digits) { number, _ in number * 10 }
        }
        self.init(billionths: units * Self.one.billionths + rest)
        guard self <= .max else { return nil }
    }

    /// The nearest to `value`; nil for a negative number and for more than a million.
    package init?(_ value: Double) {
        guard value >= 0, value <= 1_000_000 else { return nil }
        self.init(billionths: UInt64((value * 1e9).rounded()))
    }

    /// `10`, `2.5`, in hundredths; nil if it needs more than nine digits as a share.
    package init?(percent text: some StringProtocol) {
        guard let percent = Self(text), percent.billionths.isMultiple(of: 100) else { return nil }
        self.init(billionths: percent.billionths / 100)
    }

    package static func < (left: DecimalFraction, right: DecimalFraction) -> Bool {
        left.billionths < right.billionths
    }

    /// The same in hundredths.
    package var percentText: String { DecimalFraction(billionths: billionths * 100).text }

    package var value: Double { Double(billionths) / 1e9 }

    /// The shortest text that reads back: `0.8`, `3`.
    package var text: String {
        let (units, rest) = billionths.quotientAndRemainder(dividingBy: Self.one.billionths)
        guard rest != 0 else { return String(units) }
        var digits = String(rest + Self.one.billionths).dropFirst()
        while digits.last == "0" { digits = digits.dropLast() }
        return "\(units).\(digits)"
    }
}
