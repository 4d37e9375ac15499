import ShoalHTTP

/// The tags of an object or bucket, in the order they were given.
/// https://docs.aws.amazon.com/AmazonS3/latest/userguide/object-tagging.html
package struct TagSet: Sendable, Equatable {
    package struct Tag: Sendable, Equatable {
        package let key: String
        package let value: String

        package init(key: String, value: String) {
            self.key = key
            self.value = value
        }
    }

    /// What may carry tags; the limits differ.
    package enum Owner: Sendable {
        case object, bucket

        package var countMax: Int { self == .object ? 10 : 50 }
    }

    /// UTF-16 units of a key and of a value.
    package static let keyLengthMax = 128
    package static let valueLengthMax = 256

    package let tags: [Tag]

    /// Tags that were checked when they were stored.
    package init(stored tags: [Tag]) { self.tags = tags }

    /// Throws 400: `BadRequest` for too many, `InvalidTag` for a repeated key, a reserved key, or characters other than
    /// letters, digits, blanks and `+ - = . _ : / @`.
    package init(_ tags: [Tag], of owner: Owner) throws(S3Error) {
        guard tags.count <= owner.countMax else {
            let subject = owner == .object ? "Object tags" : "Bucket tag count"
            throw S3Error(.badRequest, "\(subject) cannot be greater than \(owner.countMax)")
        }
        var seen: Set<[UInt8]> = []
        for tag in tags {
            try Self.check(tag, of: owner)
            guard seen.insert(Array(tag.key.utf8)).inserted else {
                throw .invalidTag("Cannot provide multiple Tags with the same key", tag.key)
            }
        }
        self.tags = tags
    }

    /// The tags of an `x-amz-tagging` header, `k1=v1&k2=v2` with form encoding; nil if there is none or it is empty.
    /// Throws what the other initializer does, and 400 `InvalidArgument` for broken escapes, repeated keys and characters
    /// that tags do not have, as where a comma stands for the `&`.
    package static func named(in fields: RequestFields) throws(S3Error) -> TagSet? {
        guard let header = fields.first("x-amz-tagging"), !header.isEmpty else { return nil }
        var tags: [Tag] = []
        for piece in header.split(separator: UInt8(ascii: "&")) {
            let equals = piece.firstIndex(of: UInt8(ascii: "=")) ?? piece.endIndex
            guard let key = formDecoded(piece[..<equals]), !key.isEmpty,
                let value = formDecoded(piece[min(equals + 1, piece.endIndex)...]),
                !tags.contains(where: { $0.key.utf8.elementsEqual(key.utf8) }),
                key.unicodeScalars.allSatisfy(isAllowed), value.unicodeScalars.allSatisfy(isAllowed)
            else {
                throw .invalidArgument(
                    "The header 'x-amz-tagging' shall be encoded as UTF-8 then URLEncoded URL query parameters without "
                        + "tag name duplicates.", name: "x-amz-tagging", value: header.text)
            }
            tags.append(Tag(key: key, value: value))
        }
        return try TagSet(tags, of: .object)
    }

    private static func formDecoded(_ text: ArraySlice<UInt8>) -> String? {
        var bytes: [UInt8] = []
        guard PercentDecoding.append(text, to: &bytes) else { return nil }
        return String(validating: bytes, as: UTF8.self)
    }

    private static func check(_ tag: Tag, of owner: Owner) throws(S3Error) {
        guard !tag.key.lowercased().hasPrefix("aws:") else {
            throw .invalidTag(
                owner == .object
                    ? "Your TagKey cannot be prefixed with aws:" : "System tags cannot be added/updated by requester",
                tag.key)
        }
        guard (1...keyLengthMax).contains(tag.key.utf16.count), tag.key.unicodeScalars.allSatisfy(isAllowed) else {
            throw .invalidTag("The TagKey you have provided is invalid", tag.key)
        }
        guard tag.value.utf16.count <= valueLengthMax, tag.value.unicodeScalars.allSatisfy(isAllowed) else {
            throw S3Error(
                .invalidTag, "The TagValue you have provided is invalid",
                elements: [.init("TagKey", tag.key), .init("TagValue", tag.value)])
        }
    }

    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII {
            switch scalar {
            case "a"..."z", "A"..."Z", "0"..."9", " ", "+", "-", "=", ".", "_", ":", "/", "@": return true
            default: return false
            }
        }
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
            .letterNumber, .otherNumber, .spaceSeparator, .nonspacingMark, .spacingMark:
            return true
        default: return false
        }
    }
}

extension S3Error {
    fileprivate static func invalidTag(_ message: String, _ key: String) -> S3Error {
        S3Error(.invalidTag, message, elements: [Element("TagKey", key)])
    }
}
