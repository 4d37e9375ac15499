import ShoalS3

extension PostFormSignature {
    /// The signature a form carries; nil for one that has neither a policy nor anything of a signature.
    ///
    /// Throws 400 `InvalidArgument` for the first field that is missing, and 403 `AccessDenied` for a policy that nobody
    /// signed.
    package init?(_ form: PostForm) throws(S3Error) {
        let policy = form.first("policy")
        let token = form.first("x-amz-security-token")
        let v4 = [
            ("X-Amz-Signature", form.first("x-amz-signature")), ("X-Amz-Algorithm", form.first("x-amz-algorithm")),
            ("X-Amz-Credential", form.first("x-amz-credential")), ("X-Amz-Date", form.first("x-amz-date")),
        ]
        let v2 = [("Signature", form.first("signature")), ("AWSAccessKeyId", form.first("awsaccesskeyid"))]
        if v4.dropLast().contains(where: { $0.1 != nil }) {
            let values = try Self.values(v4 + [("policy", policy)])
            self.init(
                v4: values[4], algorithm: values[1], credential: values[2], date: values[3], signature: values[0],
                token: token)
        } else if v2.contains(where: { $0.1 != nil }) {
            let values = try Self.values(v2 + [("policy", policy)])
            self.init(v2: values[2], accessKeyId: values[1], signature: values[0], token: token)
        } else if policy != nil {
            throw S3Error(.accessDenied)
        } else {
            return nil
        }
    }

    private static func values(_ fields: [(name: String, value: [UInt8]?)]) throws(S3Error) -> [[UInt8]] {
        var values: [[UInt8]] = []
        for (name, value) in fields {
            guard let value else { throw .missingField(name) }
            values.append(value)
        }
        return values
    }
}
