import ShoalHTTP

extension Route {
    /// A request to the website of a bucket: only reading is known there, and a query means nothing.
    ///
    /// `indexSuffix` is that of the website's index documents; nil if it shows none. Throws 400 `InvalidURI`,
    /// `InvalidBucketName`, `KeyTooLongError` and `BadRequest` as for any address.
    /// https://docs.aws.amazon.com/AmazonS3/latest/userguide/WebsiteEndpoints.html
    package init(website head: RequestHead, of bucket: [UInt8], indexSuffix: String?) throws(S3Error) {
        let address = try RequestAddress(website: head, of: bucket, indexSuffix: indexSuffix)
        let resource = Resource(address.key == nil ? "BUCKET" : "OBJECT", get: .getObject, head: .headObject)
        let target = Target(resource, head, key: address.key)
        self.init(
            style: .website, operation: target.operation, bucket: address.bucket, key: target.key,
            query: QueryParameters(), methodNotAllowed: target.methodNotAllowed)
    }

    /// The same, for another object of the website.
    package func showing(_ key: ObjectKey) -> Route {
        Route(
            style: style, operation: operation, bucket: bucket, key: key, query: query,
            methodNotAllowed: methodNotAllowed)
    }
}

extension WebsiteRequest {
    /// What a head asks a website for. Throws 400 `InvalidURI`.
    package init(_ head: RequestHead, isSecure: Bool) throws(S3Error) {
        self.init(
            path: try RequestAddress.decodedPath(of: head), host: head.text("host") ?? "", isSecure: isSecure)
    }
}

extension WebsiteConfiguration {
    /// What ends the keys of index documents; nil for a website that shows none.
    package var indexSuffix: String? {
        switch self {
        case .redirectsAll: nil
        case .pages(let pages): pages.indexSuffix
        }
    }
}
