extension Region {
    /// The answer of GetBucketLocation: an empty element for us-east-1, else the region as the bucket was created.
    /// https://docs.aws.amazon.com/AmazonS3/latest/API/API_GetBucketLocation.html
    package var locationDocument: [UInt8] {
        var document = XMLWriter(capacity: 160)
        guard self != .usEast1 else {
            document.emptyRoot("LocationConstraint")
            return document.bytes
        }
        document.openRoot("LocationConstraint")
        document.text(name)
        document.close("LocationConstraint")
        return document.bytes
    }
}
