import ShoalHTTP

/// The query of a request in wire order, duplicates kept, names and values still encoded.
///
/// Names are case-sensitive, and of a repeated parameter S3 reads the first.
struct RawQuery {
    struct Parameter {
        let name: Range<Int>
        let value: Range<Int>
        /// The name holds neither `%` nor `+`, so that the wire form is the name.
        let isNamePlain: Bool
        /// The same of the value.
        let isValuePlain: Bool
    }

    /// The request head that the ranges point into.
    private let bytes: [UInt8]
    let list: [Parameter]

    init(_ head: RequestHead) {
        bytes = head.bytes
        list = Self.parse(head.bytes, head.query.indices)
    }

    private static func parse(_ bytes: [UInt8], _ query: Range<Int>) -> [Parameter] {
        var list: [Parameter] = []
        guard !query.isEmpty else { return list }
        list.reserveCapacity(12)
        bytes.withUnsafeBufferPointer { bytes in
            var start = query.lowerBound
            while start < query.upperBound {
                var index = start
                let isNamePlain = skip(bytes, &index, query.upperBound, untilEquals: true)
                let name = start..<index
                if index < query.upperBound, bytes[index] == UInt8(ascii: "=") { index += 1 }
                let valueStart = index
                let isValuePlain = skip(bytes, &index, query.upperBound, untilEquals: false)
                if index > start {
                    list.append(
                        Parameter(
                            name: name, value: valueStart..<index, isNamePlain: isNamePlain,
                            isValuePlain: isValuePlain))
                }
                start = index + 1
            }
        }
        return list
    }

    /// Moves to the next `&`, or to a `=` that comes first if asked to; whether nothing on the way needs decoding.
    private static func skip(
        _ bytes: UnsafeBufferPointer<UInt8>, _ index: inout Int, _ end: Int, untilEquals: Bool
    ) -> Bool {
        var isPlain = true
        while index < end {
            switch bytes[index] {
            case UInt8(ascii: "&"): return isPlain
            case UInt8(ascii: "=") where untilEquals: return isPlain
            case UInt8(ascii: "%"), UInt8(ascii: "+"): isPlain = false
            default: break
            }
            index += 1
        }
        return isPlain
    }

    func name(_ parameter: Parameter) -> ArraySlice<UInt8> {
        parameter.isNamePlain ? bytes[parameter.name] : PercentEncoding.decoded(bytes[parameter.name])[...]
    }

    func value(_ parameter: Parameter) -> ArraySlice<UInt8> {
        parameter.isValuePlain ? bytes[parameter.value] : PercentEncoding.decoded(bytes[parameter.value])[...]
    }

    func isNamed(_ parameter: Parameter, _ name: StaticString) -> Bool {
        guard parameter.isNamePlain else { return self.name(parameter).equals(name) }
        return parameter.name.count == name.utf8CodeUnitCount && bytes[parameter.name].equals(name)
    }

    /// The decoded value of the first parameter called `name`.
    func first(_ name: StaticString) -> ArraySlice<UInt8>? {
        for parameter in list where isNamed(parameter, name) { return value(parameter) }
        return nil
    }

    func count(of name: StaticString) -> Int { list.count { isNamed($0, name) } }

    func contains(_ name: StaticString) -> Bool { list.contains { isNamed($0, name) } }

    /// The decoded value of the first parameter called `name`, which is in lower case, in any case.
    func firstIgnoringCase(_ name: StaticString) -> ArraySlice<UInt8>? {
        let wanted = UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
        for parameter in list where isNamedIgnoringCase(parameter, wanted) { return value(parameter) }
        return nil
    }

    /// The decoded values of all parameters called `name`, which is in lower case, in any case.
    func allIgnoringCase(_ name: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
        name.withUnsafeBufferPointer { name in
            list.filter { isNamedIgnoringCase($0, name) }.map(value)
        }
    }

    /// Decodes as it compares: a long list of signed headers asks this of every parameter.
    private func isNamedIgnoringCase(_ parameter: Parameter, _ name: UnsafeBufferPointer<UInt8>) -> Bool {
        guard parameter.name.count == name.count || !parameter.isNamePlain && parameter.name.count > name.count else {
            return false
        }
        return bytes.withUnsafeBufferPointer { bytes in
            var index = parameter.name.lowerBound
            for wanted in name {
                guard index < parameter.name.upperBound else { return false }
                let (byte, width) = PercentEncoding.decodedByte(bytes, at: index, before: parameter.name.upperBound)
                guard byte.lowercasedASCII == wanted else { return false }
                index += width
            }
            return index == parameter.name.upperBound
        }
    }
}

// MARK: - The canonical query

extension RawQuery {
    /// Every parameter but `omitted`, decoded once, encoded again, sorted by encoded name and then by encoded value.
    func appendCanonical(omitting omitted: StaticString?, to buffer: inout [UInt8]) {
        let start = buffer.count
        var pairs: [EncodedPair] = []
        pairs.reserveCapacity(list.count)
        var isSorted = true
        for parameter in list {
            if let omitted, isNamed(parameter, omitted) { continue }
            if !pairs.isEmpty { buffer.append(UInt8(ascii: "&")) }
            let nameStart = buffer.count
            PercentEncoding.appendCanonical(bytes, parameter.name, keepingSlash: false, to: &buffer)
            buffer.append(UInt8(ascii: "="))
            let valueStart = buffer.count
            PercentEncoding.appendCanonical(bytes, parameter.value, keepingSlash: false, to: &buffer)
            let pair = EncodedPair(name: nameStart..<(valueStart - 1), value: valueStart..<buffer.count)
            if let last = pairs.last, pair.precedes(last, in: buffer) { isSorted = false }
            pairs.append(pair)
        }
        guard !isSorted else { return }
        let unsorted = buffer
        pairs.sort { $0.precedes($1, in: unsorted) }
        buffer.removeSubrange(start...)
        for (position, pair) in pairs.enumerated() {
            if position > 0 { buffer.append(UInt8(ascii: "&")) }
            buffer.append(contentsOf: unsorted[pair.name.lowerBound..<pair.value.upperBound])
        }
    }

    private struct EncodedPair {
        let name: Range<Int>
        let value: Range<Int>

        func precedes(_ other: EncodedPair, in buffer: [UInt8]) -> Bool {
            switch compare(buffer, name, other.name) {
            case 0: compare(buffer, value, other.value) < 0
            case let order: order < 0
            }
        }

        /// Negative, zero or positive as `left` sorts before, with or after `right`.
        private func compare(_ buffer: [UInt8], _ left: Range<Int>, _ right: Range<Int>) -> Int {
            for offset in 0..<min(left.count, right.count) {
                let (one, two) = (buffer[left.lowerBound + offset], buffer[right.lowerBound + offset])
                if one != two { return one < two ? -1 : 1 }
            }
            return left.count - right.count
        }
    }
}
