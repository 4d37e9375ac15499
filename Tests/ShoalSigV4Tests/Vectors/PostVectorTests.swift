import ShoalHTTP
import ShoalS3
import Testing

@testable import ShoalSigV4

/// POST forms signed by botocore, and the example of AWS's documentation.
private struct PostVector: Decodable, Sendable, CustomTestStringConvertible {
    let id: String
    let signature_version: String?
    let fields: [String: String]?
    let string_to_sign: String
    let signature: String
    let access_key: String
    let secret_key: String
    let session_token: String?
    let amz_date: String?
    let region: String?

    var testDescription: String { id }

    static let all = Fixture.vectors("post.json", of: PostVector.self)

    /// The form; the documented example gives its policy and its date alone.
    func form(policy: String? = nil) -> PostFormSignature {
        let fields = fields ?? [:]
        let policy = Array((policy ?? string_to_sign).utf8)
        if signature_version == "v2" {
            return PostFormSignature(
                v2: policy, accessKeyId: Array(access_key.utf8), signature: Array(signature.utf8), token: nil)
        }
        return PostFormSignature(
            v4: policy, algorithm: Array("AWS4-HMAC-SHA256".utf8),
            credential: Array((fields["x-amz-credential"] ?? "\(access_key)/20151229/us-east-1/s3/aws4_request").utf8),
            date: Array((fields["x-amz-date"] ?? "20151229T000000Z").utf8), signature: Array(signature.utf8),
            token: session_token.map { Array($0.utf8) })
    }

    /// The fields as a browser sends them; nil for the documented example.
    var postForm: PostForm? {
        fields.map { fields in
            var form = PostForm()
            for (name, value) in fields { form.append(Array(name.utf8), Array(value.utf8)) }
            return form
        }
    }

    var lookup: (ArraySlice<UInt8>) -> Credential? { knowing(access_key, secret_key, token: session_token) }
}

@Suite struct `The signature of a POST form` {
    private let now = Timestamp(iso: "2026-03-14T15:09:26Z")

    @Test func `has all its vectors here`() { #expect(PostVector.all.count == 7) }

    @Test(arguments: PostVector.all)
    fileprivate func `is accepted`(vector: PostVector) throws {
        let verdict = Authenticator(regions: .only("us-east-1")).verify(vector.form(), at: now, lookup: vector.lookup)
        let authentication = try #require(verdict.authentication, "\(String(describing: verdict.error))")
        #expect(authentication.mechanism == .form)
        #expect(text(authentication.accessKeyId) == vector.access_key)
    }

    @Test(arguments: PostVector.all)
    fileprivate func `is found in its fields, which its policy allows`(vector: PostVector) throws {
        guard let form = vector.postForm else { return }
        let signature = try #require(try PostFormSignature(form))
        #expect((signature.version == .v2) == (vector.signature_version == "v2"))
        let verdict = Authenticator().verify(signature, at: now, lookup: vector.lookup)
        #expect(verdict.authentication != nil, "\(String(describing: verdict.error))")
        let policy = try PostPolicy(signature.policy)
        try policy.check(form, in: try #require(BucketName("bucket")), at: now)
    }

    @Test(arguments: ["policy", "x-amz-signature", "x-amz-algorithm", "x-amz-credential", "x-amz-date"])
    func `is missed by the name of the field that lacks`(name: String) throws {
        let fields = try #require(PostVector.all.first { $0.signature_version == "v4" }?.fields)
        var form = PostForm()
        for (field, value) in fields where field != name { form.append(Array(field.utf8), Array(value.utf8)) }
        do {
            _ = try PostFormSignature(form)
            Issue.record("nothing was missed")
        } catch {
            #expect(error.code == .invalidArgument && error.element("ArgumentValue") == "")
            #expect(error.element("ArgumentName")?.lowercased() == name)
        }
    }

    @Test func `is none where nothing is signed, and refused for a policy that is not`() throws {
        #expect(try PostFormSignature(PostForm()).map { $0.version } == nil)
        var form = PostForm()
        form.append(Array("policy".utf8), Array("e30=".utf8))
        do {
            _ = try PostFormSignature(form)
            Issue.record("a policy that nobody signed")
        } catch {
            #expect(error.code == .accessDenied)
        }
    }

    @Test(arguments: PostVector.all)
    fileprivate func `is refused over another policy, with the policy as string to sign`(vector: PostVector) throws {
        let error = Authenticator().verify(vector.form(policy: "e30="), at: now, lookup: vector.lookup).error
        #expect(error?.code == .signatureDoesNotMatch)
        #expect(error?.element("StringToSign") == "e30=")
        #expect(error?.element("CanonicalRequest") == nil)
    }

    @Test(arguments: [
        ("AWS4-HMAC-SHA1", "20260314T150926Z", "K/20260314/us-east-1/s3/aws4_request", "X-Amz-Algorithm"),
        ("AWS4-HMAC-SHA256", "2026-03-14", "K/20260314/us-east-1/s3/aws4_request", "X-Amz-Date"),
        ("AWS4-HMAC-SHA256", "20260314T150926Z", "K/20260314/eu-west-1/s3/aws4_request", "X-Amz-Credential"),
        ("AWS4-HMAC-SHA256", "20260314T150926Z", "K/20260314/us-east-1/ec2/aws4_request", "X-Amz-Credential"),
        ("AWS4-HMAC-SHA256", "20260314T150926Z", "K", "X-Amz-Credential"),
    ])
    func `names the field that is wrong`(algorithm: String, date: String, credential: String, field: String) {
        let form = PostFormSignature(
            v4: Array("e30=".utf8), algorithm: Array(algorithm.utf8), credential: Array(credential.utf8),
            date: Array(date.utf8), signature: [], token: nil)
        let error = Authenticator(regions: .only("us-east-1"))
            .verify(form, at: now, lookup: knowing("K", "secret")).error
        #expect(error?.code == .invalidArgument)
        #expect(error?.element("ArgumentName") == field)
        #expect((error?.element("Region") == "us-east-1") == credential.contains("eu-west-1"))
    }
}
