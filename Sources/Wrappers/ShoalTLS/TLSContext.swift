import CShoalTLS

/// What all sessions of a server, or of a client, have in common.
///
/// `@unchecked Sendable`: it is not changed once it is made, and OpenSSL counts references and keeps ticket keys under a
/// lock of its own. https://docs.openssl.org/3.0/man7/openssl-threads/
package final class TLSContext: @unchecked Sendable {
    let handle: OpaquePointer

    /// Ciphertext that one read of a socket takes at most: four records.
    private static let readAheadByteCount = 4 * 16_896

    private init(_ method: OpaquePointer?) {
        guard let context = SSL_CTX_new(method) else { preconditionFailure("no TLS: \(OpenSSLError())") }
        handle = context
        precondition(shoal_tls_set_versions(context, TLS1_2_VERSION, TLS1_3_VERSION) == 1)
        shoal_tls_set_modes(context)
        shoal_tls_read_ahead(context, Self.readAheadByteCount)
        shoal_tls_keep_no_sessions(context)
    }

    deinit { SSL_CTX_free(handle) }

    /// TLS 1.2 and 1.3, `http/1.1` and nothing else by ALPN, and tickets for resumption whose keys live as long as this.
    package static func server() -> TLSContext {
        let context = TLSContext(TLS_server_method())
        // HTTP has lengths of its own, and many clients end without a word.
        shoal_tls_ignore_truncation(context.handle)
        SSL_CTX_set_num_tickets(context.handle, 1)
        SSL_CTX_set_client_hello_cb(context.handle, { ssl, _, _ in TLSSession.of(ssl).helloArrived() }, nil)
        SSL_CTX_set_alpn_select_cb(
            context.handle,
            { _, out, outCount, offered, offeredCount, _ in
                let own: StaticString = "\u{8}http/1.1"
                var chosen: UnsafeMutablePointer<UInt8>?
                let code = SSL_select_next_proto(
                    &chosen, outCount, own.utf8Start, UInt32(own.utf8CodeUnitCount), offered, offeredCount)
                guard code == OPENSSL_NPN_NEGOTIATED else { return SSL_TLSEXT_ERR_ALERT_FATAL }
                out?.pointee = UnsafePointer(chosen)
                return SSL_TLSEXT_ERR_OK
            }, nil)
        return context
    }

    /// A client that trusts these authorities only; nil for one that trusts anybody.
    package static func client(trusting authorities: [Certificate]?) -> TLSContext {
        let context = TLSContext(TLS_client_method())
        guard let authorities else { return context }
        SSL_CTX_set_verify(context.handle, SSL_VERIFY_PEER, nil)
        let store = SSL_CTX_get_cert_store(context.handle)
        for authority in authorities { X509_STORE_add_cert(store, authority.handle) }
        return context
    }
}
