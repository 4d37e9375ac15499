/// What is kept with an object and returned as headers: six headers of HTTP, the website redirect and user metadata.
///
/// Held as the bytes the catalogue stores, so that reading an object decodes nothing: one version byte, then for each
/// field a tag, the length of the name (user metadata only), the length of the value, and both. Lengths are base 128,
/// least significant first.
/// https://docs.aws.amazon.com/AmazonS3/latest/userguide/UsingMetadata.html
package struct ObjectMetadata: Hashable, Sendable {
    /// The raw values are the tags of the stored form: never reuse one.
    package enum SystemField: UInt8, CaseIterable, Sendable {
        case contentType = 1
        case cacheControl = 2
        case contentDisposition = 3
        case contentEncoding = 4
        case contentLanguage = 5
        case expires = 6
        case websiteRedirectLocation = 7
    }

    /// What S3 stores where a client names no type.
    package static let defaultContentType: StaticString = "binary/octet-stream"

    private static let version: UInt8 = 1
    private static let userTag: UInt8 = 64

    private let encoded: [UInt8]

    /// An object of the default type and nothing more.
    package init() { encoded = [Self.version] }

    fileprivate init(encoded: [UInt8]) { self.encoded = encoded }

    /// The stored form; nil if it is of another version or damaged.
    package init?(decoding bytes: [UInt8]) {
        guard bytes.first == Self.version else { return nil }
        var reader = Reader(bytes)
        while let field = reader.next() {
            guard field.tag == Self.userTag || SystemField(rawValue: field.tag) != nil else { return nil }
        }
        guard reader.isAtEnd else { return nil }
        encoded = bytes
    }

    package func encode() -> [UInt8] { encoded }

    package func value(of field: SystemField) -> ArraySlice<UInt8>? {
        var reader = Reader(encoded)
        while let next = reader.next() {
            if next.tag == field.rawValue { return encoded[next.value] }
        }
        return nil
    }

    /// Names in lower case without `x-amz-meta-`, values in UTF-8, in the order of the request.
    package var userFields: [(name: ArraySlice<UInt8>, value: ArraySlice<UInt8>)] {
        var found: [(name: ArraySlice<UInt8>, value: ArraySlice<UInt8>)] = []
        var reader = Reader(encoded)
        while let next = reader.next() {
            if next.tag == Self.userTag { found.append((encoded[next.name], encoded[next.value])) }
        }
        return found
    }
}

// MARK: - Making

extension ObjectMetadata {
    /// Gathers fields; system fields first, then user metadata.
    package struct Builder {
        private var encoded = [ObjectMetadata.version]

        package init() {}

        /// Sets a field that was not set before. The value must hold no control characters.
        package mutating func set(_ field: SystemField, _ value: ArraySlice<UInt8>) {
            encoded.append(field.rawValue)
            encoded.appendLength(value.count)
            encoded += value
        }

        /// Adds one entry of user metadata: a lower-case token and text in UTF-8.
        package mutating func addUserField(_ name: ArraySlice<UInt8>, _ value: ArraySlice<UInt8>) {
            encoded.append(ObjectMetadata.userTag)
            encoded.appendLength(name.count)
            encoded.appendLength(value.count)
            encoded += name
            encoded += value
        }

        package func build() -> ObjectMetadata { ObjectMetadata(encoded: encoded) }
    }

    /// With another value for one field, or without it: a copy does not take the website redirect along.
    package func setting(_ field: SystemField, to value: ArraySlice<UInt8>?) -> ObjectMetadata {
        var builder = Builder()
        if let value { builder.set(field, value) }
        var reader = Reader(encoded)
        while let next = reader.next() {
            if let system = SystemField(rawValue: next.tag) {
                if system != field { builder.set(system, encoded[next.value]) }
            } else {
                builder.addUserField(encoded[next.name], encoded[next.value])
            }
        }
        return builder.build()
    }
}

// MARK: - Response headers

extension ObjectMetadata {
    /// Appends the header lines of a GET or HEAD, each with CRLF: the type always, the rest if it is set. What
    /// `overrides` holds replaces the stored value.
    package func appendFieldLines(to bytes: inout [UInt8], overrides: ResponseOverrides = ResponseOverrides()) {
        if !overrides.has(.contentType), value(of: .contentType) == nil {
            bytes.appendFieldLine("Content-Type", Self.defaultContentType)
        }
        var reader = Reader(encoded)
        while let next = reader.next() {
            if let field = SystemField(rawValue: next.tag) {
                if !overrides.has(field) { bytes.appendFieldLine(field.headerName, encoded[next.value]) }
            } else {
                bytes.append("x-amz-meta-")
                bytes += encoded[next.name]
                bytes.append(": ")
                EncodedWord.append(encoded[next.value], to: &bytes)
                bytes.append("\r\n")
            }
        }
        for (field, value) in overrides.values { bytes.appendFieldLine(field.headerName, value[...]) }
    }

    /// Appends the lines that a 304 repeats (RFC 9110 §15.4.5).
    package func appendNotModifiedFieldLines(to bytes: inout [UInt8]) {
        for field in [SystemField.cacheControl, .expires] {
            if let value = value(of: field) { bytes.appendFieldLine(field.headerName, value) }
        }
    }
}

extension ObjectMetadata.SystemField {
    package var headerName: StaticString {
        switch self {
        case .contentType: "Content-Type"
        case .cacheControl: "Cache-Control"
        case .contentDisposition: "Content-Disposition"
        case .contentEncoding: "Content-Encoding"
        case .contentLanguage: "Content-Language"
        case .expires: "Expires"
        case .websiteRedirectLocation: "x-amz-website-redirect-location"
        }
    }
}

// MARK: - The stored form

extension ObjectMetadata {
    /// Walks over the fields; ends early where the bytes make no sense.
    private struct Reader {
        private let bytes: [UInt8]
        private var index = 1

        init(_ bytes: [UInt8]) { self.bytes = bytes }

        var isAtEnd: Bool { index == bytes.count }

        mutating func next() -> (tag: UInt8, name: Range<Int>, value: Range<Int>)? {
            guard index < bytes.count else { return nil }
            let start = index
            let tag = bytes[index]
            index += 1
            guard let nameCount = tag == ObjectMetadata.userTag ? length() : 0, let valueCount = length(),
                nameCount + valueCount <= bytes.count - index
            else {
                index = start
                return nil
            }
            let name = index..<(index + nameCount)
            let value = name.upperBound..<(name.upperBound + valueCount)
            index = value.upperBound
            return (tag, name, value)
        }

        /// Up to 28 bits; nil beyond, and at the end of the bytes.
        private mutating func length() -> Int? {
            var value = 0
            for shift in stride(from: 0, to: 28, by: 7) {
                guard index < bytes.count else { return nil }
                let byte = bytes[index]
                index += 1
                value |= Int(byte & 0x7F) << shift
                if byte < 0x80 { return value }
            }
            return nil
        }
    }
}

extension [UInt8] {
    fileprivate mutating func appendLength(_ length: Int) {
        precondition(length < 1 << 28)
        var rest = length
        while rest >= 0x80 {
            append(UInt8(rest & 0x7F) | 0x80)
            rest >>= 7
        }
        append(UInt8(rest))
    }
}

extension [UInt8] {
    /// The bytes of a word known when compiling.
    mutating func append(_ text: StaticString) {
        append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// `name: value` CRLF; the value must hold no control characters.
    mutating func appendFieldLine(_ name: StaticString, _ value: ArraySlice<UInt8>) {
        append(name)
        append(": ")
        append(contentsOf: value)
        append("\r\n")
    }

    mutating func appendFieldLine(_ name: StaticString, _ value: StaticString) {
        append(name)
        append(": ")
        append(value)
        append("\r\n")
    }
}
