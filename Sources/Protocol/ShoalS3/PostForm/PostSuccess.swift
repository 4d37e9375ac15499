import ShoalHTTP

/// What a form wants to be answered once its file is stored.
/// https://docs.aws.amazon.com/AmazonS3/latest/API/RESTObjectPOST.html#RESTObjectPOST-responses
package enum PostSuccess: Sendable, Equatable {
    /// 303 to this URL, to which bucket, key and tag are added.
    case redirect([UInt8])
    /// 200 without a body.
    case ok
    /// 201 with `PostResponse`.
    case created
    /// 204, also for whatever else a form may ask for.
    case noContent

    package init(_ form: PostForm) {
        if let url = form.first("success_action_redirect") ?? form.first("redirect"), Self.isUsable(url[...]) {
            self = .redirect(url)
            return
        }
        switch form.first("success_action_status")?[...].text {
        case "200": self = .ok
        case "201": self = .created
        default: self = .noContent
        }
    }

    /// Anything else than the URL of a host is ignored; so is what a header cannot hold.
    private static func isUsable(_ url: ArraySlice<UInt8>) -> Bool {
        let isWeb = url.hasPrefixIgnoringCase("http://") || url.hasPrefixIgnoringCase("https://")
        guard isWeb, let colon = url.firstIndex(of: UInt8(ascii: ":")) else { return false }
        let host = url[(colon + 3)...].prefix {
            ![UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#")].contains($0)
        }
        return !host.isEmpty && url.allSatisfy { $0 > 0x20 && $0 != 0x7F }
    }

    /// The value of `Location` for a redirect: the parameters go behind a query that is there, and before a fragment.
    package static func location(
        _ url: [UInt8], bucket: BucketName, key: ObjectKey, etag: ETag
    ) -> [UInt8] {
        let fragment = url.firstIndex(of: UInt8(ascii: "#")) ?? url.endIndex
        var location: [UInt8] = []
        appendVisible(url[..<fragment], to: &location)
        if !url[..<fragment].contains(UInt8(ascii: "?")) {
            location.append(UInt8(ascii: "?"))
        } else if location.last != UInt8(ascii: "?"), location.last != UInt8(ascii: "&") {
            location.append(UInt8(ascii: "&"))
        }
        location += "bucket=".utf8
        location += bucket.text.utf8
        location += "&key=".utf8
        URLEncoding.appendComponent(key.bytes, to: &location)
        location += "&etag=%22".utf8
        URLEncoding.appendComponent(Array(etag.text.utf8), to: &location)
        location += "%22".utf8
        appendVisible(url[fragment...], to: &location)
        return location
    }

    /// Escapes what is not ASCII, and nothing else.
    private static func appendVisible(_ url: ArraySlice<UInt8>, to bytes: inout [UInt8]) {
        for byte in url {
            if byte < 0x80 { bytes.append(byte) } else { URLEncoding.appendComponent([byte], to: &bytes) }
        }
    }
}

/// The body of a 201. It has no namespace, and the quotes of its tag are not escaped.
package struct PostResponse: Sendable {
    package let location: String
    package let bucket: BucketName
    package let key: ObjectKey
    package let etag: ETag

    package init(location: String, bucket: BucketName, key: ObjectKey, etag: ETag) {
        self.location = location
        self.bucket = bucket
        self.key = key
        self.etag = etag
    }

    package var document: [UInt8] {
        var document = XMLWriter()
        document.open("PostResponse")
        document.element("Location", location)
        document.element("Bucket", bucket.text)
        document.element("Key", key.bytes)
        document.element("ETag", "\"\(etag.text)\"")
        document.close("PostResponse")
        return document.bytes
    }
}
