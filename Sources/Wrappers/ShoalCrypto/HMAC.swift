/// A keyed hash (RFC 2104) over SHA-256 or SHA-1, as a value: one that was only given its key is the key, and copies of it
/// save the work of hashing the key for every message.
package struct HMAC: Sendable {
    private var inner: DigestState
    private var outer: DigestState

    /// Both digests of S3's signatures hash in blocks of 64 bytes.
    private static let blockByteCount = 64

    package init(_ algorithm: DigestAlgorithm, key: some Collection<UInt8>) { self.init(algorithm, key: Array(key)) }

    package init(_ algorithm: DigestAlgorithm, key: [UInt8]) {
        let key = key.count > Self.blockByteCount ? Digest.of(key, algorithm) : key
        inner = Self.padded(algorithm, key, with: 0x36)
        outer = Self.padded(algorithm, key, with: 0x5C)
    }

    private static func padded(_ algorithm: DigestAlgorithm, _ key: [UInt8], with pad: UInt8) -> DigestState {
        var state = DigestState(algorithm)
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: blockByteCount) { block in
            for index in 0..<blockByteCount {
                block.initializeElement(at: index, to: pad ^ (index < key.count ? key[index] : 0))
            }
            state.update(UnsafeRawBufferPointer(block))
        }
        return state
    }

    package mutating func update(_ bytes: [UInt8]) { bytes.withUnsafeBytes { inner.update($0) } }

    package mutating func update(_ bytes: ArraySlice<UInt8>) { bytes.withUnsafeBytes { inner.update($0) } }

    /// The code of everything fed.
    package func finish() -> [UInt8] {
        var outer = outer
        inner.finish().withUnsafeBytes { outer.update($0) }
        return outer.finish()
    }

    package static func sha256(key: some Collection<UInt8>, _ message: [UInt8]) -> [UInt8] {
        var hmac = HMAC(.sha256, key: key)
        hmac.update(message)
        return hmac.finish()
    }

    package static func sha1(key: some Collection<UInt8>, _ message: [UInt8]) -> [UInt8] {
        var hmac = HMAC(.sha1, key: key)
        hmac.update(message)
        return hmac.finish()
    }
}
