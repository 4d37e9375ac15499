import ShoalXML

extension XMLWriter {
    /// Writes an element that was read, with everything inside it but attributes and the white space between elements.
    package mutating func append(_ element: XMLElement) {
        plain("<\(element.name)>")
        if element.children.isEmpty {
            text(element.string)
        } else {
            for child in element.children { append(child) }
        }
        plain("</\(element.name)>")
    }

    /// The same as the root of a document.
    package mutating func appendRoot(_ element: XMLElement) {
        plain("<\(element.name) xmlns=\"\(Self.namespace)\">")
        for child in element.children { append(child) }
        plain("</\(element.name)>")
    }
}
