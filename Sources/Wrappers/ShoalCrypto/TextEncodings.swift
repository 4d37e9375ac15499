/// Base 16 as signatures and ETags use it: two lower-case digits a byte.
package enum Hexadecimal {
    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }

    package static func encode(_ bytes: some Sequence<UInt8>) -> [UInt8] { encode(Array(bytes)) }

    /// The same without a generic iterator, for digests and signatures of every request.
    package static func encode(_ bytes: [UInt8]) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: bytes.count * 2) { text, count in
            for (index, byte) in bytes.enumerated() {
                text.initializeElement(at: index * 2, to: digit(byte >> 4))
                text.initializeElement(at: index * 2 + 1, to: digit(byte & 15))
            }
            count = bytes.count * 2
        }
    }

    package static func string(_ bytes: some Sequence<UInt8>) -> String {
        String(decoding: encode(bytes), as: UTF8.self)
    }

    /// The value of one digit of either case; nil for any other byte.
    package static func value(of digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        default: nil
        }
    }

    /// Nil unless `text` is an even number of digits, of either case.
    package static func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
        guard text.count % 2 == 0 else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count / 2)
        var iterator = text.makeIterator()
        while let first = iterator.next(), let second = iterator.next() {
            guard let high = value(of: first), let low = value(of: second) else { return nil }
            bytes.append(high << 4 | low)
        }
        return bytes
    }
}

/// Base 64 with padding, RFC 4648 §4.
package enum Base64 {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    private static let values: [UInt8] = {
        var values = [UInt8](repeating: 0xFF, count: 256)
        for (value, letter) in alphabet.enumerated() { values[Int(letter)] = UInt8(value) }
        return values
    }()

    package static func encode(_ bytes: [UInt8]) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        var index = 0
        while index < bytes.count {
            let available = min(3, bytes.count - index)
            let word =
                UInt32(bytes[index]) << 16
                | (available > 1 ? UInt32(bytes[index + 1]) << 8 : 0)
                | (available > 2 ? UInt32(bytes[index + 2]) : 0)
            text.append(alphabet[Int(word >> 18)])
            text.append(alphabet[Int(word >> 12 & 63)])
            text.append(available > 1 ? alphabet[Int(word >> 6 & 63)] : UInt8(ascii: "="))
            text.append(available > 2 ? alphabet[Int(word & 63)] : UInt8(ascii: "="))
            index += 3
        }
        return text
    }

    package static func string(_ bytes: [UInt8]) -> String { String(decoding: encode(bytes), as: UTF8.self) }

    /// Nil unless `text` is whole quanta of the alphabet, padded at the end, with unused bits zero.
    package static func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
        guard text.count % 4 == 0 else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count / 4 * 3)
        var word: UInt32 = 0
        var letters = 0
        var padding = 0
        for letter in text {
            if letter == UInt8(ascii: "=") {
                padding += 1
                word <<= 6
            } else {
                let value = values[Int(letter)]
                guard padding == 0, value != 0xFF else { return nil }
                word = word << 6 | UInt32(value)
            }
            letters += 1
            guard letters == 4 else { continue }
            guard padding <= 2 else { return nil }
            let quantum = [
                UInt8(truncatingIfNeeded: word >> 16), UInt8(truncatingIfNeeded: word >> 8),
                UInt8(truncatingIfNeeded: word),
            ]
            guard quantum[(3 - padding)...].allSatisfy({ $0 == 0 }) else { return nil }
            bytes += quantum[..<(3 - padding)]
            (word, letters) = (0, 0)
        }
        return bytes
    }
}

/// Base 32 without padding, RFC 4648 §6.
package enum Base32 {
    package static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".utf8)

    /// The letters of whole quanta of five bits; bits that are left over make none.
    package static func encode(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        var text: [UInt8] = []
        var (word, bitCount) = (UInt32(0), 0)
        for byte in bytes {
            word = word << 8 | UInt32(byte)
            bitCount += 8
            while bitCount >= 5 {
                bitCount -= 5
                text.append(alphabet[Int(word >> UInt32(bitCount) & 31)])
            }
        }
        return text
    }
}
