import CShoalSystem
import Glibc
import ShoalHTTP
import ShoalTLS

/// Where bytes pass through TLS if there is any. Without it this costs a look whether there is.
extension Connection {
    /// As recv(2).
    @inline(__always)
    func take(into memory: UnsafeMutableRawPointer?, _ byteCount: Int) -> Int {
        guard let tls else { return recv(descriptor, memory, byteCount, 0) }
        return tls.session.read(into: memory, byteCount)
    }

    /// As send(2); under TLS all is taken, or nothing with EAGAIN.
    @inline(__always)
    func give(_ bytes: UnsafeRawPointer?, _ byteCount: Int, _ flags: Int32 = Int32(MSG_NOSIGNAL)) -> Int {
        guard let tls else { return Glibc.send(descriptor, bytes, byteCount, flags) }
        return tls.session.write(bytes, byteCount, more: flags & Int32(MSG_MORE) != 0)
    }

    /// As sendfile(2), by way of the loop's memory: what is to be encrypted has to be read.
    func giveFile(_ file: Int32, at offset: UInt64, _ byteCount: Int) -> Int {
        // Pipelined requests may still lie there.
        input.keep()
        let count = pread(file, loop.buffer.baseAddress, min(byteCount, loop.buffer.count), off_t(offset))
        return count > 0 ? give(loop.buffer.baseAddress, count) : 0
    }

    /// Whether everything that was given is the kernel's by now. False with EAGAIN, or what killed the socket.
    func hasGivenAll(_ tls: TLSLayer) -> Bool {
        guard tls.session.flush() else {
            errno = ECONNRESET
            return false
        }
        guard tls.session.hasUnsent else { return true }
        errno = EAGAIN
        return false
    }

    /// Borrowed bytes are kept, and what TLS holds of the client's gets a turn of its own: the socket does not tell of it.
    func endTurn() {
        input.keep()
        guard let tls, tls.session.hasBufferedInput else { return }
        switch machine.state {
        case .idle, .head, .body: if isReading { loop.lookAgain(at: self) }
        default: break
        }
    }
}

// MARK: - Handshake

extension Connection {
    func handshake() -> ConnectionMachine.Action {
        guard let tls else { return machine.on(.secured) }
        if let answer = answerToPlainHTTP(tls) { return answer }
        if let hello = tls.hello, !tls.hasIdentity {
            tls.session.present(tls.port.identities.identity(for: hello.serverName, at: localHost))
            tls.hasIdentity = true
        }
        switch tls.session.handshake() {
        case .wantsInput:
            setInterest(Self.readInterest | (tls.session.hasUnsent ? EPOLLOUT.rawValue : 0))
            if deadline == .max { setDeadline(loop.bounds.handshake) }
            return .none
        case .hello(let hello):
            clearDeadline()
            tls.hello = hello
            handle.note(hello)
            return machine.on(.hello)
        case .finished(let agreement):
            clearDeadline()
            tls.agreement = agreement
            return machine.on(.secured)
        case .peerFinished: return machine.on(.peerFinished)
        case .peerReset: return machine.on(.peerReset)
        case .failed(let failure):
            loop.service.handshakeFailed(.refused(failure), on: handle)
            return machine.on(.handshakeFailed)
        }
    }

    func askHello() -> ConnectionMachine.Action {
        guard let hello = tls?.hello else { return machine.on(.proceed) }
        return follow(loop.service.helloCame(hello, on: handle))
    }

    func askSecured() -> ConnectionMachine.Action {
        guard let agreement = tls?.agreement else { return machine.on(.proceed) }
        return follow(loop.service.secured(agreement, on: handle))
    }

    /// Whoever begins with a letter speaks HTTP, and can read an answer in it.
    private func answerToPlainHTTP(_ tls: TLSLayer) -> ConnectionMachine.Action? {
        guard !tls.isRecognised else { return nil }
        var first: UInt8 = 0
        guard recv(descriptor, &first, 1, Int32(MSG_PEEK)) == 1 else { return nil }
        guard first.isLetter else {
            tls.isRecognised = true
            return nil
        }
        loop.service.handshakeFailed(.plainHTTP, on: handle)
        self.tls = nil
        clearDeadline()
        outgoing = Outgoing(loop.service.answerToPlainRequest(on: handle))
        return machine.on(.headRefused)
    }

    /// The address of this machine that the client has reached.
    private var localHost: String {
        var address = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { socket in
                var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
                guard getsockname(descriptor, socket, &length) == 0,
                    getnameinfo(socket, length, &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST) == 0
                else { return "127.0.0.1" }
                let name = text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:))
                // A link-local address names its interface behind a `%`.
                let host = String(decoding: name.prefix { $0 != UInt8(ascii: "%") }, as: UTF8.self)
                // As a socket of IPv6 sees a client of IPv4, who knows the address in its own form (RFC 4291 §2.5.5.2).
                let mapped = "::ffff:"
                return host.hasPrefix(mapped) && host.contains(".") ? String(host.dropFirst(mapped.count)) : host
            }
        }
    }
}

extension UInt8 {
    fileprivate var isLetter: Bool {
        switch self {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"): true
        default: false
        }
    }
}
