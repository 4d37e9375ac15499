/// What a signature is taken to stand for: a request that brings something else is refused as one whose signature does
/// not match.
package struct Pins: Hashable, Sendable {
    /// Of `Content-Type`, byte for byte; nil if it does not matter.
    package var contentType: String?
    /// Bytes.
    package var contentLength: UInt64?
    /// Of any `x-amz-checksum-*` header, in Base64.
    package var checksum: String?

    package init(contentType: String? = nil, contentLength: UInt64? = nil, checksum: String? = nil) {
        self.contentType = contentType
        self.contentLength = contentLength
        self.checksum = checksum
    }

    private static let checksumFields = ["crc32", "crc32c", "crc64nvme", "sha1", "sha256"].map {
        "x-amz-checksum-" + $0
    }

    /// Whether the request brings all of them. Without a pin none does: whatever is sent, something else was signed.
    func fit(_ request: some FaultSubject) -> Bool {
        guard self != Pins() else { return false }
        if let contentType, request.header("content-type")?.elementsEqual(contentType.utf8) != true { return false }
        if let contentLength, request.contentLength != contentLength { return false }
        guard let checksum else { return true }
        return Self.checksumFields.contains { request.header($0)?.elementsEqual(checksum.utf8) == true }
    }

    /// Why it makes no sense, in words; nil if it does.
    var flaw: String? {
        for (name, value) in [("contentType", contentType), ("checksum", checksum)] {
            guard let value, value.isEmpty || !InjectedAnswer.isFieldValue(value) else { continue }
            return "the '\(name)' of 'pin' cannot stand in a header line"
        }
        return nil
    }

    /// What was pinned, for people.
    package var text: String {
        let parts = [
            contentType.map { "Content-Type \"\($0)\"" }, contentLength.map { "\($0) bytes" },
            checksum.map { "the checksum \($0)" },
        ].compactMap { $0 }
        return parts.isEmpty ? "something else" : parts.joined(separator: " and ")
    }
}
