import ShoalHTTP

/// The parameters of a query, decoded, in wire order, with duplicates kept.
///
/// Names are case-sensitive and of a repeated name the first value counts. Names and values are bytes that need not be
/// UTF-8; all lie in one buffer.
package struct QueryParameters: Sendable, RandomAccessCollection {
    private struct Item: Sendable {
        let name: Range<Int32>
        let value: Range<Int32>
    }

    private let bytes: [UInt8]
    private let items: [Item]

    /// A query without parameters.
    package init() { (bytes, items) = ([], []) }

    /// `query` is what follows the `?`, as sent; `target` is shown to a client whose escapes are broken.
    /// Throws 400 `InvalidURI`.
    package init(_ query: ArraySlice<UInt8>, of target: ArraySlice<UInt8>) throws(S3Error) {
        var bytes: [UInt8] = []
        var items: [Item] = []
        if !query.isEmpty {
            bytes.reserveCapacity(query.count)
            items.reserveCapacity(8)
        }
        var rest = query
        while !rest.isEmpty {
            let end = rest.firstIndex(of: UInt8(ascii: "&")) ?? rest.endIndex
            let piece = rest[..<end]
            rest = rest[Swift.min(end + 1, rest.endIndex)...]
            guard !piece.isEmpty else { continue }
            let equals = piece.firstIndex(of: UInt8(ascii: "=")) ?? piece.endIndex
            let start = Int32(bytes.count)
            guard PercentDecoding.append(piece[..<equals], to: &bytes) else { throw .invalidURI(target) }
            let middle = Int32(bytes.count)
            guard PercentDecoding.append(piece[Swift.min(equals + 1, piece.endIndex)...], to: &bytes) else {
                throw .invalidURI(target)
            }
            items.append(Item(name: start..<middle, value: middle..<Int32(bytes.count)))
        }
        self.bytes = bytes
        self.items = items
    }

    package var startIndex: Int { 0 }
    package var endIndex: Int { items.count }

    package subscript(position: Int) -> (name: ArraySlice<UInt8>, value: ArraySlice<UInt8>) {
        (slice(items[position].name), slice(items[position].value))
    }

    /// The first value of a parameter; empty if it stands there without one, nil if it does not.
    package func first(_ name: StaticString) -> ArraySlice<UInt8>? {
        for item in items where item.name.count == name.utf8CodeUnitCount && slice(item.name).hasPrefix(name) {
            return slice(item.value)
        }
        return nil
    }

    /// The first value whose name is `name` (in lower case) in any case: for parameters that act like headers.
    package func firstIgnoringCase(_ name: StaticString) -> ArraySlice<UInt8>? {
        for item in items
        where item.name.count == name.utf8CodeUnitCount && slice(item.name).hasPrefixIgnoringCase(name) {
            return slice(item.value)
        }
        return nil
    }

    package func has(_ name: StaticString) -> Bool { first(name) != nil }

    private func slice(_ range: Range<Int32>) -> ArraySlice<UInt8> {
        bytes[Int(range.lowerBound)..<Int(range.upperBound)]
    }
}

// MARK: - Integers

extension QueryParameters {
    /// The value of an integer parameter such as `max-keys`; nil if it is absent or empty.
    ///
    /// S3 takes an optional `-`, digits and leading zeros within 32 bits, and judges this before it reads a credential.
    /// Throws 400 `InvalidArgument`.
    package func integer(_ name: StaticString) throws(S3Error) -> Int? { try Int(first(name), named: name) }
}

extension Int {
    /// An integer of 32 bits in a parameter or header called `name`; nil if it is absent or empty.
    /// Throws 400 `InvalidArgument`.
    init?(_ value: ArraySlice<UInt8>?, named name: StaticString) throws(S3Error) {
        guard let value, !value.isEmpty else { return nil }
        guard let number = Int(digits: value), Int(Int32.min)...Int(Int32.max) ~= number else {
            throw .invalidArgument(
                "Provided \(name) not an integer or within integer range", name: "\(name)", value: value.text)
        }
        self = number
    }

    /// Refuses a negative count, as S3 does once it found the bucket. Throws 400 `InvalidArgument`.
    func checkNotNegative(named name: StaticString) throws(S3Error) {
        guard self < 0 else { return }
        throw .invalidArgument(
            "Argument \(name) must be an integer between 0 and 2147483647", name: "\(name)", value: "\(self)")
    }

    /// An optional `-` and digits, leading zeros among them; nil for anything else and beyond 64 bits.
    init?(digits: ArraySlice<UInt8>) {
        let isNegative = digits.first == UInt8(ascii: "-")
        let magnitude = isNegative ? digits.dropFirst() : digits
        guard !magnitude.isEmpty else { return nil }
        var value = 0
        for byte in magnitude {
            guard byte.isDigitASCII else { return nil }
            let (product, overflowed) = value.multipliedReportingOverflow(by: 10)
            let (sum, carried) = product.addingReportingOverflow(Int(byte - UInt8(ascii: "0")))
            guard !overflowed && !carried else { return nil }
            value = sum
        }
        self = isNegative ? -value : value
    }
}

extension S3Error {
    /// 400 for a target whose escapes or encoding are broken. Its query is left out: it may hold a signature.
    package static func invalidURI(_ target: ArraySlice<UInt8>) -> S3Error {
        let path = target.prefix { $0 != UInt8(ascii: "?") }
        return S3Error(.invalidURI, elements: [Element("URI", path.text)])
    }
}
