import ShoalCrypto
import ShoalS3
import ShoalSigV4

/// A form as a browser sends it, signed as a web site signs it.
struct WebForm: Sendable {
    typealias Field = (name: String, value: String)

    static let boundary = "----FormBoundary7MA4YWxkTrZu0gW"

    var fields: [Field]
    var file: [UInt8]
    var filename: String?
    /// Fields behind the file.
    var trailing: [Field] = []
    /// What follows the two hyphens of the last boundary.
    var epilogue = "\r\n"

    init(_ fields: [Field], file: [UInt8], filename: String? = "harbour.jpg") {
        self.fields = fields
        self.file = file
        self.filename = filename
    }

    var body: [UInt8] {
        var body: [UInt8] = []
        for field in fields { Self.append(field, to: &body) }
        let name = filename.map { "; filename=\"\($0)\"" } ?? ""
        body += "--\(Self.boundary)\r\nContent-Disposition: form-data; name=\"file\"\(name)\r\n".utf8
        body += Array("Content-Type: text/x-ignored\r\n\r\n".utf8) + file + Array("\r\n".utf8)
        for field in trailing { Self.append(field, to: &body) }
        return body + Array("--\(Self.boundary)--\(epilogue)".utf8)
    }

    private static func append(_ field: Field, to body: inout [UInt8]) {
        body += "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(field.name)\"\r\n\r\n\(field.value)\r\n".utf8
    }

    func request(_ s3: S3Client, _ bucket: String = "photos", headers: [WireRequest.Field] = []) -> WireRequest {
        let body = body
        let address = s3.unsigned(S3Call("POST", bucket))
        return WireRequest(
            method: "POST", target: String(decoding: address.path, as: UTF8.self), host: address.host,
            headers: [
                ("Content-Type", "multipart/form-data; boundary=\(Self.boundary)"),
                ("Content-Length", String(body.count)),
            ] + headers, body: body)
    }

    subscript(name: String) -> String? {
        get { fields.first { $0.name == name }?.value }
        set {
            fields.removeAll { $0.name == name }
            if let newValue { fields.append((name, newValue)) }
        }
    }
}

// MARK: - Signing

extension S3Client {
    enum FormVersion: CaseIterable { case v4, v2 }

    /// A form for `photos` whose policy has a condition on each field and `conditions` besides.
    func form(
        _ fields: [WebForm.Field], conditions: [String] = [], file: [UInt8] = Array("file".utf8),
        filename: String? = "harbour.jpg", version: FormVersion = .v4, lifetime: Int64 = 60,
        at now: Timestamp = S3Client.now
    ) -> WebForm {
        var fields = fields
        if version == .v4 {
            fields += [
                ("x-amz-algorithm", "AWS4-HMAC-SHA256"),
                ("x-amz-credential", "\(accessKey)/\(now.day)/\(region)/s3/aws4_request"), ("x-amz-date", now.amzDate),
            ]
        }
        // What a file name is put into is only known by its beginning.
        let own = fields.map { field in
            let start = field.value.firstRange(of: "${filename}")?.lowerBound ?? field.value.endIndex
            let operation = start == field.value.endIndex ? "eq" : "starts-with"
            return #"["\#(operation)", "$\#(field.name)", "\#(field.value[..<start])"]"#
        }
        let all = ([#"{"bucket": "photos"}"#] + own + conditions).joined(separator: ", ")
        let expiration = now.adding(seconds: lifetime).iso8601
        let policy = #"{"expiration": "\#(expiration)", "conditions": [\#(all)]}"#
        return WebForm(signed(fields, policy: policy, version: version, at: now), file: file, filename: filename)
    }

    /// `fields` with this policy and its signature.
    func signed(
        _ fields: [WebForm.Field], policy: String, version: FormVersion = .v4, at now: Timestamp = S3Client.now
    ) -> [WebForm.Field] {
        let text = Base64.encode(Array(policy.utf8))
        let encoded = String(decoding: text, as: UTF8.self)
        guard version == .v4 else {
            let signature = Base64.string(HMAC.sha1(key: secret.utf8, text))
            return fields + [("AWSAccessKeyId", accessKey), ("policy", encoded), ("signature", signature)]
        }
        let key = SigningKey(
            secret: Array(secret.utf8), day: now.day.utf8, region: region.utf8, service: "s3".utf8)
        let signature = String(decoding: key.sign(text[...]).text, as: UTF8.self)
        return fields + [("policy", encoded), ("x-amz-signature", signature)]
    }
}
