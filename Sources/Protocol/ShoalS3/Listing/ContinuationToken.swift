import ShoalCrypto

/// Where a listing goes on: the last entry of the page before, in a form that clients pass back unread.
///
/// It holds the entry itself and so outlives a restart; a checksum tells it from what we did not write.
package enum ContinuationToken {
    private static let version: UInt8 = 1
    private static let checksumByteCount = 4

    /// URL-safe base 64 of a version byte, the CRC-32 of the entry, and the entry.
    package static func encode(_ entry: [UInt8]) -> [UInt8] {
        var token = Base64.encode([version] + checksum(entry) + entry)
        while token.last == UInt8(ascii: "=") { token.removeLast() }
        for index in token.indices {
            switch token[index] {
            case UInt8(ascii: "+"): token[index] = UInt8(ascii: "-")
            case UInt8(ascii: "/"): token[index] = UInt8(ascii: "_")
            default: break
            }
        }
        return token
    }

    /// The entry; nil for a token that is not ours.
    package static func decode(_ token: ArraySlice<UInt8>) -> [UInt8]? {
        var text = token.map { byte in
            switch byte {
            case UInt8(ascii: "-"): UInt8(ascii: "+")
            case UInt8(ascii: "_"): UInt8(ascii: "/")
            default: byte
            }
        }
        text += [UInt8](repeating: UInt8(ascii: "="), count: (4 - text.count % 4) % 4)
        guard let bytes = Base64.decode(text), bytes.count > checksumByteCount, bytes[0] == version else { return nil }
        let entry = Array(bytes[(1 + checksumByteCount)...])
        return checksum(entry).elementsEqual(bytes[1...checksumByteCount]) ? entry : nil
    }

    private static func checksum(_ entry: [UInt8]) -> [UInt8] {
        var check = CyclicRedundancyCheck(.crc32)
        check.update(entry)
        return check.bigEndianBytes
    }
}

extension S3Error {
    /// 400 for a continuation token that is empty or not ours.
    static var incorrectContinuationToken: S3Error {
        .invalidArgument("The continuation token provided is incorrect", name: "continuation-token", value: nil)
    }
}
