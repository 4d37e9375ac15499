/// SipHash-2-4: a keyed hash of 64 bits that is the same in every run, unlike Swift's own.
/// https://www.aumasson.jp/siphash/siphash.pdf
package struct SipHash {
    private var v0: UInt64
    private var v1: UInt64
    private var v2: UInt64
    private var v3: UInt64
    /// Bytes that fill no word yet, the first in the lowest byte.
    private var tail: UInt64 = 0
    private var byteCount: UInt64 = 0

    package init(key k0: UInt64 = 0, _ k1: UInt64 = 0) {
        v0 = k0 ^ 0x736F_6D65_7073_6575
        v1 = k1 ^ 0x646F_7261_6E64_6F6D
        v2 = k0 ^ 0x6C79_6765_6E65_7261
        v3 = k1 ^ 0x7465_6462_7974_6573
    }

    package static func hash(of bytes: some Sequence<UInt8>) -> UInt64 {
        var hash = SipHash()
        hash.append(bytes)
        return hash.finish()
    }

    package mutating func append(_ byte: UInt8) {
        tail |= UInt64(byte) << (8 * (byteCount & 7))
        byteCount &+= 1
        guard byteCount & 7 == 0 else { return }
        absorb(tail)
        tail = 0
    }

    package mutating func append(_ bytes: some Sequence<UInt8>) { for byte in bytes { append(byte) } }

    /// Appends bytes and how many they were, so that two neighbours cannot shift their border.
    package mutating func append(field bytes: some Collection<UInt8>) {
        append(bytes)
        append(UInt64(bytes.count))
    }

    /// Appends eight bytes, the lowest first.
    package mutating func append(_ number: UInt64) {
        for shift in stride(from: UInt64(0), to: 64, by: 8) { append(UInt8(truncatingIfNeeded: number >> shift)) }
    }

    package func finish() -> UInt64 {
        var state = self
        state.absorb(tail | byteCount << 56)
        state.v2 ^= 0xFF
        for _ in 0..<4 { state.round() }
        return state.v0 ^ state.v1 ^ state.v2 ^ state.v3
    }

    private mutating func absorb(_ word: UInt64) {
        v3 ^= word
        round()
        round()
        v0 ^= word
    }

    private mutating func round() {
        v0 &+= v1
        v1 = rotated(v1, 13) ^ v0
        v0 = rotated(v0, 32)
        v2 &+= v3
        v3 = rotated(v3, 16) ^ v2
        v0 &+= v3
        v3 = rotated(v3, 21) ^ v0
        v2 &+= v1
        v1 = rotated(v1, 17) ^ v2
        v2 = rotated(v2, 32)
    }

    private func rotated(_ word: UInt64, _ bits: UInt64) -> UInt64 { word << bits | word >> (64 - bits) }
}
