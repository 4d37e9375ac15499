import ShoalAdminAPI
import ShoalCrypto
import ShoalS3
import ShoalSigV4
import ShoalWire
import Testing

extension S3Client {
    /// The same client with credentials that the server made by its admin API.
    func temporary(expiresIn seconds: Int, of accessKey: String? = nil) throws -> S3Client {
        let wanted = TemporaryKeysRequest(expiresIn: seconds, accessKey: accessKey)
        let answer = try AdminClient(server).send(
            "POST", "/credentials", String(decoding: wanted.bytes, as: UTF8.self))
        try #require(answer.status == 201, "\(answer.text)")
        return with(try TemporaryKeys(decoding: answer.body))
    }

    func with(_ keys: TemporaryKeys) -> S3Client {
        var client = self
        (client.accessKey, client.secret, client.sessionToken) =
            (keys.accessKeyId, keys.secretAccessKey, keys.sessionToken)
        return client
    }

    /// The same client without, or with another, token.
    func with(token: String?) -> S3Client {
        var client = self
        client.sessionToken = token
        return client
    }

    /// A request to the Security Token Service, signed as AWS's SDKs sign it.
    func securityToken(
        _ body: String, service: String = "sts", at now: Timestamp = S3Client.now
    ) throws -> WireRequest {
        var headers: [WireRequest.Field] = [
            ("Content-Type", "application/x-www-form-urlencoded; charset=utf-8"), ("X-Amz-Date", now.amzDate),
        ]
        if let sessionToken { headers.append(("X-Amz-Security-Token", sessionToken)) }
        let names = headers.map { $0.name.lowercased() }.sorted()
        let signedHeaders = (["content-type", "host"] + names.dropFirst()).joined(separator: ";")
        let lines = names.map { name in
            "\(name):\(headers.first { $0.name.lowercased() == name }?.value ?? "")\n"
        }
        let canonical =
            "POST\n/\n\n" + lines[0] + "host:\(host)\n" + lines.dropFirst().joined() + "\n\(signedHeaders)\n"
            + sha256(Array(body.utf8))
        let scope = "\(now.day)/\(region)/\(service)/aws4_request"
        let stringToSign = "AWS4-HMAC-SHA256\n\(now.amzDate)\n\(scope)\n\(sha256(Array(canonical.utf8)))"
        let key = SigningKey(
            secret: Array(secret.utf8), day: now.day.utf8, region: region.utf8, service: service.utf8)
        let signature = String(decoding: key.sign(Array(stringToSign.utf8)[...]).text, as: UTF8.self)
        headers.append(
            (
                "Authorization",
                "AWS4-HMAC-SHA256 Credential=\(accessKey)/\(scope), SignedHeaders=\(signedHeaders), "
                    + "Signature=\(signature)"
            ))
        headers.append(("Content-Length", String(body.utf8.count)))
        return WireRequest(method: "POST", target: "/", host: host, headers: headers, body: Array(body.utf8))
    }

    /// An action of the Security Token Service.
    func securityToken(action: String, _ parameters: String = "", at now: Timestamp = S3Client.now) throws
        -> WireResponse
    {
        try send(try securityToken("Action=\(action)&Version=2011-06-15\(parameters)", at: now))
    }
}

extension WireResponse {
    /// The credentials that an answer of the Security Token Service holds.
    func credentials() throws -> TemporaryKeys {
        TemporaryKeys(
            accessKeyId: try #require(element("AccessKeyId"), "\(text)"),
            secretAccessKey: try #require(element("SecretAccessKey")),
            sessionToken: try #require(element("SessionToken")), expiration: try #require(element("Expiration")))
    }
}
