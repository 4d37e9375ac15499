import ShoalHTTP

/// The condition under which PutObject, CopyObject and CompleteMultipartUpload may write.
///
/// Judged when the headers arrive and again at the commit, because another writer may have come first.
/// https://docs.aws.amazon.com/AmazonS3/latest/userguide/conditional-writes.html
package enum WriteCondition: Equatable, Sendable {
    case none
    /// `If-None-Match: *`
    case absent
    /// `If-Match`, without quotes.
    case matches(ETag)

    /// Throws 501 `NotImplemented` for what S3 does not take: both headers, a tag in `If-None-Match`, `*` in `If-Match`.
    package init(_ fields: RequestFields) throws(S3Error) {
        let ifMatch = fields.first("if-match")
        let ifNoneMatch = fields.first("if-none-match")
        switch (ifMatch, ifNoneMatch) {
        case (nil, nil): self = .none
        case (_?, _?):
            throw .notImplemented(
                "If-Match,If-None-Match", "Multiple conditional request headers present in the request")
        case (nil, let value?):
            guard value.equals("*") else { throw Self.valueNotAccepted("If-None-Match") }
            self = .absent
        case (let value?, nil):
            guard !value.equals("*") else { throw Self.valueNotAccepted("If-Match") }
            self = .matches(ETag(unquoted: ETagList.unquoted(value).text))
        }
    }

    /// `current` is the tag of the object that readers see now; nil if there is none or a delete marker.
    /// Throws 412 `PreconditionFailed`, or 404 `NoSuchKey` where a tag was to match and there is no object.
    package func check(current: ETag?, key: ObjectKey) throws(S3Error) {
        switch self {
        case .none: return
        case .absent: guard current == nil else { throw .preconditionFailed("If-None-Match") }
        case .matches(let etag):
            guard let current else { throw S3Error(.noSuchKey, elements: [.init("Key", key.description)]) }
            guard current == etag else { throw .preconditionFailed("If-Match") }
        }
    }

    private static func valueNotAccepted(_ header: String) -> S3Error {
        .notImplemented(header, "We don't accept the provided value of \(header) header for this API")
    }
}

extension S3Error {
    /// 501 that names the header, with S3's additional sentence.
    fileprivate static func notImplemented(_ header: String, _ additionalMessage: String) -> S3Error {
        S3Error(
            .notImplemented,
            elements: [Element("Header", header), Element("additionalMessage", additionalMessage)])
    }
}
