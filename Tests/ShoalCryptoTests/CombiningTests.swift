import ShoalCrypto
import ShoalSeeded
import Testing

@Suite struct `A combined checksum` {
    private static func value(_ polynomial: CyclicRedundancyCheck.Polynomial, _ bytes: some Sequence<UInt8>) -> UInt64 {
        var check = CyclicRedundancyCheck(polynomial)
        check.update(Array(bytes))
        return check.value
    }

    @Test(arguments: CyclicRedundancyCheck.Polynomial.allCases)
    func `is that of both messages in one`(polynomial: CyclicRedundancyCheck.Polynomial) {
        var random = SeededGenerator(seed: 64)
        for _ in 0..<300 {
            let message = random.bytes(Int.random(in: 0...3_000, using: &random))
            let split = Int.random(in: 0...message.count, using: &random)
            let combined = CyclicRedundancyCheck.combine(
                polynomial, Self.value(polynomial, message[..<split]), Self.value(polynomial, message[split...]),
                secondByteCount: UInt64(message.count - split))
            #expect(combined == Self.value(polynomial, message), "split \(message.count) at \(split)")
        }
    }

    /// The published check value of each, from its nine digits one by one.
    @Test(
        arguments: [
            (CyclicRedundancyCheck.Polynomial.crc32, 0xCBF4_3926), (.crc32c, 0xE306_9283),
            (.crc64nvme, 0xAE8B_1486_0A79_9888),
        ] as [(CyclicRedundancyCheck.Polynomial, UInt64)])
    func `is built of many pieces`(polynomial: CyclicRedundancyCheck.Polynomial, expected: UInt64) {
        let combined = "123456789".utf8.reduce(UInt64(0)) {
            CyclicRedundancyCheck.combine(polynomial, $0, Self.value(polynomial, [$1]), secondByteCount: 1)
        }
        #expect(combined == expected)
    }

    /// Shifting by a length in one step and in two must agree, for lengths that no test can hold.
    @Test(arguments: CyclicRedundancyCheck.Polynomial.allCases)
    func `holds for lengths of 64 bits`(polynomial: CyclicRedundancyCheck.Polynomial) {
        var random = SeededGenerator(seed: 65)
        for _ in 0..<100 {
            let (left, right) = (random.next() >> 1, random.next() >> 1)
            let value = Self.value(polynomial, random.bytes(8))
            let once = CyclicRedundancyCheck.combine(polynomial, value, 0, secondByteCount: left + right)
            let first = CyclicRedundancyCheck.combine(polynomial, value, 0, secondByteCount: left)
            #expect(CyclicRedundancyCheck.combine(polynomial, first, 0, secondByteCount: right) == once)
        }
        #expect(CyclicRedundancyCheck.combine(polynomial, 5, 0, secondByteCount: 0) == 5)
    }

    @Test(arguments: CyclicRedundancyCheck.Polynomial.allCases)
    func `is written and read in S3's byte order`(polynomial: CyclicRedundancyCheck.Polynomial) {
        let value: UInt64 = polynomial == .crc64nvme ? 0x0102_0304_0506_0708 : 0x0102_0304
        let bytes = polynomial.bigEndianBytes(of: value)
        #expect(bytes == Array(1...UInt8(polynomial.byteCount)))
        #expect(polynomial.value(bigEndian: bytes) == value)
        #expect(polynomial.value(bigEndian: bytes + [0]) == nil)
    }
}
