import ShoalHTTP

/// What PutObject, CreateMultipartUpload and a replacing CopyObject say about the object they write.
/// https://docs.aws.amazon.com/AmazonS3/latest/API/API_PutObject.html#API_PutObject_RequestSyntax
package struct ObjectHeaders: Sendable {
    package let metadata: ObjectMetadata
    package let storageClass: StorageClass
    package let acl: CannedACL?
    package let tags: TagSet?

    /// Bytes of user metadata, names without prefix and values together.
    package static let userMetadataByteCountMax = 2_048
    /// Bytes of all header lines.
    package static let headerSectionByteCountMax = 8_192

    /// Throws 400 in S3's order: `RequestHeaderSectionTooLarge`, the list in `x-amz-acl`, `InvalidStorageClass`,
    /// `InvalidRedirectLocation`, `MetadataTooLarge`, and the tags.
    package init(_ fields: RequestFields) throws(S3Error) {
        try Self.checkHeaderSection(fields.head)
        try self.init(fields, .header)
    }

    /// The same for the fields of a form, which are no header section.
    package init(form fields: RequestFields) throws(S3Error) { try self.init(fields, .form) }

    private init(_ fields: RequestFields, _ origin: ObjectMetadata.Origin) throws(S3Error) {
        acl = try CannedACL.named(in: fields)
        storageClass = try StorageClass(fields)
        metadata = try ObjectMetadata(fields, from: origin)
        tags = try TagSet.named(in: fields)
    }

    /// Throws 400 `RequestHeaderSectionTooLarge` beyond 8 KiB.
    ///
    /// Differs from S3: lines called `Cookie` do not count, because a browser sends a local server the cookies of every
    /// other one on that host.
    static func checkHeaderSection(_ head: RequestHead) throws(S3Error) {
        guard head.bytes.count > headerSectionByteCountMax else { return }
        let byteCount = head.fieldLines.reduce(0) { sum, line in
            head.isNamed(line, "cookie") ? sum : sum + line.name.count + line.value.count + 4
        }
        guard byteCount > headerSectionByteCountMax else { return }
        throw S3Error(
            .requestHeaderSectionTooLarge, elements: [.init("MaxSizeAllowed", "\(headerSectionByteCountMax)")])
    }
}

extension ObjectMetadata {
    /// Where metadata came in; headers and forms carry text that is not ASCII in different ways.
    fileprivate enum Origin {
        /// Encoded words in user metadata, bytes as they come elsewhere.
        case header
        /// UTF-8 throughout.
        case form
    }

    /// The metadata that a write carries.
    ///
    /// Throws 400: `InvalidRedirectLocation`, `MetadataTooLarge`, and `InvalidArgument` for a name or value out of a URL
    /// that no header can hold.
    fileprivate init(_ fields: RequestFields, from origin: Origin) throws(S3Error) {
        var builder = Builder()
        try builder.set(.contentType, fields.first("content-type"), "Content-Type", origin)
        try builder.set(.cacheControl, fields.first("cache-control"), "Cache-Control", origin)
        try builder.set(.contentDisposition, fields.first("content-disposition"), "Content-Disposition", origin)
        if let encoding = fields.first("content-encoding") {
            try builder.set(.contentEncoding, Self.withoutChunking(encoding)[...], "Content-Encoding", origin)
        }
        try builder.set(.contentLanguage, fields.first("content-language"), "Content-Language", origin)
        // In a query `Expires` is the end of a Version 2 signature, so that only the header counts.
        try builder.set(.expires, fields.head.first("expires"), "Expires", origin)
        if let location = fields.first("x-amz-website-redirect-location"), !location.isEmpty {
            guard location.hasPrefix("/") || location.hasPrefix("http://") || location.hasPrefix("https://") else {
                throw S3Error(.invalidRedirectLocation)
            }
            try builder.set(.websiteRedirectLocation, location, "x-amz-website-redirect-location", origin)
        }
        try builder.add(userFields: fields.userMetadata, origin)
        self = builder.build()
    }

    /// The codings without `aws-chunked`, which describes the transfer and not the object.
    private static func withoutChunking(_ value: ArraySlice<UInt8>) -> [UInt8] {
        let codings = value.split(separator: UInt8(ascii: ",")).map(\.trimmed)
        guard codings.contains(where: { $0.equalsIgnoringCase("aws-chunked") }) else { return Array(value) }
        return Array(codings.filter { !$0.equalsIgnoringCase("aws-chunked") }.joined(separator: [UInt8(ascii: ",")]))
    }
}

extension ObjectMetadata.Builder {
    /// An empty value counts as none. That of a form is kept as the header that it is to become.
    fileprivate mutating func set(
        _ field: ObjectMetadata.SystemField, _ value: ArraySlice<UInt8>?, _ name: StaticString,
        _ origin: ObjectMetadata.Origin
    ) throws(S3Error) {
        guard let value, !value.isEmpty else { return }
        guard !value.contains(where: \.isControl) else {
            throw .invalidArgument("Invalid header value", name: "\(name)", value: value.text)
        }
        set(field, origin == .form ? Self.latin1(value)[...] : value)
    }

    /// The text in ISO 8859-1, with blanks for what that does not have; bytes that are no UTF-8 stay.
    private static func latin1(_ text: ArraySlice<UInt8>) -> [UInt8] {
        guard text.isUTF8 else { return Array(text) }
        return String(decoding: text, as: UTF8.self).utf16.map { UInt8(exactly: $0) ?? UInt8(ascii: " ") }
    }

    /// Lower-cases names, decodes the values of headers, and joins those of one name with commas.
    fileprivate mutating func add(
        userFields: [(name: ArraySlice<UInt8>, value: ArraySlice<UInt8>)], _ origin: ObjectMetadata.Origin
    ) throws(S3Error) {
        guard !userFields.isEmpty else { return }
        var merged: [(name: [UInt8], value: [UInt8])] = []
        for (name, value) in userFields {
            guard name.allSatisfy(\.isTokenByte) else {
                throw .invalidArgument("Invalid header name", name: "x-amz-meta-" + name.text, value: value.text)
            }
            let lowercased = name.map(\.lowercasedASCII)
            let decoded = origin == .form ? EncodedWord.text(Array(value)) : EncodedWord.decode(value)
            if let index = merged.firstIndex(where: { $0.name == lowercased }) {
                merged[index].value += [UInt8(ascii: ",")] + decoded
            } else {
                merged.append((lowercased, decoded))
            }
        }
        let byteCount = merged.reduce(0) { $0 + $1.name.count + $1.value.count }
        guard byteCount <= ObjectHeaders.userMetadataByteCountMax else {
            throw S3Error(
                .metadataTooLarge,
                elements: [
                    .init("Size", "\(byteCount)"),
                    .init("MaxSizeAllowed", "\(ObjectHeaders.userMetadataByteCountMax)"),
                ])
        }
        for (name, value) in merged { addUserField(name[...], value[...]) }
    }
}

extension UInt8 {
    /// What a header name may be made of (RFC 9110 §5.6.2).
    fileprivate var isTokenByte: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."),
            UInt8(ascii: "!"), UInt8(ascii: "#"), UInt8(ascii: "$"), UInt8(ascii: "%"), UInt8(ascii: "&"),
            UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "^"), UInt8(ascii: "`"),
            UInt8(ascii: "|"), UInt8(ascii: "~"):
            true
        default: false
        }
    }
}
