import ShoalHTTP

/// The query of a request in wire order, duplicates kept, names and values still encoded.
///
/// Names are case-sensitive, and of a repeated parameter S3 reads the first.
struct QueryParameters {
    struct Parameter {
        let name: Range<Int>
        let value: Range<Int>
        /// Neither part holds `%` or `+`, so that the wire form is the value.
        let isPlain: Bool
    }

    /// The request head that the ranges point into.
    private let bytes: [UInt8]
    let list: [Parameter]

    init(_ head: RequestHead) {
        bytes = head.bytes
        let query = head.query
        var list: [Parameter] = []
        guard !query.isEmpty else {
            self.list = list
            return
        }
        list.reserveCapacity(12)
        var start = query.startIndex
        var equals: Int?
        var isPlain = true
        for index in query.startIndex...query.endIndex {
            if index == query.endIndex || bytes[index] == UInt8(ascii: "&") {
                if index > start {
                    let nameEnd = equals ?? index
                    list.append(
                        Parameter(name: start..<nameEnd, value: min(nameEnd + 1, index)..<index, isPlain: isPlain))
                }
                (start, equals, isPlain) = (index + 1, nil, true)
            } else if bytes[index] == UInt8(ascii: "=") {
                if equals == nil { equals = index }
            } else if bytes[index] == UInt8(ascii: "%") || bytes[index] == UInt8(ascii: "+") {
                isPlain = false
            }
        }
        self.list = list
    }

    func name(_ parameter: Parameter) -> ArraySlice<UInt8> {
        parameter.isPlain ? bytes[parameter.name] : PercentEncoding.decoded(bytes[parameter.name])[...]
    }

    func value(_ parameter: Parameter) -> ArraySlice<UInt8> {
        parameter.isPlain ? bytes[parameter.value] : PercentEncoding.decoded(bytes[parameter.value])[...]
    }

    func isNamed(_ parameter: Parameter, _ name: StaticString) -> Bool {
        // Escapes in a value say nothing about the name, and decoding never makes a text longer.
        if parameter.name.count < name.utf8CodeUnitCount { return false }
        if bytes[parameter.name].equals(name) { return true }
        return !parameter.isPlain && self.name(parameter).equals(name)
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
        name.withUTF8Buffer { name in
            list.first { isNamedIgnoringCase($0, name) }.map(value)
        }
    }

    /// The decoded values of all parameters called `name`, which is in lower case, in any case.
    func allIgnoringCase(_ name: some Collection<UInt8>) -> [ArraySlice<UInt8>] {
        list.filter { isNamedIgnoringCase($0, name) }.map(value)
    }

    /// Decodes as it compares: a long list of signed headers asks this of every parameter.
    private func isNamedIgnoringCase(_ parameter: Parameter, _ name: some Collection<UInt8>) -> Bool {
        guard parameter.name.count >= name.count else { return false }
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

// MARK: - The canonical query

extension QueryParameters {
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
