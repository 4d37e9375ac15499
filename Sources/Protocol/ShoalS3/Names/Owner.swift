/// Who owns a bucket or an object, or began an upload.
package struct Owner: Hashable, Sendable {
    /// 64 hexadecimal digits, the canonical user id.
    package let id: String
    /// Sent where the account has one, for clients from the time when S3 sent it.
    package let displayName: String?

    /// The canonical id that S3 gives whoever did not sign; it has 32 digits only.
    package static let anonymousID = "65a011a29cdf8ec533ec3d1ccaae921c"

    package init(id: String, displayName: String? = nil) {
        self.id = id
        self.displayName = displayName
    }
}

extension XMLWriter {
    /// `<Owner><ID>…</ID></Owner>`.
    package mutating func owner(_ owner: Owner) {
        open("Owner")
        element("ID", owner.id)
        if let displayName = owner.displayName { element("DisplayName", displayName) }
        close("Owner")
    }

    /// `<Initiator>`, to which S3 still gives a name.
    package mutating func initiator(_ initiator: Owner) {
        open("Initiator")
        element("ID", initiator.id)
        element("DisplayName", initiator.displayName ?? initiator.id)
        close("Initiator")
    }
}
