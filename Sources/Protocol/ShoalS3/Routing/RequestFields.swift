import ShoalHTTP

/// The header fields of a request, and the query parameters that act like them.
///
/// Signers move headers into the query of a presigned URL. There `x-amz-*` and `If-*` count as headers, in any case, and
/// so does any other name that `X-Amz-SignedHeaders` lists. A line of the head wins over a parameter; that both stand
/// there is refused with the signature.
package struct RequestFields: Sendable {
    package let head: RequestHead
    package let query: QueryParameters

    package init(_ head: RequestHead, _ query: QueryParameters) {
        self.head = head
        self.query = query
    }

    /// The value of the first field called `name`, in lower case.
    package func first(_ name: StaticString) -> ArraySlice<UInt8>? {
        head.first(name) ?? (query.isEmpty ? nil : hoisted(name))
    }

    /// The values of all lines called `name`, in lower case; of a parameter the first.
    package func all(_ name: StaticString) -> [ArraySlice<UInt8>] {
        let lines = head.all(name)
        guard lines.isEmpty else { return lines }
        return hoisted(name).map { [$0] } ?? []
    }

    /// Whether a name in the query is one of a header that is kept with the object: `x-amz-meta-…`.
    package var userMetadata: [(name: ArraySlice<UInt8>, value: ArraySlice<UInt8>)] {
        var found: [(name: ArraySlice<UInt8>, value: ArraySlice<UInt8>)] = []
        for line in head.fieldLines where line.name.count >= Self.metadataPrefixCount {
            let name = head.name(of: line)
            guard name.hasPrefixIgnoringCase("x-amz-meta-") else { continue }
            found.append((name.dropFirst(Self.metadataPrefixCount), head.value(of: line)))
        }
        for (name, value) in query where name.hasPrefixIgnoringCase("x-amz-meta-") {
            found.append((name.dropFirst(Self.metadataPrefixCount), value))
        }
        return found
    }

    private static let metadataPrefixCount = 11

    private func hoisted(_ name: StaticString) -> ArraySlice<UInt8>? {
        guard let value = query.firstIgnoringCase(name) else { return nil }
        return Self.alwaysCounts(name) || isSigned(name) ? value : nil
    }

    private static func alwaysCounts(_ name: StaticString) -> Bool {
        name.withUTF8Buffer { bytes in
            bytes.starts(with: "x-amz-".utf8) || bytes.starts(with: "if-".utf8)
        }
    }

    private func isSigned(_ name: StaticString) -> Bool {
        guard let signed = query.first("X-Amz-SignedHeaders") else { return false }
        return signed.split(separator: UInt8(ascii: ";")).contains { $0.equalsIgnoringCase(name) }
    }
}
