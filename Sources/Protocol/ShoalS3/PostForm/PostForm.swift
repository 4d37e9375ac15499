import ShoalHTTP

/// The fields of a browser's form that stand in front of its file. Names are in lower case: S3 ignores their case.
/// https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-HTTPPOSTForms.html
package struct PostForm: Sendable {
    package struct Field: Sendable {
        package let name: [UInt8]
        package fileprivate(set) var value: [UInt8]
    }

    /// In the order of the form. Of a repeated name the first counts; values of user metadata are joined with commas.
    package private(set) var fields: [Field] = []

    package init() {}

    package mutating func append(_ name: [UInt8], _ value: [UInt8]) {
        fields.append(Field(name: name.map(\.lowercasedASCII), value: value))
    }

    /// The value of the first field called `name`, in lower case.
    package func first(_ name: StaticString) -> [UInt8]? {
        fields.first { $0.name[...].equals(name) }?.value
    }

    /// What a condition is about: the first value, and of user metadata all of them, joined as they are stored.
    func judgedValue(_ name: [UInt8]) -> [UInt8] {
        let values = fields.filter { $0.name == name }.map(\.value)
        guard name[...].hasPrefix("x-amz-meta-") else { return values.first ?? [] }
        return Array(values.joined(separator: [UInt8(ascii: ",")]))
    }
}

// MARK: - The name of the file

extension PostForm {
    private static let variable = Array("${filename}".utf8)

    /// Puts the name of the file, without the folders a browser may send with it, in place of `${filename}`. What is
    /// signed stays as it is.
    mutating func substitute(filename: [UInt8]) {
        let name =
            filename.split(omittingEmptySubsequences: false) {
                $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\")
            }.last ?? []
        for index in fields.indices where !Self.isSigned(fields[index].name[...]) {
            fields[index].value = fields[index].value.replacing(Self.variable, with: name)
        }
    }

    private static func isSigned(_ name: ArraySlice<UInt8>) -> Bool {
        name.equals("policy") || name.equals("signature") || name.equals("x-amz-signature")
    }
}

// MARK: - What the object becomes

extension PostForm {
    /// The key of the object. Throws 400 `InvalidArgument` for none and an empty one, `KeyTooLongError`.
    package func key() throws(S3Error) -> ObjectKey {
        guard let bytes = first("key") else { throw .missingField("key") }
        guard !bytes.isEmpty else {
            throw .invalidArgument("User key must have a length greater than 0.", name: "key", value: "")
        }
        guard bytes.count <= ObjectKey.byteCountMax else {
            throw .keyTooLong(byteCount: bytes.count)
        }
        guard let key = ObjectKey(bytes) else {
            throw .invalidArgument("The key is not valid UTF-8.", name: "key", value: bytes[...].text)
        }
        return key
    }

    /// The fields that say of the object what headers say of it in PutObject.
    package var objectFields: RequestFields {
        let named = fields.compactMap { field -> (name: [UInt8], value: [UInt8])? in
            let name = field.name[...]
            if name.equals("acl") { return (Array("x-amz-acl".utf8), field.value) }
            return Self.isObjectField(name) ? (field.name, field.value) : nil
        }
        return RequestFields(RequestHead(fields: named), QueryParameters())
    }

    private static func isObjectField(_ name: ArraySlice<UInt8>) -> Bool {
        if name.hasPrefix("x-amz-") {
            // Those about the form itself, and those that are headers only.
            return !["algorithm", "credential", "date", "signature", "security-token", "tagging", "trailer"]
                .contains { name.dropFirst(6).elementsEqual($0.utf8) }
        }
        return name.hasPrefix("content-") || name.equals("cache-control") || name.equals("expires")
    }

    /// The tags in the document of the field `tagging`; nil if there is none, or if the document is about something else.
    /// Throws 400 `MalformedXML` and what tags of an object throw.
    package func tags() throws(S3Error) -> TagSet? {
        guard let document = first("tagging"), !document.isEmpty else { return nil }
        guard try XMLBody.isRoot(of: document, named: "Tagging") else { return nil }
        return try Tagging(document, of: .object).tags
    }
}

extension S3Error {
    /// 400 for a form that lacks a field, or has it behind its file.
    package static func missingField(_ name: String) -> S3Error {
        .invalidArgument(
            "Bucket POST must contain a field named '\(name)'.  If it is specified, please check the order of the fields.",
            name: name, value: "")
    }
}
