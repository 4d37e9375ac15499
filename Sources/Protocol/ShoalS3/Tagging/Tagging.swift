import ShoalXML

/// The document that carries the tags of an object or a bucket, in requests and in answers.
/// https://docs.aws.amazon.com/AmazonS3/latest/API/API_Tagging.html
package struct Tagging: Sendable, Equatable {
    package let tags: TagSet

    package init(_ tags: TagSet) { self.tags = tags }

    /// A document without a `TagSet` is one without tags.
    ///
    /// Throws 400: `MissingRequestBodyError` for no body, `MalformedXML`, `BadRequest` for too many tags, `InvalidTag`.
    package init(_ body: [UInt8], of owner: TagSet.Owner) throws(S3Error) {
        guard !body.isEmpty else { throw S3Error(.missingRequestBody) }
        let root = try XMLBody.root(body, named: "Tagging")
        try root.checkChildren(once: ["TagSet"])
        guard let set = root.child("TagSet") else {
            tags = TagSet(stored: [])
            return
        }
        tags = try TagSet(try TagSet.tags(in: set), of: owner)
    }

    package var document: [UInt8] {
        var document = XMLWriter()
        document.openRoot("Tagging")
        if tags.tags.isEmpty {
            document.empty("TagSet")
        } else {
            document.open("TagSet")
            for tag in tags.tags {
                document.open("Tag")
                document.element("Key", tag.key)
                document.element("Value", tag.value)
                document.close("Tag")
            }
            document.close("TagSet")
        }
        document.close("Tagging")
        return document.bytes
    }
}

extension TagSet {
    /// The tags in `<Tag><Key/><Value/></Tag>` elements, not judged yet. Throws 400 `MalformedXML`.
    static func tags(in element: XMLElement) throws(S3Error) -> [Tag] {
        try element.checkChildren(repeated: ["Tag"])
        var tags: [Tag] = []
        for tag in element.children {
            try tag.checkChildren(once: ["Key", "Value"])
            tags.append(Tag(key: try tag.requiredText("Key"), value: try tag.requiredText("Value")))
        }
        return tags
    }
}
