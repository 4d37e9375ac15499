import ShoalS3
import Testing

@Suite struct `A checksum` {
    @Test(arguments: ChecksumAlgorithm.allCases)
    func `is the same from its digest and from its text`(algorithm: ChecksumAlgorithm) {
        let digest = (0..<algorithm.byteCount).map { UInt8($0 * 7 & 255) }
        let checksum = Checksum(algorithm, digest: digest)
        let read = Checksum(algorithm, kind: .fullObject, text: checksum.text)
        #expect(read == checksum && read.hashValue == checksum.hashValue)
        #expect(read.digest == digest && read.value == digest && read.textWithoutPartCount == checksum.text)
        #expect(Checksum(algorithm, kind: .composite, digest: digest) != checksum)
    }

    @Test func `of parts keeps their count in its text`() {
        let checksum = Checksum(.crc32, kind: .composite, text: "5FRUiw==-3")
        #expect(checksum.text == "5FRUiw==-3" && checksum.digest == nil)
        #expect(checksum.textWithoutPartCount == "5FRUiw==" && checksum.value == [0xE4, 0x54, 0x54, 0x8B])
        #expect(checksum != Checksum(.crc32, kind: .composite, text: "5FRUiw=="))
    }

    /// The last has bits that no digest leads to.
    @Test(arguments: ["", "bad", "AAAA", "AAAAAAAA", "5FRUix=="])
    func `whose text is no digest is told as it came`(text: String) {
        let checksum = Checksum(.crc32, kind: .fullObject, text: text)
        #expect(checksum.text == text && checksum.digest == nil && checksum.value == nil)
    }
}
