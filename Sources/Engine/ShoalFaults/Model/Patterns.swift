/// One of several globs, or none of them: what a text field of a matcher asks for.
package struct TextPattern: Hashable, Sendable {
    package static let alternativeCountMax = 64

    /// At least one.
    package let alternatives: [Glob]
    /// Whether the field must fit none of them. An absent field fits none.
    package let isNegated: Bool

    package init(_ alternatives: [Glob], isNegated: Bool = false) {
        precondition(!alternatives.isEmpty)
        self.alternatives = alternatives
        self.isNegated = isNegated
    }

    /// The field must not be there at all.
    package static let absent = TextPattern([.anything], isNegated: true)

    package func matches(_ text: ArraySlice<UInt8>?) -> Bool {
        guard let text else { return isNegated }
        return alternatives.contains { $0.matches(text) } != isNegated
    }
}

/// What a numeric field of a matcher asks for.
package enum NumberPattern: Hashable, Sendable {
    /// At least one number.
    case oneOf([UInt64])
    /// Strictly between; nil is no bound, and at least one is given.
    case between(above: UInt64?, below: UInt64?)

    /// An absent number matches nothing.
    package func matches(_ number: UInt64?) -> Bool {
        guard let number else { return false }
        switch self {
        case .oneOf(let numbers): return numbers.contains(number)
        case .between(let above, let below):
            return above.map { number > $0 } ?? true && below.map { number < $0 } ?? true
        }
    }

    /// Whether no number can match.
    package var isEmpty: Bool {
        switch self {
        case .oneOf(let numbers): numbers.isEmpty
        case .between(_, below: 0): true
        case .between(let above?, let below?): below <= above || below - above == 1
        case .between(let above, _): above == .max
        }
    }
}

/// What is asked of an age: strictly between two, in milliseconds; nil is no bound, and at least one is given.
package struct AgePattern: Hashable, Sendable {
    package let above: Int64?
    package let below: Int64?

    package init(above: Int64?, below: Int64?) {
        self.above = above
        self.below = below
    }

    /// An unknown age matches nothing.
    package func matches(_ milliseconds: Int64?) -> Bool {
        guard let milliseconds else { return false }
        return above.map { milliseconds > $0 } ?? true && below.map { milliseconds < $0 } ?? true
    }

    /// Whether no age can match.
    package var isEmpty: Bool {
        guard let above, let below else { return false }
        return below - above <= 1
    }
}
