/// Why a text is no rule: where, what, and the nearest valid name where a name is wrong.
package struct RuleError: Error, Equatable, Sendable, CustomStringConvertible {
    package enum Place: Equatable, Sendable {
        /// Of a one-line rule, in characters from 1.
        case column(Int)
        /// Of a file with a rule on each line, both from 1.
        case line(Int, column: Int)
        /// Of JSON, RFC 6901; empty for the whole.
        case pointer(String)
    }

    package let place: Place
    package let message: String

    package init(_ place: Place, _ message: String) {
        self.place = place
        self.message = message
    }

    package var description: String {
        switch place {
        case .column(let column): "column \(column): \(message)"
        case .line(let line, let column): "line \(line), column \(column): \(message)"
        case .pointer(""): "the document: \(message)"
        case .pointer(let pointer): "\(pointer): \(message)"
        }
    }

    /// `no point is called 'commit.aftr'; the nearest is 'commit.after'`
    static func unknown(_ what: String, _ name: String, among names: [String]) -> String {
        let hint = NearestName.of(name, among: names).map { "; the nearest is '\($0)'" } ?? ""
        return "no \(what) is called '\(name)'\(hint)"
    }
}

extension FaultPoint {
    /// What people write for a point that takes a position.
    static func named(_ name: String) -> FaultPoint? {
        switch name {
        case "body": .bodyAt
        case "response": .responseAt
        default: FaultPoint(rawValue: name)
        }
    }

    static var names: [String] { allCases.map(\.rawValue) }
}

extension BytePosition {
    private static let units: [(suffix: String, bytes: UInt64)] = [
        ("KiB", 1_024), ("MiB", 1_048_576), ("GiB", 1 << 30),
    ]

    /// `50%`, `1048576`, `1MiB`, `-1`, `random`; nil for anything else. `percent` above 100 is left to validation.
    init?(_ text: some StringProtocol) {
        if text == "random" {
            self = .random
        } else if text.hasSuffix("%") {
            guard let share = Self.digits(text.dropLast()), share <= 255 else { return nil }
            self = .percent(UInt8(share))
        } else if text.hasPrefix("-") {
            guard let count = Self.digits(text.dropFirst()) else { return nil }
            self = .fromEnd(count)
        } else if let unit = Self.units.first(where: { text.hasSuffix($0.suffix) }) {
            guard let count = Self.digits(text.dropLast(3)), count <= UInt64(Int64.max) / unit.bytes else { return nil }
            self = .bytes(count * unit.bytes)
        } else {
            guard let count = Self.digits(text), count <= UInt64(Int64.max) else { return nil }
            self = .bytes(count)
        }
    }

    var text: String {
        switch self {
        case .bytes(let count): String(count)
        case .percent(let share): "\(share)%"
        case .fromEnd(let count): "-\(count)"
        case .random: "random"
        }
    }

    /// Digits only: Swift's own initializer takes a sign as well.
    static func digits(_ text: some StringProtocol) -> UInt64? {
        text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ? UInt64(text) : nil
    }
}
