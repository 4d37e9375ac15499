/// What ListMultipartUploads is asked for.
///
/// Making one throws what S3 answers before it reads a credential; `check()` throws the rest.
/// https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListMultipartUploads.html
package struct ListMultipartUploadsParameters: Sendable {
    /// Entries that one page has at most, whatever is asked for.
    package static let entryCountMax = 1_000

    /// Empty if absent.
    package let prefix: [UInt8]
    /// Nil if absent or empty.
    package let delimiter: [UInt8]?
    /// Uploads are listed of keys above this one, and of this one those behind `uploadIDMarker`; empty for the beginning.
    package let keyMarker: [UInt8]
    /// Nil if absent or empty, and where there is no key for it to be of.
    package let uploadIDMarker: String?
    private let maxUploads: Int
    private let echoesPrefix: Bool
    /// As sent; nil if absent.
    private let encodingType: [UInt8]?

    /// Throws 400 `InvalidArgument` for a `max-uploads` that is no integer.
    package init(_ query: QueryParameters) throws(S3Error) {
        maxUploads = try query.integer("max-uploads") ?? Self.entryCountMax
        prefix = query.first("prefix").map(Array.init) ?? []
        echoesPrefix = query.has("prefix")
        delimiter = query.first("delimiter").flatMap { $0.isEmpty ? nil : Array($0) }
        keyMarker = query.first("key-marker").map(Array.init) ?? []
        let uploadID = query.first("upload-id-marker")?.text ?? ""
        uploadIDMarker = keyMarker.isEmpty || uploadID.isEmpty ? nil : uploadID
        encodingType = query.first("encoding-type").map(Array.init)
    }

    /// Entries a page may have.
    package var pageSize: Int { Swift.min(Swift.max(maxUploads, 0), Self.entryCountMax) }

    /// To be called once the bucket was found. Throws 400 `InvalidArgument` for the encoding type and a negative
    /// `max-uploads`.
    package func check() throws(S3Error) {
        try URLEncoding.check(encodingType)
        try maxUploads.checkNotNegative(named: "max-uploads")
    }

    /// 400 for a pair of markers that names no upload.
    package static func invalidUploadIDMarker(_ uploadID: String) -> S3Error {
        .invalidArgument("Invalid uploadId marker", name: "upload-id-marker", value: uploadID)
    }
}

extension ListMultipartUploadsParameters {
    /// The `ListMultipartUploadsResult` of one page.
    /// https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListMultipartUploads.html#API_ListMultipartUploads_ResponseSyntax
    package func document(_ listing: UploadListing, bucket: BucketName) -> [UInt8] {
        let encodesURL = encodingType != nil
        var document = XMLWriter(capacity: 1_024 + listing.uploads.count * 640 + listing.commonPrefixes.count * 128)
        document.openRoot("ListMultipartUploadsResult")
        document.element("Bucket", bucket.text)
        document.element("KeyMarker", keyMarker, encodesURL: encodesURL)
        document.element("UploadIdMarker", uploadIDMarker ?? "")
        document.element("NextKeyMarker", listing.nextKeyMarker ?? [], encodesURL: encodesURL)
        document.element("NextUploadIdMarker", listing.nextUploadIDMarker ?? "")
        if let delimiter { document.element("Delimiter", delimiter, encodesURL: encodesURL) }
        if echoesPrefix { document.element("Prefix", prefix, encodesURL: encodesURL) }
        document.element("MaxUploads", pageSize)
        if let encodingType { document.element("EncodingType", encodingType) }
        document.element("IsTruncated", listing.isTruncated)
        for upload in listing.uploads {
            document.open("Upload")
            document.element("Key", upload.key.bytes, encodesURL: encodesURL)
            document.element("UploadId", upload.uploadID)
            document.initiator(upload.initiator)
            document.owner(upload.owner)
            document.element("StorageClass", upload.storageClass.rawValue)
            document.element("Initiated", upload.initiated)
            if let checksum = upload.checksum { document.checksumKind(of: checksum) }
            document.close("Upload")
        }
        for prefix in listing.commonPrefixes { document.commonPrefix(prefix, encodesURL: encodesURL) }
        document.close("ListMultipartUploadsResult")
        return document.bytes
    }
}
