import ShoalWire
import Testing

/// Uploads in parts.
extension S3Client {
    static let mebibyte = 1 << 20

    /// Begins one and gives its `uploadId`.
    func begin(_ key: String, in bucket: String = "photos", headers: [WireRequest.Field] = []) throws -> String {
        let answer = try send(S3Call("POST", bucket, key, query: [("uploads", "")], headers: headers))
        #expect(answer.status == 200)
        return try #require(answer.element("UploadId"))
    }

    func putPart(
        _ number: Int, _ bytes: [UInt8], of upload: String, _ key: String, headers: [WireRequest.Field] = []
    ) throws -> WireResponse {
        try send(
            S3Call(
                "PUT", "photos", key, query: [("partNumber", "\(number)"), ("uploadId", upload)], headers: headers,
                body: bytes))
    }

    /// Uploads a part and gives its tag.
    func part(_ number: Int, _ bytes: [UInt8], of upload: String, _ key: String) throws -> String {
        try #require(try putPart(number, bytes, of: upload, key)["ETag"])
    }

    func complete(
        _ upload: String, _ key: String, _ parts: [(number: Int, etag: String)], headers: [WireRequest.Field] = []
    ) throws -> WireResponse {
        try send(completion(upload, key, parts, headers: headers))
    }

    func completion(
        _ upload: String, _ key: String, _ parts: [(number: Int, etag: String)], headers: [WireRequest.Field] = []
    ) -> S3Call {
        let list = parts.map { "<Part><PartNumber>\($0.number)</PartNumber><ETag>\($0.etag)</ETag></Part>" }
        return S3Call(
            "POST", "photos", key, query: [("uploadId", upload)], headers: headers,
            body: "<CompleteMultipartUpload>\(list.joined())</CompleteMultipartUpload>")
    }

    func abort(_ upload: String, _ key: String) throws -> WireResponse {
        try send(S3Call("DELETE", "photos", key, query: [("uploadId", upload)]))
    }
}
