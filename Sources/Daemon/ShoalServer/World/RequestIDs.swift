import ShoalCrypto
import ShoalS3
import Synchronization

/// Makes the identifiers of exchanges: one secure draw at the start, a counter scrambled into it afterwards.
///
/// They tell requests apart in logs and prove nothing to anybody, so they need not be unpredictable.
final class RequestIDs: Sendable {
    private let counter: Atomic<UInt64>
    private let hostID: String

    init() {
        let seed = randomBytes(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        counter = Atomic(seed)
        hostID = RequestIdentifiers(random: randomBytes(RequestIdentifiers.randomByteCount)).hostID
    }

    func next() -> RequestIdentifiers {
        let count = counter.wrappingAdd(1, ordering: .relaxed).newValue
        // 16 letters take 80 bits: 40 of each word.
        let words = (Self.scrambled(count), Self.scrambled(~count))
        let requestID = String(unsafeUninitializedCapacity: 16) { buffer in
            let alphabet: StaticString = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
            for index in 0..<8 {
                buffer[index] = alphabet.utf8Start[Int(words.0 >> UInt64(index * 5) & 31)]
                buffer[index + 8] = alphabet.utf8Start[Int(words.1 >> UInt64(index * 5) & 31)]
            }
            return 16
        }
        return RequestIdentifiers(requestID: requestID, hostID: hostID)
    }

    /// The finalizer of SplitMix64: consecutive counts give words without a visible pattern.
    private static func scrambled(_ count: UInt64) -> UInt64 {
        var word = count &* 0x9E37_79B9_7F4A_7C15
        word = (word ^ word >> 30) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ word >> 27) &* 0x94D0_49BB_1331_11EB
        return word ^ word >> 31
    }
}
