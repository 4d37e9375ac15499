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
}
