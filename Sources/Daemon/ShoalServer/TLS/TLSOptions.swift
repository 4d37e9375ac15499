/// Where a server's certificate comes from.
package enum TLSOptions: Sendable, Equatable {
    /// Issued by an authority of its own, which is made at the first start.
    case ownAuthority
    /// Given in PEM files; the first certificate is the server's, those behind it lead to a root.
    case files(certificate: String, key: String)
}
