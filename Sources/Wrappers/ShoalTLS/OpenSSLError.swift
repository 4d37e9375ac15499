import CShoalTLS

/// What OpenSSL says of its last failure on this thread.
struct OpenSSLError: Error, CustomStringConvertible {
    let description: String

    /// Takes the oldest error, which is the cause, and forgets the others.
    init() {
        let code = ERR_peek_error()
        ERR_clear_error()
        description = ERR_reason_error_string(code).map { String(cString: $0) } ?? "OpenSSL gives no reason"
    }
}

/// Runs `body` on bytes that OpenSSL reads through a BIO.
func withMemoryBIO<Result>(_ bytes: [UInt8], _ body: (OpaquePointer) -> Result) -> Result {
    bytes.withUnsafeBytes { raw in
        guard let bio = BIO_new_mem_buf(raw.baseAddress, Int32(clamping: raw.count)) else {
            preconditionFailure("OpenSSL has no memory for a BIO")
        }
        defer { BIO_free(bio) }
        return body(bio)
    }
}

/// What OpenSSL writes into a BIO.
func textOfMemoryBIO(_ write: (OpaquePointer) -> Int32) -> String {
    guard let bio = BIO_new(BIO_s_mem()) else { preconditionFailure("OpenSSL has no memory for a BIO") }
    defer { BIO_free(bio) }
    precondition(write(bio) == 1, "OpenSSL cannot write what it holds")
    var bytes: UnsafePointer<CChar>?
    let count = shoal_tls_memory(bio, &bytes)
    return String(decoding: UnsafeRawBufferPointer(start: bytes, count: count), as: UTF8.self)
}
