import ShoalCrypto
import ShoalS3
import ShoalWire
import Testing

@Suite struct `A checksum` {
    static func value(_ algorithm: ChecksumAlgorithm, _ body: [UInt8]) -> String {
        func crc(_ polynomial: CyclicRedundancyCheck.Polynomial) -> [UInt8] {
            var crc = CyclicRedundancyCheck(polynomial)
            crc.update(body)
            return crc.bigEndianBytes
        }
        return switch algorithm {
        case .crc32: Base64.string(crc(.crc32))
        case .crc32c: Base64.string(crc(.crc32c))
        case .crc64nvme: Base64.string(crc(.crc64nvme))
        case .sha1: Base64.string(Digest.of(body, .sha1))
        case .sha256: Base64.string(Digest.of(body, .sha256))
        }
    }

    static func badDigest(_ algorithm: ChecksumAlgorithm) -> String {
        "<Code>BadDigest</Code><Message>The \(algorithm.rawValue) you specified did not match the calculated checksum."
            + "</Message>"
    }

    /// Nothing of a refused upload may be left.
    static func expectNothing(_ s3: S3Client, _ key: String) throws {
        #expect(try !s3.has(key))
        #expect(s3.server.files(below: "staging").isEmpty)
    }

    @Test(arguments: ChecksumAlgorithm.allCases, [9, 300_000])
    func `in a header is compared, kept and returned on demand`(algorithm: ChecksumAlgorithm, size: Int) throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        let body = pattern(size)
        let value = Self.value(algorithm, body)
        let put = try s3.send(S3Call("PUT", "photos", "a", headers: [(algorithm.headerName, value)], body: body))
        #expect(put.status == 200)
        #expect(put[algorithm.headerName] == value)
        for mode in ["ENABLED", "enabled"] {
            let get = try s3.get("a", headers: [("x-amz-checksum-mode", mode)])
            #expect(get[algorithm.headerName] == value)
            #expect(get["x-amz-checksum-type"] == "FULL_OBJECT")
        }
        #expect(try s3.get("a")[algorithm.headerName] == nil)

        var wrong = body
        wrong[size / 2] ^= 1
        let refused = try s3.send(S3Call("PUT", "photos", "b", headers: [(algorithm.headerName, value)], body: wrong))
        #expect(refused.status == 400)
        #expect(refused.errorContent == Self.badDigest(algorithm))
        try Self.expectNothing(s3, "b")
    }

    /// cloudserver#5553, and s3-orchestrator#1536: the unsigned form has no signature behind its trailer.
    @Test(arguments: ChecksumAlgorithm.allCases, [true, false])
    func `in a trailer is compared with the decoded body (versitygw#1653, aws-proxy#199, S3Mock#1662)`(
        algorithm: ChecksumAlgorithm, isSigned: Bool
    ) throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        let body = pattern(150_000)
        let good = ChunkedUpload(isSigned: isSigned, trailer: (algorithm, Self.value(algorithm, body)))
        let put = try s3.send(good.request(s3, "a", body))
        #expect(put.status == 200, "\(put.text)")
        #expect(put[algorithm.headerName] == Self.value(algorithm, body))
        let get = try s3.get("a")
        #expect(get.body == body)
        #expect(get["Content-Encoding"] == nil)
        #expect(get["ETag"] == etag(of: body))

        let wrong = ChunkedUpload(isSigned: isSigned, trailer: (algorithm, Self.value(algorithm, [1])))
        let refused = try s3.send(wrong.request(s3, "b", body))
        #expect(refused.status == 400)
        #expect(refused.errorContent == Self.badDigest(algorithm))
        try Self.expectNothing(s3, "b")
    }

    @Test(arguments: [true, false])
    func `that was announced and did not come is a malformed trailer (versitygw#1600)`(isSigned: Bool) throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        var upload = ChunkedUpload(isSigned: isSigned, trailer: (.crc32, "AAAAAA=="))
        upload.omitsTrailer = true
        let answer = try s3.send(upload.request(s3, "a", pattern(10)))
        #expect(answer.status == 400)
        #expect(answer.code == "MalformedTrailerError")
        try Self.expectNothing(s3, "a")
    }

    @Test func `is CRC64NVME where an unsigned trailer form names none`() throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        let put = try s3.send(ChunkedUpload(isSigned: false).request(s3, "a", pattern(10)))
        #expect(put.status == 200)
        #expect(put["x-amz-checksum-crc64nvme"] == Self.value(.crc64nvme, pattern(10)))
    }

    @Test(
        arguments: [
            ([("x-amz-checksum-sha256", "AAAA")], "Value for x-amz-checksum-sha256 header is invalid."),
            (
                [("x-amz-checksum-crc32", "AAAAAA=="), ("x-amz-checksum-crc32c", "AAAAAA==")],
                "Expecting a single x-amz-checksum- header. Multiple checksum Types are not allowed."
            ),
            (
                [("x-amz-checksum-crc16", "AAA=")],
                "The algorithm type you specified in x-amz-checksum- header is invalid."
            ),
            (
                [("x-amz-sdk-checksum-algorithm", "CRC32")],
                "x-amz-sdk-checksum-algorithm specified, but no corresponding x-amz-checksum-* or x-amz-trailer headers were "
                    + "found."
            ),
            (
                [("x-amz-sdk-checksum-algorithm", "SHA1"), ("x-amz-checksum-crc32", "AAAAAA==")],
                "Value for x-amz-sdk-checksum-algorithm header is invalid."
            ),
        ] as [([(String, String)], String)])
    func `that makes no sense is refused in S3's words`(headers: [(String, String)], message: String) throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        let answer = try s3.put("a", "x", headers: headers)
        #expect(answer.status == 400)
        #expect(answer.errorContent == "<Code>InvalidRequest</Code><Message>\(message)</Message>")
        try Self.expectNothing(s3, "a")
    }
}

@Suite struct `A digest of an upload` {
    @Test func `in Content-MD5 is compared (BadDigest has both spellings)`() throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        let md5 = Digest.of(Array("abc".utf8), .md5)
        #expect(try s3.put("a", "abc", headers: [("Content-MD5", Base64.string(md5))]).status == 200)
        let answer = try s3.put("b", "abd", headers: [("Content-MD5", Base64.string(md5))])
        #expect(answer.status == 400)
        let calculated = Base64.string(Digest.of(Array("abd".utf8), .md5))
        #expect(
            answer.errorContent
                == "<Code>BadDigest</Code><Message>The Content-MD5 you specified did not match what we received.</Message>"
                + "<CalculatedDigest>\(calculated)</CalculatedDigest><ExpectedDigest>\(Hexadecimal.string(md5))"
                + "</ExpectedDigest>")
        try `A checksum`.expectNothing(s3, "b")
    }

    @Test(arguments: ["", "x", "AAAA", "900150983cd24fb0d6963f7d28e17f72"])
    func `that is no base 64 of 16 bytes is invalid`(value: String) throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        let answer = try s3.put("a", "abc", headers: [("Content-MD5", value)])
        #expect(answer.status == 400)
        #expect(
            answer.errorContent
                == "<Code>InvalidDigest</Code><Message>The Content-MD5 you specified was invalid.</Message>"
                + "<Content-MD5>\(value)</Content-MD5>")
        try `A checksum`.expectNothing(s3, "a")
    }

    @Test(arguments: [3, 300_000, 2_000_000])
    func `in x-amz-content-sha256 is compared with the body (w3infra#79)`(size: Int) throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        let body = pattern(size)
        #expect(try s3.send(S3Call("PUT", "photos", "a", body: body)).status == 200)
        var request = try s3.request(S3Call("PUT", "photos", "b", body: body))
        request.body[size - 1] ^= 1
        let answer = try s3.send(request)
        #expect(answer.status == 400)
        #expect(
            answer.errorContent
                == "<Code>XAmzContentSHA256Mismatch</Code><Message>The provided 'x-amz-content-sha256' header does not "
                + "match what was computed.</Message><ClientComputedContentSHA256>\(sha256(body))"
                + "</ClientComputedContentSHA256><S3ComputedContentSHA256>\(sha256(request.body))"
                + "</S3ComputedContentSHA256>")
        try `A checksum`.expectNothing(s3, "b")
    }

    @Test(arguments: ["UNSIGNED-PAYLOAD"])
    func `is not asked of an unsigned payload`(payload: String) throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        #expect(try s3.put("a", "abc", headers: [("x-amz-content-sha256", payload)]).status == 200)
    }
}

@Suite struct `An aws-chunked upload` {
    @Test(arguments: [0, 1, 8_192, 65_536, 65_537, 400_000])
    func `with signed chunks stores the payload alone`(size: Int) throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        let body = pattern(size)
        let put = try s3.send(ChunkedUpload(isSigned: true).request(s3, "a", body))
        #expect(put.status == 200, "\(put.text)")
        let get = try s3.get("a")
        #expect(get.body == body)
        #expect(get["Content-Length"] == String(size))
    }

    @Test func `may travel in HTTP's own chunks (aws-proxy#132, gateway-st#89)`() throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        let body = pattern(100_000)
        var request = try ChunkedUpload(isSigned: false, trailer: (.crc32, `A checksum`.value(.crc32, body)))
            .request(s3, "a", body)
        request["Content-Length"] = nil
        request["Transfer-Encoding"] = "chunked"
        let pieces = stride(from: 0, to: request.body.count, by: 999).map { start in
            Array(request.body[start..<min(start + 999, request.body.count)])
        }
        request.body =
            pieces.flatMap { Array("\(String($0.count, radix: 16))\r\n".utf8) + $0 + Array("\r\n".utf8) }
            + Array("0\r\n\r\n".utf8)
        let answer = try s3.send(request)
        #expect(answer.status == 200, "\(answer.text)")
        #expect(try s3.get("a").body == body)
    }

    @Test(arguments: [true, false])
    func `with a chunk that was tampered with is refused`(hasTrailer: Bool) throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        let body = pattern(100_000)
        var upload = ChunkedUpload(
            isSigned: true, trailer: hasTrailer ? (.crc32, `A checksum`.value(.crc32, body)) : nil)
        upload.hasBadChunk = true
        let answer = try s3.send(upload.request(s3, "a", body))
        #expect(answer.status == 403)
        #expect(answer.code == "SignatureDoesNotMatch")
        #expect(answer.element("CanonicalRequest") == nil)
        #expect(answer.element("StringToSign")?.hasPrefix("AWS4-HMAC-SHA256-PAYLOAD\n") == true)
        try `A checksum`.expectNothing(s3, "a")
    }

    @Test(arguments: [(9, "IncompleteBody"), (11, "IncompleteBody")])
    func `whose decoded length differs is incomplete`(decodedLength: Int, code: String) throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        let answer = try s3.send(
            ChunkedUpload(isSigned: false, decodedLength: decodedLength).request(s3, "a", pattern(10)))
        #expect(answer.status == 400)
        #expect(answer.code == code)
        try `A checksum`.expectNothing(s3, "a")
    }

    @Test(arguments: [nil, "image/jpeg"] as [String?])
    func `is none without saying so: a body that looks like chunks is stored as it came (S3Mock#147, s3ninja#117)`(
        type: String?
    ) throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        let body = "5;chunk-signature=\(String(repeating: "a", count: 64))\r\nhello\r\n0\r\n\r\n"
        let headers: [WireRequest.Field] = type.map { [("Content-Type", $0)] } ?? []
        let call = S3Call("PUT", "photos", "a", headers: headers, body: body)
        #expect(try s3.send(call, .presigned(seconds: 60)).status == 200)
        #expect(try s3.get("a").text == body)
    }

    @Test func `needs its decoded length`() throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        var call = S3Call(
            "PUT", "photos", "a", headers: [("x-amz-content-sha256", "STREAMING-UNSIGNED-PAYLOAD-TRAILER")])
        call.body = Array("0\r\n\r\n".utf8)
        let answer = try s3.send(call)
        #expect(answer.status == 411)
        #expect(answer.code == "MissingContentLength")
    }

    @Test func `with chunks under 8,192 bytes before the last is refused (versitygw#1683)`() throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        let answer = try s3.send(ChunkedUpload(isSigned: true, chunkSize: 100).request(s3, "a", pattern(150)))
        #expect(answer.status == 400)
        #expect(
            answer.errorContent
                == "<Code>InvalidChunkSizeError</Code><Message>Only the last chunk is allowed to have a size less than 8192 "
                + "bytes</Message><Chunk>2</Chunk><BadChunkSize>100</BadChunkSize>")
        #expect(try !s3.has("a"))
    }
}
