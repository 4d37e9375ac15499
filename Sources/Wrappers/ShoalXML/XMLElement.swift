/// One element of a parsed document, with everything inside it.
package struct XMLElement: Sendable {
    /// The name without its prefix.
    package let name: String
    /// The namespace the name is in; nil if it is in none.
    package let namespace: String?
    /// In document order, without the declarations of namespaces.
    package let attributes: [Attribute]
    /// The character data directly inside, in UTF-8, with white space as it stands.
    package internal(set) var text: [UInt8] = []
    package internal(set) var children: [XMLElement] = []

    package struct Attribute: Sendable, Equatable {
        package let name: String
        package let namespace: String?
        package let value: String

        package init(name: String, namespace: String?, value: String) {
            self.name = name
            self.namespace = namespace
            self.value = value
        }
    }

    init(name: String, namespace: String?, attributes: [Attribute]) {
        self.name = name
        self.namespace = namespace
        self.attributes = attributes
    }

    /// The first child of that name.
    package func child(_ name: String) -> XMLElement? { children.first { $0.name == name } }

    package func children(_ name: String) -> [XMLElement] { children.filter { $0.name == name } }

    package var string: String { String(decoding: text, as: UTF8.self) }
}

extension XMLElement {
    mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) { text.append(contentsOf: bytes) }

    mutating func append(_ child: XMLElement) { children.append(child) }
}
