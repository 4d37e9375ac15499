import ShoalXML

/// Who owns the objects of a bucket, and with that whether access control lists count.
/// https://docs.aws.amazon.com/AmazonS3/latest/userguide/about-object-ownership.html
package enum ObjectOwnership: String, CaseIterable, Sendable {
    case bucketOwnerEnforced = "BucketOwnerEnforced"
    case bucketOwnerPreferred = "BucketOwnerPreferred"
    case objectWriter = "ObjectWriter"

    /// What `x-amz-object-ownership` of CreateBucket names; nil if it is absent. Throws 400 `InvalidArgument`.
    package static func named(in fields: RequestFields) throws(S3Error) -> ObjectOwnership? {
        guard let value = fields.first("x-amz-object-ownership") else { return nil }
        guard let known = ObjectOwnership(rawValue: value.text) else {
            throw .invalidArgument(
                "Invalid x-amz-object-ownership header: \(value.text)", name: "x-amz-object-ownership", value: nil)
        }
        return known
    }
}

/// The body of PutBucketOwnershipControls and of GetBucketOwnershipControls' answer.
/// https://docs.aws.amazon.com/AmazonS3/latest/API/API_OwnershipControls.html
package struct OwnershipControls: Sendable, Equatable {
    package let ownership: ObjectOwnership

    package init(ownership: ObjectOwnership) { self.ownership = ownership }

    /// Those of a new bucket; once deleted, a bucket has none.
    package static let ofNewBucket = OwnershipControls(ownership: .bucketOwnerEnforced)

    /// Throws 400 `MissingRequestBodyError`, or `MalformedXML`, also for a second rule.
    package init(_ body: [UInt8]) throws(S3Error) {
        let root = try XMLBody.requiredRoot(body, named: "OwnershipControls")
        try root.checkChildren(once: ["Rule"])
        guard let rule = root.child("Rule") else { throw S3Error(.malformedXML) }
        try rule.checkChildren(once: ["ObjectOwnership"])
        ownership = try rule.requiredChoice("ObjectOwnership")
    }

    package var document: [UInt8] {
        var document = XMLWriter()
        document.openRoot("OwnershipControls")
        document.open("Rule")
        document.element("ObjectOwnership", ownership.rawValue)
        document.close("Rule")
        document.close("OwnershipControls")
        return document.bytes
    }
}
