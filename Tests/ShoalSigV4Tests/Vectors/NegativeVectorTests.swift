import FoundationEssentials
import ShoalCrypto
import ShoalHTTP
import ShoalS3
import Testing

@testable import ShoalSigV4

/// One fault at a time and in pairs, with the answer that AWS gave or documents.
private struct NegativeVector: Decodable, Sendable, CustomTestStringConvertible {
    struct Request: Decodable, Sendable {
        let method: String
        let raw_target: String
        let headers: [[String]]
        let body_b64: String
    }
    struct Setup: Decodable, Sendable {
        let session_token_for_key: String?
        let session_expired: Bool?
    }
    struct Expectation: Decodable, Sendable {
        let status: Int
        let code: String?
        let message: String?
        let elements: [Element]
    }
    /// A name, or a name with its exact value.
    enum Element: Decodable, Sendable {
        case named(String)
        case exact(String, String)

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let name = try? container.decode(String.self) {
                self = .named(name)
            } else {
                let pair = try #require(try container.decode([String: String].self).first)
                self = .exact(pair.key, pair.value)
            }
        }

        var name: String {
            switch self {
            case .named(let name), .exact(let name, _): name
            }
        }
    }
    let id: String
    let now: String
    let request: Request
    let setup: Setup?
    let expect: Expectation

    var testDescription: String { id }

    static let all = Fixture.vectors("negative.json", of: NegativeVector.self)
    static let secret = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"

    var body: [UInt8] { Array(Data(base64Encoded: request.body_b64) ?? Data()) }

    /// What the server is told to send: every vector but the one about a missing length gets the body's.
    func parsed() throws -> RequestHead {
        var wire = WireRequest(request.method, request.raw_target, pairs: request.headers)
        let names = wire.headers.map { $0.name.lowercased() }
        if id != "q-no-length" && !names.contains("content-length") && !names.contains("transfer-encoding") {
            wire.headers.append(("Content-Length", String(body.count)))
        }
        return try wire.parsed()
    }
}

@Suite struct `A refusal` {
    @Test func `has all its vectors here`() { #expect(NegativeVector.all.count == 147) }

    @Test(arguments: NegativeVector.all)
    fileprivate func `is AWS's, to the letter`(vector: NegativeVector) throws {
        let error = try answer(to: vector)
        #expect((error?.code.status.code ?? 200) == vector.expect.status)
        #expect(error?.code.rawValue == vector.expect.code)
        #expect(error?.message == vector.expect.message)
        #expect(Set((error?.elements ?? []).map(\.name)) == Set(vector.expect.elements.map(\.name)))
        for case .exact(let name, let value) in vector.expect.elements { #expect(error?.element(name) == value) }
    }

    /// The checks of the head, and behind them those of the body, which are an upload's own affair and belong to the
    /// operation: they are evaluated here so that the vectors are used to the end.
    private func answer(to vector: NegativeVector) throws -> S3Error? {
        let head = try vector.parsed()
        let lookup = knowing(
            "AKIAIOSFODNN7EXAMPLE", NegativeVector.secret, token: vector.setup?.session_token_for_key,
            tokenExpiry: vector.setup?.session_expired == true ? Timestamp(seconds: 0) : nil)
        do {
            if head.method == .put { try UploadLength.check(head) }
            switch Authenticator(regions: .only("us-east-1"))
                .verify(head, at: Timestamp(iso: vector.now), lookup: lookup)
            {
            case .anonymous: return S3Error(.accessDenied)
            case .rejected(let error): return error
            case .accepted(let authentication):
                try BodyEvaluator(head: head, body: vector.body, payload: authentication.payload).check()
                return nil
            }
        } catch let error as S3Error {
            return error
        }
    }
}

/// The body phase of PutObject as far as these vectors go.
private struct BodyEvaluator {
    let head: RequestHead
    let body: [UInt8]
    let payload: PayloadExpectation

    func check() throws {
        if case .sha256(let promised) = payload {
            let computed = Hexadecimal.string(Digest.of(body, .sha256))
            if computed != text(promised).lowercased() {
                throw S3Error(
                    .xAmzContentSHA256Mismatch,
                    elements: [
                        S3Error.Element("ClientComputedContentSHA256", text(promised)),
                        S3Error.Element("S3ComputedContentSHA256", computed),
                    ])
            }
        }
        if let promised = head.first("content-md5"), Base64.decode(promised) != Digest.of(body, .md5) {
            throw S3Error(
                .badDigest,
                elements: [
                    S3Error.Element("ExpectedDigest", text(promised)),
                    S3Error.Element("CalculatedDigest", Hexadecimal.string(Digest.of(body, .md5))),
                ])
        }
        if let promised = head.first("x-amz-checksum-sha256"), Base64.decode(promised) != Digest.of(body, .sha256) {
            throw S3Error(.badDigest, "The SHA256 you specified did not match the calculated checksum.")
        }
    }
}
