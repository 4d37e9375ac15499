import CShoalCurl

/// A blocking HTTP/1.1 client for the command line and for webhooks, over libcurl.
///
/// The library is loaded with the first client, not linked, so that the server does not pay for it at its start.
/// Redirects are not followed: what a presigned URL answers is what the caller wants to see.
/// Not Sendable: it keeps connections open for the thread that uses it.
/// https://curl.se/libcurl/c/libcurl-easy.html
package final class HTTPClient {
    private let handle: UnsafeMutableRawPointer
    private let trust: Trust

    /// Throws `.libraryMissing` where libcurl is not installed.
    package init(trusting trust: Trust = .system) throws(HTTPClientError) {
        if let problem = Self.loadProblem { throw .libraryMissing(problem) }
        guard let handle = shoal_curl_new() else { throw .libraryMissing("libcurl gave no handle") }
        self.handle = handle
        self.trust = trust
    }

    deinit { shoal_curl_free(handle) }

    /// Sends `request` and waits for the whole answer.
    ///
    /// With `onData` the body of an answer is handed over as it arrives, and the response's own `body` stays empty; by
    /// returning false `onData` ends the transfer, which is no error. `onProgress` gets the bytes of the request body that
    /// left so far, and their total. `isCancelled` is asked about once a second at least; once it says true, `.transfer` is
    /// thrown.
    package func send(
        _ request: Request, onProgress: ((_ sent: Int64, _ total: Int64) -> Void)? = nil,
        onData: ((_ status: Int, _ bytes: UnsafeRawBufferPointer) -> Bool)? = nil,
        isCancelled: (() -> Bool)? = nil
    ) throws(HTTPClientError) -> Response {
        let source = try RequestBodySource(request.body)
        let exchange = Exchange(source: source, onProgress: onProgress, onData: onData, isCancelled: isCancelled)
        var status = 0
        let authorities = if case .file(let path) = trust { path } else { "" }
        let headers = request.headers.map { "\($0.name): \($0.value)" } + Self.ownHeaders
        let code = withCStrings(headers) { headers in
            withCStrings([request.method, request.url, authorities]) { texts in
                var description = shoal_curl_request(
                    method: texts[0], url: texts[1], headers: headers, body_size: source.size ?? -1,
                    connect_timeout_ms: request.connectTimeoutMilliseconds,
                    timeout_ms: request.timeoutMilliseconds,
                    ca_file: authorities.isEmpty ? nil : texts[2], trusts_anybody: trust == .anybody ? 1 : 0)
                var callbacks = Exchange.callbacks
                return withExtendedLifetime(exchange) {
                    let context = Unmanaged.passUnretained(exchange).toOpaque()
                    return shoal_curl_perform(handle, &description, &callbacks, context, &status)
                }
            }
        }
        if let failure = source.failure { throw failure }
        guard code == 0 || exchange.endedByCaller else {
            let reason = String(cString: shoal_curl_error(code))
            if shoal_curl_is_distrust(code) != 0 { throw .untrusted(reason) }
            throw shoal_curl_is_connect_failure(code) != 0 ? .unreachable(reason) : .transfer(reason)
        }
        return Response(status: status, headers: exchange.headers, body: exchange.body)
    }

    private static let loadProblem: String? = shoal_curl_load().map { String(cString: $0) }

    /// libcurl would wait for a `100 Continue` before a large body; the refusal of a full body is what should be seen.
    private static let ownHeaders = ["Expect:"]

    /// The array libcurl wants: pointers, ended by null, valid while `body` runs.
    private func withCStrings<Result>(
        _ texts: [String], _ body: (UnsafePointer<UnsafePointer<CChar>?>) -> Result
    ) -> Result {
        let bytes = texts.map { Array($0.utf8CString) }
        let storage = UnsafeMutableBufferPointer<CChar>.allocate(capacity: bytes.reduce(1) { $0 + $1.count })
        defer { storage.deallocate() }
        var pointers: [UnsafePointer<CChar>?] = []
        var offset = 0
        for text in bytes {
            pointers.append(storage.baseAddress.map { UnsafePointer($0 + offset) })
            for byte in text {
                storage.initializeElement(at: offset, to: byte)
                offset += 1
            }
        }
        pointers.append(nil)
        return pointers.withUnsafeBufferPointer { list in
            guard let base = list.baseAddress else { preconditionFailure("the list holds its null at least") }
            return body(base)
        }
    }
}
