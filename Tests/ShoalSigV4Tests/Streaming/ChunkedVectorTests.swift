import FoundationEssentials
import ShoalCrypto
import ShoalHTTP
import ShoalS3
import ShoalSeeded
import Testing

@testable import ShoalSigV4

/// `aws-chunked` bodies with every string to sign of the chain.
struct StreamingVector: Decodable, Sendable, CustomTestStringConvertible {
    struct Chunk: Decodable, Sendable {
        let size: Int
        let string_to_sign: String
        let signature: String
    }
    struct Trailer: Decodable, Sendable {
        let canonical: String
        let string_to_sign: String
        let signature: String
    }
    let id: String
    let mode: String
    let method: String
    let path: String?
    let headers: [[String]]
    let chunks: [Chunk]?
    let trailer: Trailer?
    let wire_body_b64: String?
    let decoded_sha256: String
    let secret_key: String?
    let now: String?

    var testDescription: String { id }

    static let all = Fixture.vectors("streaming.json", of: StreamingVector.self)
    static let signed = all.filter { $0.chunks != nil }

    var isSigned: Bool { chunks != nil }

    /// The head; the unsigned vectors have none of a signed request, so they are sent without authentication.
    func parsed() throws -> RequestHead {
        var request = WireRequest(method, path ?? "/bucket/hello.txt", pairs: headers)
        if !request.headers.contains(where: { $0.name.lowercased() == "host" }) {
            request.headers.insert(("Host", "localhost:9000"), at: 0)
        }
        // One vector lists its Content-Length twice, which no request may.
        if let last = request.headers.lastIndex(where: { $0.name == "Content-Length" }),
            let first = request.headers.firstIndex(where: { $0.name == "Content-Length" }), first < last
        {
            request.headers.remove(at: last)
        }
        return try request.parsed()
    }

    func verdict(_ head: RequestHead) -> Verdict {
        Authenticator().verify(
            head, at: Timestamp(iso: now ?? "2026-03-14T15:09:26Z"),
            lookup: knowing("AKIAIOSFODNN7EXAMPLE", secret_key ?? ""))
    }

    func payload(_ head: RequestHead) throws -> PayloadExpectation {
        switch verdict(head) {
        case .accepted(let authentication): return authentication.payload
        case .anonymous(let payload): return payload
        case .rejected(let error): throw error
        }
    }

    func decoder() throws -> AWSChunkedDecoder {
        let head = try parsed()
        return try #require(try AWSChunkedDecoder(head, try payload(head)))
    }

    /// The bytes on the wire; those of AWS's example are put together from its description, 65 KiB of `a`.
    var wire: [UInt8] {
        if let wire_body_b64 { return Array(Data(base64Encoded: wire_body_b64) ?? Data()) }
        var body: [UInt8] = []
        for chunk in chunks ?? [] {
            body += "\(String(chunk.size, radix: 16));chunk-signature=\(chunk.signature)\r\n".utf8
            body += [UInt8](repeating: UInt8(ascii: "a"), count: chunk.size)
            if chunk.size > 0 { body += "\r\n".utf8 }
        }
        if let trailer {
            // As AWS prints it: LF behind the value, and an empty line before the signature.
            body += trailer.canonical.utf8
            body += "\r\nx-amz-trailer-signature:\(trailer.signature)\r\n".utf8
        }
        return body + Array("\r\n".utf8)
    }
}

/// Feeds a body in pieces that begin at `cuts` and returns its payload and checksum.
func decode(_ wire: [UInt8], cuts: [Int] = [], with decoder: AWSChunkedDecoder) throws
    -> (payload: [UInt8], checksum: Checksum?)
{
    var payload: [UInt8] = []
    var start = 0
    for end in cuts + [wire.count] {
        let piece = Array(wire[start..<end])
        var index = 0
        loop: while true {
            switch try decoder.next(piece.span, from: index) {
            case .payload(let range):
                payload += piece[range]
                index = range.upperBound
            case .needsMore: break loop
            }
        }
        start = end
    }
    return (payload, try decoder.finish())
}

@Suite struct `An aws-chunked body` {
    @Test func `has all its vectors here`() {
        #expect(StreamingVector.all.count == 9)
        #expect(StreamingVector.signed.count == 7)
    }

    @Test(arguments: StreamingVector.all)
    func `is decoded and verified`(vector: StreamingVector) throws {
        let (payload, checksum) = try decode(vector.wire, with: try vector.decoder())
        #expect(Hexadecimal.string(Digest.of(payload, .sha256)) == vector.decoded_sha256)
        #expect((checksum != nil) == vector.mode.hasSuffix("-TRAILER"))
        if let trailer = vector.trailer, let checksum {
            #expect(trailer.canonical == "\(checksum.algorithm.headerName):\(checksum.text)\n")
        }
    }

    @Test(arguments: StreamingVector.all)
    func `is decoded however it is split`(vector: StreamingVector) throws {
        let wire = vector.wire
        var random = SeededGenerator(seed: 7)
        let everyByte = Array(1..<min(wire.count, 4_000))
        var splits = [everyByte]
        for _ in 0..<20 {
            splits.append(Set((0..<6).map { _ in Int.random(in: 1..<wire.count, using: &random) }).sorted())
        }
        for cuts in splits {
            let (payload, _) = try decode(wire, cuts: cuts, with: try vector.decoder())
            #expect(Hexadecimal.string(Digest.of(payload, .sha256)) == vector.decoded_sha256, "cut at \(cuts)")
        }
    }

    @Test(arguments: StreamingVector.signed.filter { $0.wire_body_b64 != nil })
    func `is decoded though its signatures are passed over`(vector: StreamingVector) throws {
        let head = try vector.parsed()
        let decoder = try #require(try AWSChunkedDecoder(head, PayloadExpectation(unverified: head)))
        let altered = text(vector.wire).replacing("ignature=", with: "ignature=0")
        let (payload, checksum) = try decode(Array(altered.utf8), with: decoder)
        #expect(Hexadecimal.string(Digest.of(payload, .sha256)) == vector.decoded_sha256)
        #expect((checksum != nil) == (vector.trailer != nil))
    }

    @Test(arguments: StreamingVector.signed)
    func `signs each chunk as its vector does`(vector: StreamingVector) throws {
        let head = try vector.parsed()
        guard case .chunked(let signing?, _) = try vector.payload(head) else {
            Issue.record("the payload is not signed")
            return
        }
        let payload = try decode(vector.wire, with: try vector.decoder()).payload[...]
        var (chain, start) = (ChunkSignatureChain(signing), 0)
        for chunk in try #require(vector.chunks) {
            let digest = Digest.of(Array(payload[start..<(start + chunk.size)]), .sha256)
            #expect(text(chain.chunkStringToSign(digest: digest)) == chunk.string_to_sign)
            try chain.verifyChunk(digest: digest, provided: Array(chunk.signature.utf8)[...])
            start += chunk.size
        }
        if let trailer = vector.trailer {
            #expect(
                text(chain.trailerStringToSign(canonical: Array(trailer.canonical.utf8))) == trailer.string_to_sign)
        }
    }
}
