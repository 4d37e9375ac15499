import CShoalExpat

/// Why a text is no document that Shoal reads.
package enum XMLError: Error, Equatable, Sendable {
    /// Not well-formed, in expat's words, with the line it was noticed on.
    case malformed(String, line: Int)
    /// A document type declaration: entities could read files or grow without end.
    case documentType
    /// More elements or deeper nesting than `XMLDocument` allows.
    case tooComplex
}

/// Reads a whole XML document, with namespaces, into a tree.
/// https://libexpat.github.io/doc/api/latest/
package enum XMLDocument {
    /// A CompleteMultipartUpload of 10,000 parts with checksums has some 60,000 elements.
    package static let elementCountMax = 100_000
    package static let depthMax = 32

    /// The root of the document in `bytes`, which must be UTF-8, UTF-16 or declare another encoding expat knows.
    package static func parse(_ bytes: [UInt8]) throws(XMLError) -> XMLElement {
        guard bytes.count <= Int(Int32.max) else { throw .tooComplex }
        // Expat puts this byte, which no name can hold, between namespace and name.
        guard let parser = XML_ParserCreateNS(nil, XML_Char(bitPattern: TreeBuilder.separator)) else {
            preconditionFailure("out of memory for an XML parser")
        }
        defer { XML_ParserFree(parser) }
        let builder = TreeBuilder(parser)
        let status = withExtendedLifetime(builder) {
            builder.install()
            return bytes.withUnsafeBytes { buffer in
                XML_Parse(
                    parser, buffer.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(buffer.count),
                    Int32(XML_TRUE))
            }
        }
        if let refusal = builder.refusal { throw refusal }
        guard status == XML_STATUS_OK, let root = builder.root else {
            let reason = XML_ErrorString(XML_GetErrorCode(parser)).map { String(cString: $0) }
            throw .malformed(reason ?? "unknown", line: Int(XML_GetCurrentLineNumber(parser)))
        }
        return root
    }
}

/// Takes expat's callbacks and keeps the elements that are still open. It lives as long as one call of `parse`.
private final class TreeBuilder {
    static let separator = UInt8(ascii: "\n")

    private(set) var root: XMLElement?
    private(set) var refusal: XMLError?
    private let parser: XML_Parser
    private var open: [XMLElement] = []
    private var elementCount = 0

    init(_ parser: XML_Parser) { self.parser = parser }

    func install() {
        XML_SetUserData(parser, Unmanaged.passUnretained(self).toOpaque())
        XML_SetElementHandler(
            parser, { TreeBuilder.of($0)?.start($1, $2) }, { data, _ in TreeBuilder.of(data)?.end() })
        XML_SetCharacterDataHandler(parser) { TreeBuilder.of($0)?.characters($1, $2) }
        XML_SetStartDoctypeDeclHandler(parser) { data, _, _, _, _ in TreeBuilder.of(data)?.refuse(.documentType) }
    }

    private static func of(_ userData: UnsafeMutableRawPointer?) -> TreeBuilder? {
        userData.map { Unmanaged<TreeBuilder>.fromOpaque($0).takeUnretainedValue() }
    }

    private func refuse(_ error: XMLError) {
        refusal = refusal ?? error
        XML_StopParser(parser, XML_Bool(XML_FALSE))
    }

    private func start(_ name: UnsafePointer<XML_Char>?, _ attributes: UnsafeMutablePointer<UnsafePointer<XML_Char>?>?)
    {
        guard refusal == nil, let name else { return }
        elementCount += 1
        guard elementCount <= XMLDocument.elementCountMax, open.count < XMLDocument.depthMax else {
            refuse(.tooComplex)
            return
        }
        let (namespace, local) = Self.split(name)
        open.append(XMLElement(name: local, namespace: namespace, attributes: Self.pairs(attributes)))
    }

    private func end() {
        guard refusal == nil, let element = open.popLast() else { return }
        if open.isEmpty {
            root = element
        } else {
            open[open.count - 1].append(element)
        }
    }

    private func characters(_ text: UnsafePointer<XML_Char>?, _ count: Int32) {
        guard refusal == nil, let text, !open.isEmpty else { return }
        text.withMemoryRebound(to: UInt8.self, capacity: Int(count)) {
            open[open.count - 1].append(UnsafeBufferPointer(start: $0, count: Int(count)))
        }
    }

    /// Names and values alternate, up to a null.
    private static func pairs(
        _ attributes: UnsafeMutablePointer<UnsafePointer<XML_Char>?>?
    ) -> [XMLElement.Attribute] {
        guard let attributes else { return [] }
        var pairs: [XMLElement.Attribute] = []
        var index = 0
        while let name = attributes[index], let value = attributes[index + 1] {
            let (namespace, local) = split(name)
            pairs.append(.init(name: local, namespace: namespace, value: String(cString: value)))
            index += 2
        }
        return pairs
    }

    private static func split(_ name: UnsafePointer<XML_Char>) -> (namespace: String?, local: String) {
        let text = String(cString: name)
        guard let position = text.utf8.lastIndex(of: separator) else { return (nil, text) }
        return (String(text[..<position]), String(text[text.utf8.index(after: position)...]))
    }
}
