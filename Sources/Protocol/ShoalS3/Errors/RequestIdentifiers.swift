import ShoalCrypto

/// The two names S3 gives every exchange, sent in headers and in error documents.
package struct RequestIdentifiers: Sendable, Equatable {
    /// Random bytes that `init` wants: 10 for the request id and 57 for the host id.
    package static let randomByteCount = 67

    /// `x-amz-request-id`: 16 characters of `0-9A-Z` without I, L, O and U.
    package let requestID: String
    /// `x-amz-id-2`: 76 characters of base 64.
    package let hostID: String

    package init(requestID: String, hostID: String) {
        self.requestID = requestID
        self.hostID = hostID
    }

    package init(random bytes: [UInt8]) {
        precondition(bytes.count == Self.randomByteCount)
        requestID = String(unsafeUninitializedCapacity: 16) { buffer in
            let alphabet: StaticString = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
            // Five bits a character: 5 bytes hold 8.
            for half in 0..<2 {
                let word = bytes[(half * 5)..<(half * 5 + 5)].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
                for position in 0..<8 {
                    buffer[half * 8 + position] = alphabet.utf8Start[Int(word >> UInt64(35 - 5 * position) & 31)]
                }
            }
            return 16
        }
        hostID = Base64.string(Array(bytes[10...]))
    }
}
