import ShoalXML

/// Until when a version cannot be deleted.
/// https://docs.aws.amazon.com/AmazonS3/latest/userguide/object-lock.html#object-lock-retention-modes
package struct ObjectRetention: Sendable, Equatable {
    package enum Mode: String, CaseIterable, Sendable {
        /// Who may bypass it can shorten it.
        case governance = "GOVERNANCE"
        /// Nobody can shorten it.
        case compliance = "COMPLIANCE"
    }

    package let mode: Mode
    package let until: Timestamp

    package init(mode: Mode, until: Timestamp) {
        self.mode = mode
        self.until = until
    }

    package func isActive(at now: Timestamp) -> Bool { now < until }

    /// The body of PutObjectRetention; an empty `<Retention/>` asks for none and is nil.
    ///
    /// Throws 400: `MissingRequestBodyError`; `MalformedXML`, also for a mode without a date or a date without a mode;
    /// `InvalidArgument` for a date that is not in the future.
    /// https://docs.aws.amazon.com/AmazonS3/latest/API/API_PutObjectRetention.html
    package static func requested(_ body: [UInt8], now: Timestamp) throws(S3Error) -> ObjectRetention? {
        let root = try XMLBody.requiredRoot(body, named: "Retention")
        try root.checkChildren(once: ["Mode", "RetainUntilDate"])
        let mode: Mode? = try root.choice("Mode")
        let until = try root.time("RetainUntilDate")
        guard mode != nil || until != nil else { return nil }
        guard let mode, let until else { throw S3Error(.malformedXML) }
        guard until > now else {
            throw .invalidArgument(
                "The retain until date must be in the future!", name: "RetainUntilDate",
                value: try root.requiredText("RetainUntilDate"))
        }
        return ObjectRetention(mode: mode, until: until)
    }

    /// The answer of GetObjectRetention.
    package var document: [UInt8] {
        var document = XMLWriter()
        document.openRoot("Retention")
        document.element("Mode", mode.rawValue)
        // A promise, and not rounded.
        document.element("RetainUntilDate", until.iso8601)
        document.close("Retention")
        return document.bytes
    }
}

/// Whether a version cannot be deleted until somebody says so; the body of PutObjectLegalHold and of GetObjectLegalHold's
/// answer.
/// https://docs.aws.amazon.com/AmazonS3/latest/API/API_ObjectLockLegalHold.html
package enum LegalHold: String, CaseIterable, Sendable {
    case on = "ON"
    case off = "OFF"

    /// Throws 400 `MalformedXML`, also for no body and without a `Status`.
    package init(_ body: [UInt8]) throws(S3Error) {
        let root = try XMLBody.root(body, named: "LegalHold")
        try root.checkChildren(once: ["Status"])
        self = try root.requiredChoice("Status")
    }

    package var document: [UInt8] {
        var document = XMLWriter()
        document.openRoot("LegalHold")
        document.element("Status", rawValue)
        document.close("LegalHold")
        return document.bytes
    }
}
