/// The limits of every connection, in time and in bytes.
package struct ConnectionBounds: Sendable {
    /// From the first byte of a head to its last: absolute, so that a byte now and then does not prolong it.
    package var head: Duration = .seconds(20)
    /// Of TLS, from its beginning to its end; absolute as well.
    package var handshake: Duration = .seconds(10)
    /// Between two pieces of a body, as S3 has it before its `RequestTimeout`.
    package var bodyProgress: Duration = .seconds(20)
    /// Between two exchanges.
    package var idle: Duration = .seconds(120)
    /// Between two pieces of an answer that the peer takes.
    package var sendProgress: Duration = .seconds(60)
    /// Between two pieces of input that are dropped after an answer that came early.
    package var lingerProgress: Duration = .seconds(5)
    /// All such input together.
    package var linger: Duration = .seconds(60)
    package var lingerByteCountMax: UInt64 = 1 << 30
    /// For the peer's kernel to take what was sent before a reset.
    package var resetDrain: Duration = .seconds(5)

    /// Body bytes one connection may take in one turn of its loop, so that small requests pass beside large uploads.
    package static let turnByteCountMax = 256 * 1024
    /// File bytes one connection may send in one turn of its loop.
    package static let sendTurnByteCountMax = 1 << 20
    /// A file body up to this size is read and sent together with its head in one call.
    package static let inlineFileByteCountMax = 32 * 1024

    package init() {}
}

extension Duration {
    /// Whole nanoseconds; bounded durations only (below 292 years).
    package var nanoseconds: UInt64 {
        UInt64(components.seconds) * 1_000_000_000 + UInt64(components.attoseconds / 1_000_000_000)
    }
}
