import ShoalCrypto
import ShoalHTTP
import ShoalS3
import Testing

@testable import ShoalSigV4

/// A body signed by the presigner, so that a fault can be put into it with everything else in order.
private struct SignedBody {
    var mode: String
    var chunks: [[UInt8]]
    var declaredByteCount: String
    var trailer: (name: String, value: String)?
    /// What `x-amz-trailer` says, if not the trailer's name.
    var announced: String?
    var extraHeaders: [(name: String, value: String)] = []

    init(_ mode: String, chunks: [String], trailer: (name: String, value: String)? = nil) {
        self.mode = mode
        self.chunks = chunks.map { Array($0.utf8) }
        self.trailer = trailer
        declaredByteCount = String(self.chunks.joined().count)
    }

    private static let now = Timestamp(iso: "2026-03-14T15:09:26Z")

    private func signed() throws -> SignedRequest {
        var headers = extraHeaders + [("x-amz-decoded-content-length", declaredByteCount)]
        if let name = announced ?? trailer?.name { headers.append(("x-amz-trailer", name)) }
        let request = UnsignedRequest(
            "PUT", at: try #require(Endpoint("http://localhost:9000")), bucket: "b", key: Array("k".utf8),
            headers: headers.filter { !$0.value.isEmpty })
        return try Presigner(accessKeyId: "K", secret: "secret".utf8, region: "us-east-1")
            .sign(request, payload: mode, at: Self.now)
    }

    /// The body on the wire.
    func wire() throws -> [UInt8] {
        let signing = try signed().chunkSigning
        var body: [UInt8] = []
        var previous = signing.seed
        let isSigned = mode != "STREAMING-UNSIGNED-PAYLOAD-TRAILER"
        for chunk in chunks + [[]] {
            let digest = Hexadecimal.string(Digest.of(chunk, .sha256))
            let stringToSign =
                "AWS4-HMAC-SHA256-PAYLOAD\n\(text(signing.date))\n\(text(signing.scope))\n\(text(previous.text))\n"
                + "\(Hexadecimal.string(Digest.of([], .sha256)))\n\(digest)"
            previous = signing.key.sign(Array(stringToSign.utf8)[...])
            body += String(chunk.count, radix: 16).utf8
            if isSigned { body += ";chunk-signature=\(text(previous.text))".utf8 }
            body += Array("\r\n".utf8) + chunk
            if !chunk.isEmpty { body += "\r\n".utf8 }
        }
        var canonical = ""
        if let trailer {
            canonical = "\(trailer.name):\(trailer.value)\n"
            body += "\(trailer.name):\(trailer.value)\r\n".utf8
        }
        if mode == "STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER" {
            let stringToSign =
                "AWS4-HMAC-SHA256-TRAILER\n\(text(signing.date))\n\(text(signing.scope))\n\(text(previous.text))\n"
                + Hexadecimal.string(Digest.of(Array(canonical.utf8), .sha256))
            body += "x-amz-trailer-signature:".utf8
            body += signing.key.sign(Array(stringToSign.utf8)[...]).text + Array("\r\n".utf8)
        }
        return body + Array("\r\n".utf8)
    }

    func decoder() throws -> AWSChunkedDecoder {
        let signed = try signed()
        let head = try WireRequest(
            signed.method, signed.target, [("Host", signed.host)] + signed.headers + [("Content-Length", "9")]
        ).parsed()
        let verdict = Authenticator().verify(head, at: Self.now, lookup: knowing("K", "secret"))
        let authentication = try #require(verdict.authentication, "\(String(describing: verdict.error))")
        return try #require(try AWSChunkedDecoder(head, authentication.payload))
    }
}

private let signedMode = "STREAMING-AWS4-HMAC-SHA256-PAYLOAD"
private let trailerMode = "STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER"
private let unsignedMode = "STREAMING-UNSIGNED-PAYLOAD-TRAILER"
private let crc32 = (name: "x-amz-checksum-crc32", value: "DUoRhQ==")

@Suite struct `A broken aws-chunked body` {
    private func refusal(_ body: SignedBody, _ change: (inout [UInt8]) -> Void = { _ in }) throws -> S3Error? {
        do {
            var wire = try body.wire()
            change(&wire)
            _ = try decode(wire, with: try body.decoder())
            return nil
        } catch let error as S3Error {
            return error
        }
    }

    @Test(arguments: [
        SignedBody(signedMode, chunks: ["hello world"]),
        SignedBody(signedMode, chunks: []),
        SignedBody(trailerMode, chunks: ["hello world"], trailer: crc32),
        SignedBody(trailerMode, chunks: ["hello world"]),
        SignedBody(unsignedMode, chunks: ["hello world"], trailer: crc32),
        SignedBody(unsignedMode, chunks: ["hello world"]),
        SignedBody(signedMode, chunks: [String(repeating: "x", count: 8_192), "y"]),
    ])
    fileprivate func `would be accepted without its fault`(body: SignedBody) throws {
        #expect(try refusal(body) == nil)
    }

    @Test(arguments: StreamingVector.all)
    func `is IncompleteBody wherever it is cut`(vector: StreamingVector) throws {
        let wire = vector.wire
        let step = wire.count > 4_000 ? 977 : 1
        for end in Array(stride(from: 0, to: wire.count, by: step)) + [wire.count - 1] {
            let error = #expect(throws: S3Error.self, "cut at \(end)") {
                _ = try decode(Array(wire[..<end]), with: try vector.decoder())
            }
            #expect(error?.code == .incompleteBody, "cut at \(end)")
        }
    }

    @Test(arguments: StreamingVector.signed)
    func `is refused as the chunk's mismatch when a payload byte flips`(vector: StreamingVector) throws {
        guard (vector.chunks ?? []).contains(where: { $0.size > 0 }) else { return }
        var wire = vector.wire
        let firstPayload = try #require(wire.firstIndex(of: UInt8(ascii: "\n"))) + 1
        wire[firstPayload] ^= 1
        let error = #expect(throws: S3Error.self) { _ = try decode(wire, with: try vector.decoder()) }
        #expect(error?.code == .signatureDoesNotMatch)
        #expect(
            error?.elements.map(\.name)
                == ["AWSAccessKeyId", "StringToSign", "SignatureProvided", "StringToSignBytes"])
        #expect(error?.element("StringToSign")?.hasPrefix("AWS4-HMAC-SHA256-PAYLOAD\n") == true)
        #expect(error?.element("SignatureProvided") == vector.chunks?.first?.signature)
    }

    @Test(arguments: StreamingVector.signed)
    func `is refused as a mismatch when any chunk's signature changes`(vector: StreamingVector) throws {
        for chunk in try #require(vector.chunks) {
            let altered = (chunk.signature.first == "0" ? "1" : "0") + chunk.signature.dropFirst()
            let wire = text(vector.wire).replacing(chunk.signature, with: altered)
            let error = #expect(throws: S3Error.self) {
                _ = try decode(Array(wire.utf8), with: try vector.decoder())
            }
            #expect(error?.code == .signatureDoesNotMatch)
        }
    }

    @Test(arguments: [("10", "11"), ("12", "11"), ("0", "11"), ("5368709120", "11")])
    func `names both lengths when they differ`(declared: String, provided: String) throws {
        for mode in [signedMode, unsignedMode] {
            var body = SignedBody(mode, chunks: ["hello world"])
            body.declaredByteCount = declared
            let error = try refusal(body)
            #expect(error?.code == .incompleteBody)
            #expect(error?.element("NumberBytesExpected") == declared)
            #expect(error?.element("NumberBytesProvided") == provided)
        }
    }

    @Test(arguments: ["", "x", "-1", "99999999999999999999"])
    func `is 411 without a decoded length that can be read`(declared: String) throws {
        var body = SignedBody(signedMode, chunks: ["hello world"])
        body.declaredByteCount = declared
        #expect(try refusal(body)?.code == .missingContentLength)
    }

    @Test func `is too large above 5 GiB of payload`() throws {
        var body = SignedBody(signedMode, chunks: [])
        body.declaredByteCount = "5368709121"
        let error = try refusal(body)
        #expect(error?.code == .entityTooLarge)
        #expect(error?.element("ProposedSize") == "5368709121")
    }

    @Test(arguments: [signedMode, unsignedMode])
    func `names the small chunk when another follows`(mode: String) throws {
        let error = try refusal(SignedBody(mode, chunks: ["abc", "de"]))
        #expect(error?.code == .invalidChunkSize)
        #expect(error?.element("Chunk") == "2")
        #expect(error?.element("BadChunkSize") == "3")
    }

    @Test func `fails the trailer's signature when its value changes`() throws {
        let error = try refusal(SignedBody(trailerMode, chunks: ["hello world"], trailer: crc32)) {
            $0 = Array(text($0).replacing("DUoRhQ==", with: "EUoRhQ==").utf8)
        }
        #expect(error?.code == .signatureDoesNotMatch)
        #expect(error?.element("StringToSign")?.hasPrefix("AWS4-HMAC-SHA256-TRAILER\n") == true)
    }

    @Test func `hands over an unsigned trailer as it came, for the caller to compare`() throws {
        let body = SignedBody(unsignedMode, chunks: ["hello world"], trailer: (crc32.name, "EUoRhQ=="))
        let checksum = try decode(try body.wire(), with: try body.decoder()).checksum
        #expect(checksum == Checksum(.crc32, kind: .fullObject, text: "EUoRhQ=="))
    }

    @Test(arguments: [trailerMode, unsignedMode])
    func `is malformed when the announced trailer is not the one that came`(mode: String) throws {
        var renamed = SignedBody(mode, chunks: ["hello world"], trailer: crc32)
        renamed.announced = "x-amz-checksum-sha256"
        var missing = SignedBody(mode, chunks: ["hello world"])
        missing.announced = "x-amz-checksum-crc32"
        let noColon = try refusal(SignedBody(mode, chunks: ["hello world"], trailer: crc32)) {
            $0 = Array(text($0).replacing("crc32:DU", with: "crc32DU").utf8)
        }
        for error in [try refusal(renamed), try refusal(missing), noColon] { #expect(error?.code == .malformedTrailer) }
    }

    @Test func `is malformed when a trailer comes that was not announced`() throws {
        let error = try refusal(SignedBody(unsignedMode, chunks: ["hello world"])) {
            $0 = Array($0.dropLast(2)) + Array("x-amz-checksum-crc32:DUoRhQ==\r\n\r\n".utf8)
        }
        #expect(error?.code == .malformedTrailer)
    }

    @Test func `is malformed when a trailer never ends`() throws {
        let error = try refusal(SignedBody(unsignedMode, chunks: ["x"], trailer: crc32)) {
            $0 = Array($0.dropLast(4)) + [UInt8](repeating: UInt8(ascii: "A"), count: 9_000)
        }
        #expect(error?.code == .malformedTrailer)
    }

    @Test(arguments: ["!!!!", "DUoR", "DUoRhQ", ""])
    func `is InvalidRequest when the trailer's value is no checksum`(value: String) throws {
        let error = try refusal(
            SignedBody(trailerMode, chunks: ["hello world"], trailer: ("x-amz-checksum-crc32", value)))
        #expect(error?.code == .invalidRequest)
        #expect(error?.message == "Value for x-amz-checksum-crc32 trailing header is invalid.")
    }

    @Test(arguments: ["x-amz-meta-a", "x-amz-checksum-crc32,x-amz-checksum-sha1", "x-amz-checksum-md4"])
    func `is InvalidRequest when something else is announced`(announced: String) throws {
        var body = SignedBody(trailerMode, chunks: ["hello world"], trailer: crc32)
        body.announced = announced
        #expect(
            try refusal(body)?.message == "The value specified in the x-amz-trailer header is not supported")
    }

    @Test func `is InvalidRequest when a checksum header stands beside the trailer`() throws {
        var body = SignedBody(trailerMode, chunks: ["hello world"], trailer: crc32)
        body.extraHeaders = [("x-amz-checksum-sha1", "x")]
        #expect(try refusal(body)?.message.hasPrefix("Expecting a single x-amz-checksum- header.") == true)
    }

    @Test(arguments: [
        "g;chunk-signature=", ";chunk-signature=", "b", "b;other=1", "b;chunk-signature=abc\r\n", "11111111111111111",
        "b ;chunk-signature=", "\n", String(repeating: "0", count: 2_000),
    ])
    func `is IncompleteBody when a chunk header is none`(line: String) throws {
        let error = try refusal(SignedBody(signedMode, chunks: ["hello world"])) { wire in
            wire =
                Array(line.utf8) + [UInt8](repeating: UInt8(ascii: "0"), count: 64) + Array("\r\nhello world\r\n".utf8)
        }
        #expect(error?.code == .incompleteBody)
        #expect(error?.message == "The request body terminated unexpectedly")
    }

    @Test(arguments: ["b;any=thing\r\n", "0b\r\n", "B\r\n"])
    func `may have extensions where chunks are not signed`(line: String) throws {
        let error = try refusal(SignedBody(unsignedMode, chunks: ["hello world"])) {
            $0 = Array(line.utf8) + Array("hello world\r\n0\r\n\r\n".utf8)
        }
        #expect(error == nil)
    }

    @Test(arguments: ["X", "\r\nX", "\r\n\r\n"])
    func `is IncompleteBody when more follows its end`(surplus: String) throws {
        let error = try refusal(SignedBody(unsignedMode, chunks: ["hello world"], trailer: crc32)) {
            $0 += Array(surplus.utf8)
        }
        #expect(error?.code == .incompleteBody)
    }
}

extension SignedBody: CustomTestStringConvertible {
    fileprivate var testDescription: String { "\(mode) of \(chunks.map(\.count)), trailer \(trailer?.name ?? "none")" }
}
