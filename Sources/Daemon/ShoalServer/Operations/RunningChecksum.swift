import ShoalCrypto
import ShoalS3

/// One of S3's checksums, computed as the bytes pass.
final class RunningChecksum {
    private enum State {
        case crc(CyclicRedundancyCheck)
        case digest(Digest)
    }

    private var state: State

    init(_ algorithm: ChecksumAlgorithm) {
        state =
            switch algorithm {
            case .crc32: .crc(CyclicRedundancyCheck(.crc32))
            case .crc32c: .crc(CyclicRedundancyCheck(.crc32c))
            case .crc64nvme: .crc(CyclicRedundancyCheck(.crc64nvme))
            case .sha1: .digest(Digest(.sha1))
            case .sha256: .digest(Digest(.sha256))
            }
    }

    func update(_ bytes: UnsafeRawBufferPointer) {
        switch state {
        case .crc(var crc):
            crc.update(bytes)
            state = .crc(crc)
        case .digest(let digest): digest.update(bytes)
        }
    }

    func finish() -> [UInt8] {
        switch state {
        case .crc(let crc): crc.bigEndianBytes
        case .digest(let digest): digest.finish()
        }
    }
}
