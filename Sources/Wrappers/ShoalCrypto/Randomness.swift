import CShoalCrypto

/// Unpredictable bytes from OpenSSL's generator, for identifiers and keys.
package func randomBytes(_ count: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
        precondition(RAND_bytes(buffer.baseAddress, Int32(count)) == 1, "OpenSSL found no entropy")
        initialized = count
    }
}
