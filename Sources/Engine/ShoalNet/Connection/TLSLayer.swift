import ShoalTLS

/// What makes a port one of TLS.
package struct TLSPort: Sendable {
    let context: TLSContext
    let identities: any TLSIdentities

    package init(_ context: TLSContext, identities: any TLSIdentities) {
        self.context = context
        self.identities = identities
    }
}

/// Who a server is, for whoever asks.
package protocol TLSIdentities: Sendable {
    /// For a client that asks for `serverName`, or for none; `address` is the one of ours that it has reached. Called on
    /// event loops, so it may compute and must not wait.
    func identity(for serverName: String?, at address: String) -> TLSIdentity
}

/// TLS between a connection and its socket.
final class TLSLayer {
    let session: TLSSession
    let port: TLSPort
    var hello: TLSHello?
    var agreement: TLSAgreement?
    /// What is shown to the client is said.
    var hasIdentity = false
    /// The first byte was looked at, and may be one of TLS.
    var isRecognised = false

    init(_ port: TLSPort, on descriptor: Int32, output: CiphertextBuffer) {
        self.port = port
        session = TLSSession(port.context, on: descriptor, output: output)
    }
}

/// Why no handshake came about.
package enum HandshakeFailure: Error, Sendable, CustomStringConvertible {
    case refused(TLSFailure)
    /// The client left, or took too long.
    case ended(ConnectionEnd)
    /// The client began to speak HTTP without TLS.
    case plainHTTP

    package var description: String {
        switch self {
        case .refused(let failure): failure.description
        case .ended(.timeout): "the client did not finish the handshake in time"
        case .ended: "the client left during the handshake"
        case .plainHTTP: "the client spoke plain HTTP"
        }
    }

    package var isDistrust: Bool { if case .refused(let failure) = self { failure.isDistrust } else { false } }
}
