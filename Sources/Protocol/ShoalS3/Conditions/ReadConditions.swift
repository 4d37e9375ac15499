import ShoalHTTP

/// The four conditions under which an object may be read, and their like for the source of a copy.
/// https://docs.aws.amazon.com/AmazonS3/latest/userguide/conditional-reads.html
package struct ReadConditions: Sendable {
    package enum Verdict: Equatable, Sendable {
        case proceed
        /// 304 for a read, 412 for a copy; the header that decided.
        case notModified(String)
        /// 412; the header that decided, as it stands in `<Condition>`.
        case failed(String)
    }

    private let ifMatch: [ArraySlice<UInt8>]
    private let ifNoneMatch: [ArraySlice<UInt8>]
    /// Dates that cannot be read are ignored.
    private let ifModifiedSince: Timestamp?
    private let ifUnmodifiedSince: Timestamp?
    private let prefix: String

    /// The conditions of GetObject and HeadObject.
    package init(_ fields: RequestFields) {
        prefix = ""
        ifMatch = fields.all("if-match")
        ifNoneMatch = fields.all("if-none-match")
        ifModifiedSince = fields.first("if-modified-since").flatMap(Timestamp.init(conditionDate:))
        ifUnmodifiedSince = fields.first("if-unmodified-since").flatMap(Timestamp.init(conditionDate:))
    }

    /// What `CopyConditions` judges.
    init(copySource fields: RequestFields) {
        prefix = "x-amz-copy-source-"
        ifMatch = fields.all("x-amz-copy-source-if-match")
        ifNoneMatch = fields.all("x-amz-copy-source-if-none-match")
        ifModifiedSince = fields.first("x-amz-copy-source-if-modified-since").flatMap(Timestamp.init(conditionDate:))
        ifUnmodifiedSince = fields.first("x-amz-copy-source-if-unmodified-since")
            .flatMap(Timestamp.init(conditionDate:))
    }

    /// Judges an object that exists, in the order of RFC 9110 §13.2.2; times count in whole seconds.
    package func verdict(etag: ETag, lastModified: Timestamp, now: Timestamp) -> Verdict {
        if !ifMatch.isEmpty {
            guard ifMatch.contains(where: { ETagList.matches($0, etag) }) else { return .failed(prefix + "If-Match") }
        } else if let date = ifUnmodifiedSince, lastModified.seconds > date.seconds {
            return .failed(prefix + "If-Unmodified-Since")
        }
        if !ifNoneMatch.isEmpty {
            if ifNoneMatch.contains(where: { ETagList.matches($0, etag) }) {
                return .notModified(prefix + "If-None-Match")
            }
        } else if let date = ifModifiedSince, date.seconds >= lastModified.seconds, date.seconds <= now.seconds {
            return .notModified(prefix + "If-Modified-Since")
        }
        return .proceed
    }
}

extension S3Error {
    /// 412 with the header that did not hold.
    package static func preconditionFailed(_ condition: String) -> S3Error {
        S3Error(.preconditionFailed, elements: [Element("Condition", condition)])
    }
}
