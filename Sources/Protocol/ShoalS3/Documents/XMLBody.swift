import ShoalXML

/// A request body that is an XML document, read strictly: what the schema does not name is refused.
package enum XMLBody {
    /// Bytes a body may have; no document of S3's comes near it but the list of 10,000 parts.
    package static let byteCountMax = 2 * 1024 * 1024

    /// The root element of `body`, which must be called `name` and be in S3's namespace or in none.
    ///
    /// Throws 400 `MaxMessageLengthExceeded`, or `MalformedXML`, whose cause tells what was wrong.
    package static func root(_ body: [UInt8], named name: String) throws(S3Error) -> XMLElement {
        let root = try parsed(body)
        guard root.name == name, root.namespace == nil || root.namespace == XMLWriter.namespace else {
            throw S3Error(.malformedXML)
        }
        return root
    }

    /// Whether the root element of `body` is called `name`. Throws as the above.
    static func isRoot(of body: [UInt8], named name: String) throws(S3Error) -> Bool { try parsed(body).name == name }

    private static func parsed(_ body: [UInt8]) throws(S3Error) -> XMLElement {
        guard body.count <= byteCountMax else {
            throw S3Error(
                .maxMessageLengthExceeded, elements: [.init("MaxMessageLengthBytes", "\(byteCountMax)")])
        }
        do {
            return try XMLDocument.parse(body)
        } catch {
            throw S3Error(.malformedXML, cause: error)
        }
    }
}

extension XMLElement {
    /// Refuses children other than those named, more of them than allowed, and text beside them.
    /// Throws 400 `MalformedXML`.
    package func checkChildren(once: [String] = [], repeated: [String] = []) throws(S3Error) {
        var seen: Set<String> = []
        for child in children {
            let isFirst = seen.insert(child.name).inserted
            guard repeated.contains(child.name) || once.contains(child.name) && isFirst else {
                throw S3Error(.malformedXML)
            }
        }
        guard text.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D }) else {
            throw S3Error(.malformedXML)
        }
    }

    /// The text of an element that has no children. Throws 400 `MalformedXML`.
    package func leafText() throws(S3Error) -> String {
        guard children.isEmpty else { throw S3Error(.malformedXML) }
        return string
    }

    /// `true` or `false`, or one of the numbers XML Schema has for them. Throws 400 `MalformedXML`.
    /// https://www.w3.org/TR/xmlschema-2/#boolean
    package func leafFlag() throws(S3Error) -> Bool {
        switch try leafText() {
        case "true", "1": true
        case "false", "0": false
        default: throw S3Error(.malformedXML)
        }
    }

    /// The text of the child of that name, which has no children itself. Throws 400 `MalformedXML` if it is missing.
    package func requiredText(_ name: String) throws(S3Error) -> String {
        guard let child = child(name) else { throw S3Error(.malformedXML) }
        return try child.leafText()
    }
}
