import ShoalXML

/// Whether a bucket may be reached over the accelerated endpoint; kept and told, as there is none here.
/// https://docs.aws.amazon.com/AmazonS3/latest/API/API_AccelerateConfiguration.html
package struct AccelerateConfiguration: Sendable, Equatable {
    package enum Status: String, CaseIterable, Sendable {
        case enabled = "Enabled"
        case suspended = "Suspended"
    }

    /// Nil for a bucket where none was put.
    package let status: Status?

    package init(status: Status?) { self.status = status }

    /// Throws 400 `MissingRequestBodyError`, or `MalformedXML`, also without a `Status`.
    package init(_ body: [UInt8]) throws(S3Error) {
        let root = try XMLBody.requiredRoot(body, named: "AccelerateConfiguration")
        try root.checkChildren(once: ["Status"])
        status = try root.requiredChoice("Status")
    }

    package var document: [UInt8] {
        var document = XMLWriter()
        guard let status else {
            document.emptyRoot("AccelerateConfiguration")
            return document.bytes
        }
        document.openRoot("AccelerateConfiguration")
        document.element("Status", status.rawValue)
        document.close("AccelerateConfiguration")
        return document.bytes
    }
}
