import ShoalCrypto
import ShoalS3
import ShoalSigV4

/// Builds `aws-chunked` requests as SDKs send them.
/// https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-streaming-trailers.html
struct ChunkedUpload: Sendable {
    var isSigned: Bool
    /// The checksum behind the body; nil for the form without a trailer.
    var trailer: (algorithm: ChecksumAlgorithm, value: String)?
    var chunkSize = 65_536
    /// Breaks the signature of the first chunk.
    var hasBadChunk = false
    /// Announces the trailer and leaves it out.
    var omitsTrailer = false
    /// What `x-amz-decoded-content-length` says, if not the truth.
    var decodedLength: Int?

    var payloadKeyword: String {
        switch (isSigned, trailer) {
        case (true, nil): "STREAMING-AWS4-HMAC-SHA256-PAYLOAD"
        case (true, .some): "STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER"
        case (false, _): "STREAMING-UNSIGNED-PAYLOAD-TRAILER"
        }
    }

    func request(_ s3: S3Client, _ key: String, _ body: [UInt8]) throws -> WireRequest {
        var headers: [WireRequest.Field] = [
            ("Content-Encoding", "aws-chunked"), ("x-amz-decoded-content-length", String(decodedLength ?? body.count)),
        ]
        if let trailer { headers.append(("x-amz-trailer", trailer.algorithm.headerName)) }
        let unsigned = s3.unsigned(S3Call("PUT", "photos", key, headers: headers))
        let signed = try s3.presigner.sign(unsigned, payload: payloadKeyword, at: S3Client.now)
        var request = WireRequest(
            method: "PUT", target: signed.target, host: signed.host, headers: signed.headers, body: [])
        request.body = framed(body, signed.chunkSigning)
        request["Content-Length"] = String(request.body.count)
        return request
    }

    private func framed(_ body: [UInt8], _ signing: ChunkSigning) -> [UInt8] {
        var framed: [UInt8] = []
        var link = signing
        for start in stride(from: 0, to: body.count, by: chunkSize) {
            append(Array(body[start..<min(start + chunkSize, body.count)]), to: &framed, &link, isFirst: start == 0)
        }
        append([], to: &framed, &link, isFirst: false)
        if let trailer, !omitsTrailer {
            let canonical = "\(trailer.algorithm.headerName):\(trailer.value)\n"
            framed += "\(trailer.algorithm.headerName):\(trailer.value)\r\n".utf8
            if isSigned {
                let text = ChunkSignatureChain(link).trailerStringToSign(canonical: Array(canonical.utf8))
                framed += Array("x-amz-trailer-signature:".utf8) + link.key.sign(text[...]).text + Array("\r\n".utf8)
            }
        }
        return framed + Array("\r\n".utf8)
    }

    /// The final chunk has no data and no line end of its own.
    private func append(_ data: [UInt8], to framed: inout [UInt8], _ link: inout ChunkSigning, isFirst: Bool) {
        framed += String(data.count, radix: 16).utf8
        if isSigned {
            let text = ChunkSignatureChain(link).chunkStringToSign(digest: Digest.of(data, .sha256))
            let signature = link.key.sign(text[...])
            let sent = isFirst && hasBadChunk ? Array(repeating: UInt8(ascii: "0"), count: 64) : signature.text
            framed += Array(";chunk-signature=".utf8) + sent
            link = ChunkSigning(
                seed: signature, key: link.key, accessKeyId: link.accessKeyId, date: link.date, scope: link.scope)
        }
        framed += "\r\n".utf8
        if !data.isEmpty { framed += data + Array("\r\n".utf8) }
    }
}
