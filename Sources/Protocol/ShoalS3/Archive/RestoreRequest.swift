import ShoalXML

/// The body of RestoreObject: for how long a copy of an archived object is to be readable.
/// https://docs.aws.amazon.com/AmazonS3/latest/API/API_RestoreObject.html
package struct RestoreRequest: Sendable, Equatable {
    /// How fast a job is; here all of them are done at once.
    private enum Tier: String {
        case standard = "Standard"
        case bulk = "Bulk"
        case expedited = "Expedited"
    }

    /// At least 1.
    package let days: Int

    /// Throws 400 `MissingRequestBodyError` and `MalformedXML`, also for no days and fewer than one; 501 for a selection
    /// of records, which has no days.
    package init(_ body: [UInt8]) throws(S3Error) {
        let root = try XMLBody.requiredRoot(body, named: "RestoreRequest")
        try root.checkChildren(once: [
            "Days", "GlacierJobParameters", "Type", "Tier", "Description", "SelectParameters", "OutputLocation",
        ])
        guard root.child("Type") == nil, root.child("SelectParameters") == nil, root.child("OutputLocation") == nil
        else {
            throw S3Error(.notImplemented, "A restore that selects records is not implemented by Shoal.")
        }
        _ = try root.choice("Tier", of: Tier.self)
        if let parameters = root.child("GlacierJobParameters") {
            try parameters.checkChildren(once: ["Tier"])
            _ = try parameters.requiredChoice("Tier", of: Tier.self)
        }
        guard let days = try root.integer("Days"), days >= 1 else { throw S3Error(.malformedXML) }
        self.days = days
    }

    /// When the copy goes: so many days from `now`, then on to the next midnight in UTC.
    package func expiry(from now: Timestamp) -> Timestamp { now.midnight(days: days) }
}
