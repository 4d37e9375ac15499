/// The `response-*` parameters of GetObject and HeadObject, which replace headers of the answer.
/// https://docs.aws.amazon.com/AmazonS3/latest/API/API_GetObject.html#API_GetObject_RequestParameters
package struct ResponseOverrides: Sendable {
    /// Values in ISO 8859-1, as they go on the wire.
    let values: [(field: ObjectMetadata.SystemField, value: [UInt8])]

    package init() { values = [] }

    /// Of a repeated parameter the first counts. Throws 400: `InvalidArgument` for a name that is no overridable header
    /// and for a value that a header cannot hold, `InvalidRequest` if the request is not signed.
    package init(_ query: QueryParameters, isAnonymous: Bool) throws(S3Error) {
        var values: [(field: ObjectMetadata.SystemField, value: [UInt8])] = []
        for (name, value) in query where name.hasPrefix("response-") {
            guard let field = Self.field(name) else {
                throw .invalidArgument(
                    "\(name.text) is not in the set of overridable response headers", name: name.text,
                    value: value.text)
            }
            guard !isAnonymous else {
                throw S3Error(
                    .invalidRequest, "Request specific response headers cannot be used for anonymous GET requests.")
            }
            guard let bytes = Self.latin1(value) else {
                throw .invalidArgument(
                    "Header value cannot be represented using ISO-8859-1.", name: name.text, value: value.text)
            }
            if !values.contains(where: { $0.field == field }) { values.append((field, bytes)) }
        }
        self.values = values
    }

    func has(_ field: ObjectMetadata.SystemField) -> Bool { values.contains { $0.field == field } }

    private static func field(_ name: ArraySlice<UInt8>) -> ObjectMetadata.SystemField? {
        switch name {
        case _ where name.equals("response-content-type"): .contentType
        case _ where name.equals("response-cache-control"): .cacheControl
        case _ where name.equals("response-content-disposition"): .contentDisposition
        case _ where name.equals("response-content-encoding"): .contentEncoding
        case _ where name.equals("response-content-language"): .contentLanguage
        case _ where name.equals("response-expires"): .expires
        default: nil
        }
    }

    /// Nil for characters above U+00FF, for bytes that are no UTF-8, and for control characters, with which a client
    /// could add header lines of its own.
    private static func latin1(_ value: ArraySlice<UInt8>) -> [UInt8]? {
        guard !value.contains(where: \.isControl) else { return nil }
        guard value.contains(where: { $0 >= 0x80 }) else { return Array(value) }
        guard let text = String(validating: value, as: UTF8.self) else { return nil }
        var bytes: [UInt8] = []
        for scalar in text.unicodeScalars {
            guard let byte = UInt8(exactly: scalar.value), !(0x80...0x9F ~= byte) else { return nil }
            bytes.append(byte)
        }
        return bytes
    }
}
