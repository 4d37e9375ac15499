import ShoalXML

/// Whether a bucket keeps the versions of its objects; the body of PutBucketVersioning and of GetBucketVersioning's
/// answer.
/// https://docs.aws.amazon.com/AmazonS3/latest/API/API_VersioningConfiguration.html
package struct VersioningConfiguration: Sendable, Equatable {
    /// A bucket that was never asked to keep versions has none, and none can go back there.
    package enum Status: String, CaseIterable, Sendable {
        case enabled = "Enabled"
        case suspended = "Suspended"
    }

    package let status: Status?

    package init(status: Status?) { self.status = status }

    /// Throws 400: `MissingRequestBodyError`, `MalformedXML`, and `IllegalVersioningConfigurationException` without a
    /// `Status`.
    ///
    /// Differs from S3: `MfaDelete` `Enabled` is 501 `NotImplemented`, because there is no device to ask.
    package init(_ body: [UInt8]) throws(S3Error) {
        let root = try XMLBody.requiredRoot(body, named: "VersioningConfiguration")
        try root.checkChildren(once: ["Status", "MfaDelete"])
        let mfaDelete: MFADelete? = try root.choice("MfaDelete")
        guard let status: Status = try root.choice("Status") else { throw S3Error(.illegalVersioningConfiguration) }
        guard mfaDelete != .enabled else { throw S3Error(.notImplemented, elements: [.init("Header", "x-amz-mfa")]) }
        self.status = status
    }

    private enum MFADelete: String {
        case enabled = "Enabled"
        case disabled = "Disabled"
    }

    /// Throws 409 `InvalidBucketState` if a bucket with object lock is to keep no more versions.
    package func check(bucketHasLock: Bool) throws(S3Error) {
        guard !bucketHasLock || status == .enabled else {
            throw S3Error(
                .invalidBucketState,
                "An Object Lock configuration is present on this bucket, so the versioning state cannot be changed.")
        }
    }

    package var document: [UInt8] {
        var document = XMLWriter()
        guard let status else {
            document.emptyRoot("VersioningConfiguration")
            return document.bytes
        }
        document.openRoot("VersioningConfiguration")
        document.element("Status", status.rawValue)
        document.close("VersioningConfiguration")
        return document.bytes
    }
}
