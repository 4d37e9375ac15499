/// Receives one body. It belongs to one thread at a time and is either finished or abandoned; letting it go abandons it.
package protocol BodyWriter: AnyObject {
    /// Throws `bodyTooLong` and takes nothing if the bytes pass the announced size.
    func write(_ bytes: UnsafeRawBufferPointer) throws(StoreError)

    /// The received body, for one commit. Throws `bodyTooShort` before the last byte.
    func finish() throws(StoreError) -> any StagedBody

    /// The body as far as it was received, for one commit; what it does not fill of its place is given up.
    func finishShort() -> any StagedBody

    /// Gives the space back. Afterwards `write` and `finish` are our own mistakes.
    func abandon()
}

/// A received body that no object names yet. Letting it go uncommitted gives its space back.
package protocol StagedBody: AnyObject, Sendable {
    var size: UInt64 { get }

    /// The first bytes of it, at most all, for one commit in place of this body's.
    func first(_ size: UInt64) -> any StagedBody

    /// Puts what `change` makes of it in place of each byte of the range, which lies within the body; whoever has computed a
    /// digest of them is not told. Blocking.
    func change(_ range: Range<UInt64>, _ change: (UInt8) -> UInt8) throws(StoreError)
}
