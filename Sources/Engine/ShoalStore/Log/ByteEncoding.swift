/// Numbers of variable length, seven bits a byte with the lowest first, as in LEB128.
extension [UInt8] {
    mutating func append(varying value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        append(UInt8(truncatingIfNeeded: rest))
    }

    mutating func append(fixed value: UInt64) {
        Swift.withUnsafeBytes(of: value.littleEndian) { append(contentsOf: $0) }
    }

    mutating func append(counted bytes: some Collection<UInt8>) {
        append(varying: UInt64(bytes.count))
        append(contentsOf: bytes)
    }
}

/// Reads what the extension above wrote; every member is nil past the end, so that damaged bytes end in nil and no trap.
struct ByteReader {
    private var rest: Slice<UnsafeRawBufferPointer>

    /// The reader must not outlive `bytes`.
    init(_ bytes: UnsafeRawBufferPointer) { rest = bytes[...] }

    var isAtEnd: Bool { rest.isEmpty }

    /// The next byte, which stays.
    var next: UInt8? { rest.first }

    mutating func byte() -> UInt8? { rest.popFirst() }

    mutating func bytes(_ count: UInt64) -> [UInt8]? {
        guard count <= UInt64(rest.count) else { return nil }
        defer { rest = rest.dropFirst(Int(count)) }
        return Array(rest.prefix(Int(count)))
    }

    mutating func fixed() -> UInt64? {
        guard rest.count >= 8 else { return nil }
        defer { rest = rest.dropFirst(8) }
        return UInt64(littleEndian: rest.base.loadUnaligned(fromByteOffset: rest.startIndex, as: UInt64.self))
    }

    mutating func varying() -> UInt64? {
        var value: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 64, by: 7) {
            guard let byte = byte() else { return nil }
            value |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return value }
        }
        return nil
    }

    mutating func counted() -> [UInt8]? { varying().flatMap { bytes($0) } }

    mutating func text() -> String? { counted().map { String(decoding: $0, as: UTF8.self) } }
}
