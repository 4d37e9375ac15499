import ShoalCrypto
import ShoalJSON
import ShoalS3

/// The signatures that count as expired before their time.
///
/// Kept are SHA-256 digests only, of the last 4,096 struck at least.
struct ExpiredSignatures {
    private var digests = RecentTable<[UInt8], Bool>(halfCountMax: 4_096)
    /// Signatures dated before this second are expired, all of them.
    private var before: Int64?

    var isEmpty: Bool { digests.isEmpty && before == nil }

    mutating func expire(_ reach: FaultAction.ExpiryReach, _ subject: some FaultSubject) {
        if let signature = subject.signature {
            digests.update(Self.digest(signature), from: true) { _ in }
        }
        guard reach == .scope else { return }
        // A link made in the second of the strike lives: the client that asks for a new one at once must get on.
        before = max(before ?? .min, subject.now.seconds)
    }

    mutating func contains(_ subject: some FaultSubject) -> Bool {
        guard let signature = subject.signature else { return false }
        if let before, let signedAt = subject.signedAt, signedAt.seconds < before { return true }
        return digests.value(Self.digest(signature)) != nil
    }

    private static func digest(_ signature: ArraySlice<UInt8>) -> [UInt8] { Digest.of(Array(signature), .sha256) }
}

// MARK: - Handing over

extension ExpiredSignatures {
    /// Digests, from which nobody can sign.
    var handover: JSON {
        [
            "before": before.map { .integer($0) } ?? .null,
            "digests": .array(digests.entries.map { .string(Hexadecimal.string($0.key)) }),
        ]
    }

    init(handover json: JSON) {
        self.init()
        if case .integer(let second)? = json["before"] { before = second }
        for digest in json["digests"]?.handedElements.compactMap(\.handedText) ?? [] {
            guard let bytes = Hexadecimal.decode(digest.utf8) else { continue }
            digests.update(bytes, from: true) { _ in }
        }
    }
}
