import CShoalChecksum

/// A running cyclic redundancy check of the kinds S3 offers.
/// https://docs.aws.amazon.com/AmazonS3/latest/userguide/checking-object-integrity.html
package struct CyclicRedundancyCheck: Sendable {
    package enum Polynomial: Sendable, CaseIterable {
        /// CRC-32 of zlib and PNG.
        case crc32
        /// CRC-32C, Castagnoli.
        case crc32c
        /// CRC-64/NVME, what S3 computes when the client sends no checksum.
        case crc64nvme
    }

    package let polynomial: Polynomial
    /// The check value of everything fed, in the low 32 or all 64 bits.
    package private(set) var value: UInt64 = 0

    package init(_ polynomial: Polynomial) { self.polynomial = polynomial }

    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        guard let base = bytes.assumingMemoryBound(to: UInt8.self).baseAddress else { return }
        switch polynomial {
        case .crc32: value = UInt64(shoal_crc32(UInt32(truncatingIfNeeded: value), base, bytes.count))
        case .crc32c: value = UInt64(shoal_crc32c(UInt32(truncatingIfNeeded: value), base, bytes.count))
        case .crc64nvme: value = shoal_crc64nvme(value, base, bytes.count)
        }
    }

    package mutating func update(_ bytes: [UInt8]) { bytes.withUnsafeBytes { update($0) } }

    /// The check value in S3's byte order, most significant first: 4 or 8 bytes.
    package var bigEndianBytes: [UInt8] {
        let count = polynomial == .crc64nvme ? 8 : 4
        return (0..<count).map { UInt8(truncatingIfNeeded: value >> UInt64(8 * (count - 1 - $0))) }
    }
}
