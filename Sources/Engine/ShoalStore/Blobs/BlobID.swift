import ShoalCrypto
import Synchronization

/// The name of a body with a file of its own: 16 bytes, never given twice.
///
/// The first byte counts round, so that files spread over 256 folders and the ids of one folder are neighbours in the
/// catalogue's index. Then follow 8 bytes drawn at the start of the process and 7 that count.
struct BlobID: Hashable, Sendable {
    let bytes: [UInt8]

    /// Nil unless there are 16 bytes.
    init?(bytes: [UInt8]) {
        guard bytes.count == 16 else { return nil }
        self.bytes = bytes
    }

    /// Nil unless `name` is 32 lower-case hexadecimal digits.
    init?(name: String) {
        guard let bytes = Hexadecimal.decode(name.utf8), Hexadecimal.string(bytes) == name else { return nil }
        self.init(bytes: bytes)
    }

    var name: String { Hexadecimal.string(bytes) }

    /// The folder within `DIR/blobs`: two hexadecimal digits.
    var folder: String { Self.folder(bytes[0]) }

    static func folder(_ byte: UInt8) -> String { Hexadecimal.string([byte]) }
}

/// Gives out ids.
final class BlobIDSource: Sendable {
    private let nonce = randomBytes(8)
    private let count = Atomic<UInt64>(0)

    func next() -> BlobID {
        let number = count.wrappingAdd(1, ordering: .relaxed).oldValue
        var bytes = [UInt8(truncatingIfNeeded: number)] + nonce
        for shift in stride(from: UInt64(56), to: 0, by: -8) {
            bytes.append(UInt8(truncatingIfNeeded: number >> shift))
        }
        guard let id = BlobID(bytes: bytes) else { preconditionFailure("an id of \(bytes.count) bytes") }
        return id
    }
}
