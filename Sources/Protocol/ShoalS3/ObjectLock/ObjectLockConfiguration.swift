import ShoalXML

/// That a bucket can lock versions, and how long new ones are kept if their write does not say.
/// https://docs.aws.amazon.com/AmazonS3/latest/API/API_ObjectLockConfiguration.html
package struct ObjectLockConfiguration: Sendable, Equatable {
    package enum Period: Sendable, Equatable {
        case days(Int)
        case years(Int)
    }

    package struct DefaultRetention: Sendable, Equatable {
        package let mode: ObjectRetention.Mode
        package let period: Period

        package init(mode: ObjectRetention.Mode, period: Period) {
            self.mode = mode
            self.period = period
        }
    }

    package static let dayCountMax = 36_500
    package static let yearCountMax = 100

    package let defaultRetention: DefaultRetention?

    /// Whether CreateBucket asks for a bucket whose versions can be locked: `x-amz-bucket-object-lock-enabled: true`.
    package static func isRequested(by fields: RequestFields) -> Bool {
        fields.first("x-amz-bucket-object-lock-enabled")?.equalsIgnoringCase("true") == true
    }

    package init(defaultRetention: DefaultRetention? = nil) { self.defaultRetention = defaultRetention }

    /// Throws 400: `MissingRequestBodyError`; `MalformedXML` for what the schema does not know, without `Enabled`, for an
    /// empty rule and for both `Days` and `Years`; `InvalidArgument` for a period out of range.
    package init(_ body: [UInt8]) throws(S3Error) {
        let root = try XMLBody.requiredRoot(body, named: "ObjectLockConfiguration")
        try root.checkChildren(once: ["ObjectLockEnabled", "Rule"])
        guard try root.requiredText("ObjectLockEnabled") == "Enabled" else { throw S3Error(.malformedXML) }
        defaultRetention = try root.child("Rule").map(Self.defaultRetention)
    }

    private static func defaultRetention(_ rule: XMLElement) throws(S3Error) -> DefaultRetention {
        try rule.checkChildren(once: ["DefaultRetention"])
        guard let retention = rule.child("DefaultRetention") else { throw S3Error(.malformedXML) }
        try retention.checkChildren(once: ["Mode", "Days", "Years"])
        let mode: ObjectRetention.Mode = try retention.requiredChoice("Mode")
        switch (try retention.integer("Days"), try retention.integer("Years")) {
        case (let days?, nil):
            try check(days, max: dayCountMax, "Days")
            return DefaultRetention(mode: mode, period: .days(days))
        case (nil, let years?):
            try check(years, max: yearCountMax, "Years")
            return DefaultRetention(mode: mode, period: .years(years))
        default: throw S3Error(.malformedXML)
        }
    }

    private static func check(_ count: Int, max: Int, _ name: String) throws(S3Error) {
        guard count > 0 else {
            throw .invalidArgument(
                "Default retention period must be a positive integer value.", name: name, value: "\(count)")
        }
        guard count <= max else {
            throw .invalidArgument("Default retention period too large.", name: name, value: "\(count)")
        }
    }

    /// Throws 409 `InvalidBucketState` if the bucket keeps no versions that could be locked.
    package func check(versioning: VersioningConfiguration.Status?) throws(S3Error) {
        guard versioning == .enabled else {
            throw S3Error(
                .invalidBucketState,
                "Versioning must be 'Enabled' on the bucket to apply a Object Lock configuration")
        }
    }

    package var document: [UInt8] {
        var document = XMLWriter()
        document.openRoot("ObjectLockConfiguration")
        document.element("ObjectLockEnabled", "Enabled")
        if let defaultRetention {
            document.markup("<Rule><DefaultRetention>")
            document.element("Mode", defaultRetention.mode.rawValue)
            switch defaultRetention.period {
            case .days(let days): document.element("Days", days)
            case .years(let years): document.element("Years", years)
            }
            document.markup("</DefaultRetention></Rule>")
        }
        document.close("ObjectLockConfiguration")
        return document.bytes
    }
}

extension ObjectLockConfiguration {
    /// What a version written at `now` gets that asks for nothing itself; nil without a default.
    package func retention(at now: Timestamp) -> ObjectRetention? {
        guard let defaultRetention else { return nil }
        let end =
            switch defaultRetention.period {
            case .days(let days): now.adding(seconds: Int64(days) * 86_400)
            case .years(let years): now.adding(years: years)
            }
        return ObjectRetention(mode: defaultRetention.mode, until: end)
    }
}

extension Timestamp {
    /// The same day and time years later; of 29 February, 1 March where there is none.
    fileprivate func adding(years: Int) -> Timestamp {
        var time = CivilTime(self)
        time.year += years
        if let timestamp = time.timestamp() { return timestamp }
        (time.month, time.day) = (3, 1)
        // Behind the year 9999, which no time can be written of.
        return time.timestamp() ?? self
    }
}
