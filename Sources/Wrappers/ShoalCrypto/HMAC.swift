/// A keyed hash (RFC 2104) over SHA-256 or SHA-1.
package struct HMAC {
    private let inner: Digest
    private let outer: Digest

    /// Both digests of S3's signatures hash in blocks of 64 bytes.
    private static let blockByteCount = 64

    package init(_ algorithm: DigestAlgorithm, key: some Collection<UInt8>) { self.init(algorithm, key: Array(key)) }

    package init(_ algorithm: DigestAlgorithm, key: [UInt8]) {
        inner = Digest(algorithm)
        outer = Digest(algorithm)
        let key = key.count > Self.blockByteCount ? Digest.of(key, algorithm) : key
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Self.blockByteCount) { block in
            for (digest, pad) in [(inner, 0x36), (outer, 0x5C)] as [(Digest, UInt8)] {
                for index in 0..<Self.blockByteCount {
                    block.initializeElement(at: index, to: pad ^ (index < key.count ? key[index] : 0))
                }
                digest.update(UnsafeRawBufferPointer(block))
            }
        }
    }

    package func update(_ bytes: [UInt8]) { inner.update(bytes) }

    package func update(_ bytes: ArraySlice<UInt8>) { inner.update(bytes) }

    /// The code of everything fed; the value is spent afterwards.
    package func finish() -> [UInt8] {
        outer.update(inner.finish())
        return outer.finish()
    }

    package static func sha256(key: some Collection<UInt8>, _ message: [UInt8]) -> [UInt8] {
        let hmac = HMAC(.sha256, key: key)
        hmac.update(message)
        return hmac.finish()
    }

    package static func sha1(key: some Collection<UInt8>, _ message: [UInt8]) -> [UInt8] {
        let hmac = HMAC(.sha1, key: key)
        hmac.update(message)
        return hmac.finish()
    }
}
