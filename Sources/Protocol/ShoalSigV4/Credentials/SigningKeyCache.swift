import Synchronization

/// Signing keys that were derived before, so that a request costs one HMAC instead of five.
///
/// A slot holds one key and is replaced when another falls into it: bounded without bookkeeping. The secret is part of
/// what must match, so a changed secret never meets an old key.
package final class SigningKeyCache: Sendable {
    /// Keys kept at most; a power of two.
    package static let slotCount = 256

    private struct Entry {
        let accessKeyId: [UInt8]
        let secret: [UInt8]
        let day: [UInt8]
        let region: [UInt8]
        let service: [UInt8]
        let key: SigningKey
    }

    private let slots = Mutex([Entry?](repeating: nil, count: slotCount))

    package init() {}

    /// The key of a scope, derived outside the lock if it is not at hand.
    func key(for scope: CredentialScope, secret: [UInt8]) -> SigningKey {
        let slot = Self.slot(of: scope)
        let known = slots.withLock { slots -> SigningKey? in
            guard let entry = slots[slot], scope.accessKeyId.equals(entry.accessKeyId),
                scope.day.equals(entry.day), scope.region.equals(entry.region), scope.service.equals(entry.service),
                entry.secret == secret
            else { return nil }
            return entry.key
        }
        if let known { return known }
        let key = SigningKey(secret: secret, day: scope.day, region: scope.region, service: scope.service)
        let entry = Entry(
            accessKeyId: Array(scope.accessKeyId), secret: secret, day: Array(scope.day),
            region: Array(scope.region), service: Array(scope.service), key: key)
        slots.withLock { $0[slot] = entry }
        return key
    }

    /// FNV-1a over access key, day and region.
    private static func slot(of scope: CredentialScope) -> Int {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        mix(scope.accessKeyId, into: &hash)
        mix(scope.day, into: &hash)
        mix(scope.region, into: &hash)
        return Int((hash ^ hash >> 32) & UInt64(slotCount - 1))
    }

    private static func mix(_ bytes: ArraySlice<UInt8>, into hash: inout UInt64) {
        for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    }
}
