/// A keyed hash (RFC 2104) over SHA-256 or SHA-1.
package struct HMAC {
    private let inner: Digest
    private let outer: Digest
    private var innerPad: [UInt8]
    private var outerPad: [UInt8]

    package init(_ algorithm: DigestAlgorithm, key: some Collection<UInt8>) {
        // Both digests of S3's signatures hash in blocks of 64 bytes.
        let blockByteCount = 64
        inner = Digest(algorithm)
        outer = Digest(algorithm)
        var block = key.count > blockByteCount ? Digest.of(Array(key), algorithm) : Array(key)
        block += [UInt8](repeating: 0, count: blockByteCount - block.count)
        innerPad = block.map { $0 ^ 0x36 }
        outerPad = block.map { $0 ^ 0x5C }
        inner.update(innerPad)
    }

    package func update(_ bytes: [UInt8]) { inner.update(bytes) }

    package func update(_ bytes: ArraySlice<UInt8>) { inner.update(bytes) }

    /// The code of everything fed; the value is spent afterwards.
    package func finish() -> [UInt8] {
        outer.update(outerPad)
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
