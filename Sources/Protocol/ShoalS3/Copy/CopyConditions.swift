/// The conditions of CopyObject and UploadPartCopy on their source: those of a read, under names of their own.
/// https://docs.aws.amazon.com/AmazonS3/latest/API/API_CopyObject.html#API_CopyObject_RequestSyntax
package struct CopyConditions: Sendable {
    private let conditions: ReadConditions

    package init(_ fields: RequestFields) { conditions = ReadConditions(copySource: fields) }

    /// Judges the source, where every failure is a 412 `PreconditionFailed`.
    package func check(etag: ETag, lastModified: Timestamp, now: Timestamp) throws(S3Error) {
        switch conditions.verdict(etag: etag, lastModified: lastModified, now: now) {
        case .proceed: return
        case .notModified(let condition), .failed(let condition): throw .preconditionFailed(condition)
        }
    }
}
