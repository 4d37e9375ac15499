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
    package var bigEndianBytes: [UInt8] { polynomial.bigEndianBytes(of: value) }
}

extension CyclicRedundancyCheck.Polynomial {
    /// Bytes of a check value: 4 or 8.
    package var byteCount: Int { self == .crc64nvme ? 8 : 4 }

    /// A check value in S3's byte order.
    package func bigEndianBytes(of value: UInt64) -> [UInt8] {
        (0..<byteCount).map { UInt8(truncatingIfNeeded: value >> UInt64(8 * (byteCount - 1 - $0))) }
    }

    /// The check value that `bytes` hold in S3's order; nil unless there are as many as one has.
    package func value(bigEndian bytes: [UInt8]) -> UInt64? {
        guard bytes.count == byteCount else { return nil }
        return bytes.reduce(0) { $0 << 8 | UInt64($1) }
    }
}

// MARK: - Joining

extension CyclicRedundancyCheck {
    /// The check value of two messages one behind the other, from the values of each and the second one's length.
    ///
    /// The first value is multiplied by x to the power of the second's bits, modulo the polynomial; the inversions at
    /// both ends cancel out. Takes one multiplication for each bit set in the length.
    /// https://github.com/madler/zlib/blob/develop/crc32.c (`crc32_combine`)
    package static func combine(
        _ polynomial: Polynomial, _ first: UInt64, _ second: UInt64, secondByteCount: UInt64
    ) -> UInt64 {
        let field = Field.of(polynomial)
        var shifted = first
        var rest = secondByteCount
        while rest != 0 {
            shifted = field.product(shifted, field.powers[rest.trailingZeroBitCount])
            rest &= rest - 1
        }
        return shifted ^ second
    }

    /// Polynomials over GF(2) modulo that of a check, in reflected form: the highest bit is the coefficient of x⁰.
    private struct Field: Sendable {
        private let modulus: UInt64
        private let one: UInt64
        /// x to the power of 8·2ⁿ, which moves a value past 2ⁿ bytes.
        private(set) var powers: [UInt64] = []

        private init(modulus: UInt64, width: UInt64) {
            self.modulus = modulus
            one = 1 << (width - 1)
            var power = one >> 8
            for _ in 0..<64 {
                powers.append(power)
                power = product(power, power)
            }
        }

        func product(_ left: UInt64, _ right: UInt64) -> UInt64 {
            var (product, factor, bit) = (UInt64(0), right, one)
            while bit != 0 {
                if left & bit != 0 { product ^= factor }
                factor = factor >> 1 ^ (factor & 1 == 0 ? 0 : modulus)
                bit >>= 1
            }
            return product
        }

        static func of(_ polynomial: Polynomial) -> Field {
            switch polynomial {
            case .crc32: crc32
            case .crc32c: crc32c
            case .crc64nvme: crc64nvme
            }
        }

        private static let crc32 = Field(modulus: 0xEDB8_8320, width: 32)
        private static let crc32c = Field(modulus: 0x82F6_3B78, width: 32)
        private static let crc64nvme = Field(modulus: 0x9A6C_9329_AC4B_C9B5, width: 64)
    }
}
