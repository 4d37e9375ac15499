/// The `uploadId` of a request about one upload.
package enum UploadIDParameter {
    /// Its value. Throws 404 `NoSuchUpload` if it is absent, empty or no UTF-8: no upload has such an id.
    package static func named(in query: QueryParameters) throws(S3Error) -> String {
        let value = query.first("uploadId") ?? []
        guard !value.isEmpty, value.isUTF8 else { throw .noSuchUpload(value.text) }
        return value.text
    }
}

extension S3Error {
    /// 404 for an upload that never was, or is over, or belongs to another key.
    package static func noSuchUpload(_ uploadID: String) -> S3Error {
        S3Error(.noSuchUpload, elements: [Element("UploadId", uploadID)])
    }
}
