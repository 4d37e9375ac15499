import Glibc
import ShoalTLS

/// TLS of a `WireClient`, which still tells FIN, RST and silence below it apart, and whether close_notify came before.
package final class WireTLS {
    /// Whom the client means and believes.
    package struct Trust: Sendable {
        /// PEM; nil for a client that believes anybody.
        package var authority: String?
        /// A host name, which is sent, or an address, which is not.
        package var server = "127.0.0.1"
        package var protocols = ["http/1.1"]
        /// How long a `send` waits for the handshake. At 0 it leaves after the ClientHello, and `receive` goes on.
        package var handshakeMilliseconds: Int32 = 10_000

        package init(_ authority: String?) { self.authority = authority }
    }

    private enum State {
        case handshaking, open
        /// What comes is dropped: only how it ends is of interest.
        case over
    }

    private let descriptor: Int32
    private let session: TLSSession
    private let handshakeMilliseconds: Int32
    private var state = State.handshaking
    /// Given before the handshake was finished.
    private var queued: [UInt8] = []
    package private(set) var agreement: TLSAgreement?
    package private(set) var failure: TLSFailure?
    private var isReset = false

    /// Whether the server has said that nothing more comes.
    package var hasSeenCloseNotify: Bool { session.hasPeerClosed }
    /// What is wrong with the server's certificate.
    package var distrust: String? { session.distrust }

    init(_ trust: Trust, on descriptor: Int32) {
        self.descriptor = descriptor
        handshakeMilliseconds = trust.handshakeMilliseconds
        let flags = fcntl(descriptor, F_GETFL, 0)
        _ = fcntl(descriptor, F_SETFL, flags | O_NONBLOCK)
        let authorities = trust.authority.map { Certificate.all(inPEM: Array($0.utf8)) }
        guard let name = SubjectName(trust.server) else { preconditionFailure("'\(trust.server)' is no name") }
        session = TLSSession(
            .client(trusting: authorities), on: descriptor, to: name, offering: trust.protocols)
    }

    func send(_ bytes: [UInt8]) -> Bool {
        queued += bytes
        while state == .handshaking {
            advance()
            guard state == .handshaking else { break }
            guard wait(for: POLLIN, milliseconds: handshakeMilliseconds) else { return true }
        }
        return state == .open && flush()
    }

    /// As recv(2) that does not block; what is known of the end comes as one of TCP.
    func receive(_ buffer: inout [UInt8]) -> Int {
        if state == .handshaking {
            advance()
            guard state != .open || flush() else { return -1 }
            guard state == .over else {
                errno = EAGAIN
                return -1
            }
        }
        if state == .open {
            let count = buffer.withUnsafeMutableBytes { session.read(into: $0.baseAddress, $0.count) }
            if count > 0 || count < 0 && errno == EAGAIN { return count }
            failure = session.failure
            isReset = isReset || count < 0 && failure == nil
            state = .over
        }
        guard !isReset else {
            errno = ECONNRESET
            return -1
        }
        let count = recv(descriptor, &buffer, buffer.count, 0)
        guard count > 0 else { return count }
        errno = EAGAIN
        return -1
    }

    var hasBufferedInput: Bool { state == .open && session.hasBufferedInput }

    private func advance() {
        switch session.handshake() {
        case .wantsInput, .hello: break
        case .finished(let agreement):
            self.agreement = agreement
            state = .open
        case .failed(let failure):
            self.failure = failure
            state = .over
        case .peerFinished: state = .over
        case .peerReset:
            isReset = true
            state = .over
        }
    }

    /// False if the server has gone.
    private func flush() -> Bool {
        let bytes = queued
        queued = []
        var sent = 0
        while sent < bytes.count || session.hasUnsent {
            let count = bytes.withUnsafeBytes {
                session.write($0.baseAddress.map { $0 + sent }, min(65_536, bytes.count - sent))
            }
            if count < 0, errno != EAGAIN {
                // The kernel tells it only once: a read finds nothing but an end afterwards.
                if errno == ECONNRESET { isReset = true }
                return false
            }
            sent += max(0, count)
            guard !session.hasUnsent || wait(for: POLLOUT, milliseconds: 10_000) else { return false }
        }
        return true
    }

    private func wait(for event: Int32, milliseconds: Int32) -> Bool {
        var poll = pollfd(fd: descriptor, events: Int16(event), revents: 0)
        return Glibc.poll(&poll, 1, milliseconds) > 0
    }
}
