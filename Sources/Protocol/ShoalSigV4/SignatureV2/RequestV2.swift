import ShoalCrypto
import ShoalHTTP
import ShoalS3

/// A request signed with Signature Version 2, which AWS still verifies and boto3 still presigns with by default.
/// https://docs.aws.amazon.com/AmazonS3/latest/userguide/RESTAuthentication.html
struct RequestV2 {
    let head: RequestHead
    let query: RawQuery
    /// The bucket that the Host field names; it stands before the path in the signed resource.
    let hostBucket: [UInt8]?

    /// `AKID:signature` of an `Authorization` header.
    func verifyHeader(
        _ parameters: ArraySlice<UInt8>, at now: Timestamp, lookup: (ArraySlice<UInt8>) -> Credential?
    ) throws(S3Error) -> Authentication {
        let parts = parameters.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[1].isEmpty else {
            throw .invalidArgument(
                "AWS authorization header is invalid.  Expected AwsAccessKeyId:signature", name: "Authorization",
                value: head.text("authorization"))
        }
        let (date, issued) = try SignatureClaim.headerDate(of: head, at: now)
        // An x-amz-date is among the amz headers and leaves its line empty.
        let dateLine = head.first("x-amz-date") == nil ? date : []
        let credential = try match(parts[1], by: parts[0], dateLine: dateLine, at: now, lookup: lookup)
        return try authentication(.headerV2, by: parts[0], credential, issued: issued, expiry: nil)
    }

    /// `AWSAccessKeyId`, `Expires` (seconds since 1970) and `Signature` of a presigned URL, whose life has no limit.
    func verifyQuery(
        at now: Timestamp, lookup: (ArraySlice<UInt8>) -> Credential?
    ) throws(S3Error) -> Authentication {
        guard let expires = query.first("Expires"), let accessKeyId = query.first("AWSAccessKeyId"),
            let signature = query.first("Signature")
        else {
            throw S3Error(
                .accessDenied,
                "Query-string authentication requires the Signature, Expires and AWSAccessKeyId parameters")
        }
        guard let seconds = Decimal.signed(expires), seconds <= Int64(Int32.max) else {
            throw S3Error(.accessDenied, "Invalid date (should be seconds since epoch): \(expires.text)")
        }
        // Whatever lies before 1901 is as expired as 1901, and milliseconds must fit.
        let expiry = Timestamp(seconds: max(seconds, Int64(Int32.min)))
        guard now <= expiry else {
            throw S3Error(
                .accessDenied, "Request has expired",
                elements: [
                    S3Error.Element("Expires", expiry.iso8601Seconds),
                    S3Error.Element("ServerTime", now.iso8601Seconds),
                ])
        }
        let credential = try match(signature, by: accessKeyId, dateLine: expires, at: now, lookup: lookup)
        return try authentication(.queryV2, by: accessKeyId, credential, issued: nil, expiry: expiry)
    }

    private func match(
        _ signature: ArraySlice<UInt8>, by accessKeyId: ArraySlice<UInt8>, dateLine: ArraySlice<UInt8>,
        at now: Timestamp, lookup: (ArraySlice<UInt8>) -> Credential?
    ) throws(S3Error) -> Credential {
        // As among the signed lines: the parameter wins.
        let token = query.firstIgnoringCase("x-amz-security-token") ?? head.first("x-amz-security-token")
        let credential = try Credential.resolve(accessKeyId, token: token, at: now, in: lookup)
        let stringToSign = stringToSign(dateLine: dateLine)
        guard Self.sign(stringToSign, secret: credential.secret).matches(Signature(signature)) else {
            throw SignatureMismatch.refusal(
                accessKeyId: accessKeyId, stringToSign: stringToSign[...], provided: signature)
        }
        return credential
    }

    private func authentication(
        _ mechanism: Authentication.Mechanism, by accessKeyId: ArraySlice<UInt8>, _ credential: Credential,
        issued: Timestamp?, expiry: Timestamp?
    ) throws(S3Error) -> Authentication {
        let payload = try PayloadExpectation.withoutSeed(
            head, refusal: "The value of x-amz-content-sha256 header is invalid.")
        return Authentication(
            accessKeyId: Array(accessKeyId), session: credential.session?.temporary, mechanism: mechanism,
            signedHeaders: [], issued: issued, expiry: expiry, payload: payload)
    }

    /// Base 64 of the HMAC-SHA-1.
    static func sign(_ stringToSign: [UInt8], secret: [UInt8]) -> Signature {
        Signature(Base64.encode(HMAC.sha1(key: secret, stringToSign)))
    }
}

// MARK: - String to sign

extension RequestV2 {
    func stringToSign(dateLine: ArraySlice<UInt8>) -> [UInt8] {
        let lineFeed = UInt8(ascii: "\n")
        var buffer = Array(head.methodText)
        buffer.append(lineFeed)
        buffer += head.first("content-md5") ?? []
        buffer.append(lineFeed)
        buffer += head.first("content-type") ?? []
        buffer.append(lineFeed)
        buffer += dateLine
        buffer.append(lineFeed)
        appendAmzHeaders(to: &buffer)
        appendResource(to: &buffer)
        return buffer
    }

    /// Every `x-amz-*` header and query parameter, sorted; a parameter wins over a header of the same name.
    private func appendAmzHeaders(to buffer: inout [UInt8]) {
        var fields: [AmzField] = []
        for line in head.fieldLines {
            let name = head.name(of: line).map(\.lowercasedASCII)
            guard name.starts(with: "x-amz-".utf8) else { continue }
            fields.append(AmzField(name: name, value: head.value(of: line), isParameter: false, position: fields.count))
        }
        for parameter in query.list {
            let name = query.name(parameter).map(\.lowercasedASCII)
            guard name.starts(with: "x-amz-".utf8) else { continue }
            fields.append(
                AmzField(name: name, value: query.value(parameter), isParameter: true, position: fields.count))
        }
        fields.sort { $0.precedes($1) }
        var rest = fields[...]
        while let first = rest.first {
            let group = rest.prefix { $0.name == first.name }
            rest = rest.dropFirst(group.count)
            buffer += first.name
            buffer.append(UInt8(ascii: ":"))
            if let last = group.last, last.isParameter {
                buffer += last.value
            } else {
                buffer += group.map(\.value).joined(separator: [UInt8(ascii: ",")])
            }
            buffer.append(UInt8(ascii: "\n"))
        }
    }

    private struct AmzField {
        /// In lower case.
        let name: [UInt8]
        let value: ArraySlice<UInt8>
        let isParameter: Bool
        /// Header lines in wire order, then parameters in wire order.
        let position: Int

        func precedes(_ other: AmzField) -> Bool {
            name == other.name ? position < other.position : name.lexicographicallyPrecedes(other.name)
        }
    }

    /// The path exactly as sent, behind the bucket of a virtual host, and the sub-resources sorted by name.
    private func appendResource(to buffer: inout [UInt8]) {
        if let hostBucket {
            buffer.append(UInt8(ascii: "/"))
            buffer += hostBucket
        }
        let path = head.path
        if path.isEmpty { buffer.append(UInt8(ascii: "/")) } else { buffer += path }
        var signed: [(name: ArraySlice<UInt8>, value: ArraySlice<UInt8>?)] = []
        for parameter in query.list {
            let name = query.name(parameter)
            guard let isValueSigned = SubResources.isValueSigned(name),
                !signed.contains(where: { $0.name.elementsEqual(name) })
            else { continue }
            signed.append((name, isValueSigned ? query.value(parameter) : nil))
        }
        signed.sort { $0.name.lexicographicallyPrecedes($1.name) }
        for (position, parameter) in signed.enumerated() {
            buffer.append(position == 0 ? UInt8(ascii: "?") : UInt8(ascii: "&"))
            buffer += parameter.name
            guard let value = parameter.value else { continue }
            buffer.append(UInt8(ascii: "="))
            buffer += value
        }
    }
}
