import ShoalXML

/// Who pays for requests; kept and told, as nobody pays here.
/// https://docs.aws.amazon.com/AmazonS3/latest/API/API_RequestPaymentConfiguration.html
package struct RequestPaymentConfiguration: Sendable, Equatable {
    package enum Payer: String, CaseIterable, Sendable {
        case requester = "Requester"
        case bucketOwner = "BucketOwner"
    }

    package let payer: Payer

    package init(payer: Payer) { self.payer = payer }

    /// That of a bucket where none was put.
    package static let unset = RequestPaymentConfiguration(payer: .bucketOwner)

    /// Throws 400 `MissingRequestBodyError` or `MalformedXML`.
    package init(_ body: [UInt8]) throws(S3Error) {
        let root = try XMLBody.requiredRoot(body, named: "RequestPaymentConfiguration")
        try root.checkChildren(once: ["Payer"])
        payer = try root.requiredChoice("Payer")
    }

    package var document: [UInt8] {
        var document = XMLWriter()
        document.openRoot("RequestPaymentConfiguration")
        document.element("Payer", payer.rawValue)
        document.close("RequestPaymentConfiguration")
        return document.bytes
    }
}
