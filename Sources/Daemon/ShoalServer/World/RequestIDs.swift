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
        // SplitMix64: consecutive counters give words without a visible pattern.
        var word = counter.wrappingAdd(0x9E37_79B9_7F4A_7C15, ordering: .relaxed).newValue
        word = (word ^ word >> 30) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ word >> 27) &* 0x94D0_49BB_1331_11EB
        word ^= word >> 31
        let requestID = String(unsafeUninitializedCapacity: 16) { buffer in
            let alphabet: StaticString = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
            for index in 0..<16 {
                // 80 bits of letters from 64 bits: the last few repeat the first, which does no harm.
                let shift = UInt64(index * 5 % 60)
                buffer[index] = alphabet.utf8Start[Int(word >> shift & 31)]
            }
            return 16
        }
        return RequestIdentifiers(requestID: requestID, hostID: hostID)
    }
}
