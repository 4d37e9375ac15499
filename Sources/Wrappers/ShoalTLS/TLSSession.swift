import CShoalTLS
import Glibc

/// TLS on one connected socket, which does not block and stays its owner's.
///
/// It is read from and written to as a socket is: counts, 0 for the peer's end, -1 with `errno`. Ciphertext is read from
/// the socket by OpenSSL, several records at a time; what it writes is put together and sent with one call. What the
/// kernel does not take is kept, and nothing more is encrypted before it is gone.
/// Not Sendable: it belongs to the thread of its connection, and of its buffer.
/// https://docs.openssl.org/3.0/man3/SSL_read/
package final class TLSSession {
    private let ssl: OpaquePointer
    private let context: TLSContext
    private let descriptor: Int32
    private let output: CiphertextBuffer
    /// Ciphertext that the kernel did not take.
    private var unsent: [UInt8] = []
    private var unsentStart = 0
    private var hello: TLSHello?
    private var hasSeenHello = false
    /// Another `read` may find something without the socket being readable.
    package private(set) var hasBufferedInput = false
    package private(set) var isEstablished = false
    /// What is wrong with the stream, if a read found that; nil for an end of the socket.
    package private(set) var failure: TLSFailure?
    private var isClosed = false
    /// A read found the socket or the stream dead, which neither tells twice.
    private var isDead = false

    /// What a peer can make us keep: answers to its key updates, if it does not read them.
    private static let unsentByteCountMax = 1 << 20

    /// The server's side.
    package init(_ context: TLSContext, on descriptor: Int32, output: CiphertextBuffer) {
        guard let ssl = SSL_new(context.handle) else { preconditionFailure("no TLS session: \(OpenSSLError())") }
        self.ssl = ssl
        self.context = context
        self.descriptor = descriptor
        self.output = output
        SSL_set_bio(ssl, BIO_new_socket(descriptor, BIO_NOCLOSE), output.makeBIO())
        SSL_set_ex_data(ssl, 0, Unmanaged.passUnretained(self).toOpaque())
        SSL_set_accept_state(ssl)
    }

    /// The client's side; the name is sent unless it is an address, and compared with the certificate.
    package convenience init(
        _ context: TLSContext, on descriptor: Int32, to server: SubjectName, offering protocols: [String] = []
    ) {
        self.init(context, on: descriptor, output: CiphertextBuffer())
        SSL_set_connect_state(ssl)
        switch server {
        case .dns(let name):
            _ = shoal_tls_set_server_name(ssl, name)
            SSL_set1_host(ssl, name)
        case .address(let address): X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(ssl), address)
        }
        let list = protocols.flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) }
        if !list.isEmpty { SSL_set_alpn_protos(ssl, list, UInt32(list.count)) }
    }

    deinit { SSL_free(ssl) }

    static func of(_ ssl: OpaquePointer?) -> TLSSession {
        guard let data = SSL_get_ex_data(ssl, 0) else { preconditionFailure("every session knows its owner") }
        return Unmanaged<TLSSession>.fromOpaque(data).takeUnretainedValue()
    }
}

// MARK: - Handshake

extension TLSSession {
    package enum HandshakeStep: Sendable {
        /// More of the peer is needed.
        case wantsInput
        /// A ClientHello has come, and nothing was answered: `present` is due, then `handshake` again. Comes once.
        case hello(TLSHello)
        case finished(TLSAgreement)
        /// The peer has closed its side.
        case peerFinished
        case peerReset
        /// The peer was told by an alert, if one is due.
        case failed(TLSFailure)
    }

    /// Goes on as far as the bytes that are there allow.
    package func handshake() -> HandshakeStep {
        ERR_clear_error()
        errno = 0
        let code = SSL_do_handshake(ssl)
        let failed = code == 1 ? SSL_ERROR_NONE : error(of: code)
        let cause = errno
        let failure = failed == SSL_ERROR_SSL ? TLSFailure.last() : nil
        // Of an end that is known by other means, that is told.
        let isDead = !flush()
        switch failed {
        case SSL_ERROR_NONE where isDead, SSL_ERROR_WANT_READ where isDead: return .peerReset
        case SSL_ERROR_NONE:
            isEstablished = true
            hasBufferedInput = SSL_has_pending(ssl) == 1
            return .finished(
                TLSAgreement(
                    version: String(cString: SSL_get_version(ssl)), cipher: String(cString: shoal_tls_cipher(ssl)),
                    isResumed: SSL_session_reused(ssl) == 1))
        case SSL_ERROR_WANT_READ, SSL_ERROR_WANT_WRITE: return .wantsInput
        case SSL_ERROR_WANT_CLIENT_HELLO_CB: return .hello(hello ?? TLSHello(serverName: nil))
        case SSL_ERROR_ZERO_RETURN: return .peerFinished
        case SSL_ERROR_SYSCALL: return cause == 0 ? .peerFinished : .peerReset
        default: return .failed(failure ?? .other("OpenSSL gives no reason"))
        }
    }

    /// OpenSSL asks once more when the handshake goes on.
    func helloArrived() -> Int32 {
        guard !hasSeenHello else { return SSL_CLIENT_HELLO_SUCCESS }
        hasSeenHello = true
        hello = TLSHello(
            serverNameExtension: helloExtension(TLSEXT_TYPE_server_name),
            protocolExtension: helloExtension(TLSEXT_TYPE_application_layer_protocol_negotiation))
        return SSL_CLIENT_HELLO_RETRY
    }

    private func helloExtension(_ type: Int32) -> UnsafeRawBufferPointer? {
        var bytes: UnsafePointer<UInt8>?
        var count = 0
        guard SSL_client_hello_get0_ext(ssl, UInt32(type), &bytes, &count) == 1 else { return nil }
        return UnsafeRawBufferPointer(start: bytes, count: count)
    }

    /// Says who this server is, when a hello has come. `anew`: even a client that could resume a session is shown it.
    package func present(_ identity: TLSIdentity, anew: Bool = false) {
        let chain: [OpaquePointer?] = identity.chain.map(\.handle)
        let code = shoal_tls_use(ssl, identity.certificate.handle, identity.key.handle, chain, chain.count)
        precondition(code == 1, "the certificate does not go with its key: \(OpenSSLError())")
        guard anew else { return }
        shoal_tls_refuse_resumption(ssl)
    }

    /// Sends a fatal alert in plain, which is how one goes before a ServerHello (RFC 8446 §6). Any number is sent.
    package func refuse(withAlert number: UInt8) {
        let record: [UInt8] = [21, 3, 3, 0, 2, 2, number]
        _ = Glibc.send(descriptor, record, record.count, Int32(MSG_NOSIGNAL))
    }
}

// MARK: - Bytes

extension TLSSession {
    /// As recv(2), but it fills the memory if the socket has enough.
    package func read(into memory: UnsafeMutableRawPointer?, _ count: Int) -> Int {
        var filled = 0
        hasBufferedInput = false
        while filled < count {
            switch decrypt(into: memory.map { $0 + filled }, count - filled) {
            case .bytes(let step): filled += step
            case .nothing: return filled > 0 ? filled : failed(EAGAIN)
            // What was decrypted comes first; the end comes when it is asked for once more.
            case .end:
                hasBufferedInput = filled > 0
                return filled
            case .dead:
                (isDead, hasBufferedInput) = (true, filled > 0)
                return filled > 0 ? filled : failed(ECONNRESET)
            }
        }
        hasBufferedInput = SSL_has_pending(ssl) == 1
        return filled
    }

    private enum Decrypted {
        case bytes(Int)
        case nothing, end, dead
    }

    /// One record's bytes at most.
    private func decrypt(into memory: UnsafeMutableRawPointer?, _ count: Int) -> Decrypted {
        guard !isDead else { return .dead }
        ERR_clear_error()
        errno = 0
        var step = 0
        let code = SSL_read_ex(ssl, memory, count, &step)
        if code == 1 { return .bytes(step) }
        let error = error(of: code)
        let cause = errno
        if error == SSL_ERROR_SSL { failure = .last() }
        // Answers to key updates, and an alert if one is due.
        guard flush() else { return .dead }
        switch error {
        case SSL_ERROR_WANT_READ, SSL_ERROR_WANT_WRITE: return .nothing
        case SSL_ERROR_ZERO_RETURN: return .end
        case SSL_ERROR_SYSCALL: return cause == 0 ? .end : .dead
        default: return .dead
        }
    }

    private func failed(_ cause: Int32) -> Int {
        errno = cause
        return -1
    }

    /// An end without close_notify is one of TCP, as `SSL_ERROR_SYSCALL` without a cause tells it.
    private func error(of code: Int32) -> Int32 {
        let error = SSL_get_error(ssl, code)
        guard error == SSL_ERROR_SSL, shoal_tls_reason(ERR_peek_error()) == SSL_R_UNEXPECTED_EOF_WHILE_READING else {
            return error
        }
        ERR_clear_error()
        // The alert that OpenSSL has for it: nobody reads that any more.
        output.removeAll()
        errno = 0
        return SSL_ERROR_SYSCALL
    }

    /// As send(2), but it takes all or, with EAGAIN, nothing. `more` as MSG_MORE.
    package func write(_ bytes: UnsafeRawPointer?, _ count: Int, more: Bool = false) -> Int {
        guard flush() else { return failed(ECONNRESET) }
        guard !hasUnsent else { return failed(EAGAIN) }
        ERR_clear_error()
        var taken = 0
        while taken < count {
            var step = 0
            guard SSL_write_ex(ssl, bytes.map { $0 + taken }, count - taken, &step) == 1 else {
                ERR_clear_error()
                output.removeAll()
                return failed(ECONNRESET)
            }
            taken += step
        }
        return flush(more: more) ? taken : failed(ECONNRESET)
    }

    /// Whether ciphertext waits for the kernel.
    package var hasUnsent: Bool { unsentStart < unsent.count }

    /// Sends what waits; false if the socket is dead.
    @discardableResult
    package func flush(more: Bool = false) -> Bool {
        defer { output.removeAll() }
        if hasUnsent {
            let sent = unsent.withUnsafeBytes { send(UnsafeRawBufferPointer(rebasing: $0[unsentStart...]), more) }
            guard let sent else { return false }
            unsentStart += sent
        }
        let fresh = output.bytes
        guard !hasUnsent else {
            unsent += fresh
            return unsent.count - unsentStart <= Self.unsentByteCountMax
        }
        (unsent, unsentStart) = ([], 0)
        guard !fresh.isEmpty else { return true }
        guard let sent = send(fresh, more) else { return false }
        if sent < fresh.count { unsent = Array(fresh[sent...]) }
        return true
    }

    /// Nil if the socket is dead.
    private func send(_ bytes: UnsafeRawBufferPointer, _ more: Bool) -> Int? {
        let flags = Int32(MSG_NOSIGNAL) | (more ? Int32(MSG_MORE) : 0)
        let count = Glibc.send(descriptor, bytes.baseAddress, bytes.count, flags)
        if count >= 0 { return count }
        return errno == EAGAIN || errno == EINTR ? 0 : nil
    }

    /// Says that nothing more comes (RFC 8446 §6.1), once, and only if there is TLS to say it in.
    package func sendCloseNotify() {
        guard isEstablished, !isClosed else { return }
        isClosed = true
        ERR_clear_error()
        SSL_shutdown(ssl)
        ERR_clear_error()
        flush()
    }

    /// No close_notify will be sent: the peer is to see its stream cut.
    package func truncate() { isClosed = true }

    /// What is wrong with the peer's certificate; nil if nothing is, or nobody asked.
    package var distrust: String? {
        let code = SSL_get_verify_result(ssl)
        return code == Int(X509_V_OK) ? nil : String(cString: X509_verify_cert_error_string(code))
    }

    /// Whether the peer has said that nothing more comes. On the server's side an end of TCP counts as well.
    package var hasPeerClosed: Bool { SSL_get_shutdown(ssl) & SSL_RECEIVED_SHUTDOWN != 0 }
}
