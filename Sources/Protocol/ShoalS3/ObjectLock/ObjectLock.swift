/// What keeps one version from being deleted.
package struct ObjectLock: Sendable, Equatable {
    package let retention: ObjectRetention?
    /// Nil if it was never set.
    package let legalHold: LegalHold?

    package init(retention: ObjectRetention? = nil, legalHold: LegalHold? = nil) {
        self.retention = retention
        self.legalHold = legalHold
    }

    package static let none = ObjectLock()
}

// MARK: - Rules

extension ObjectLock {
    /// Throws 403 `AccessDenied` if the version may not be deleted at `now`. A plain delete and an overwriting write only
    /// cover a version, and so are never asked.
    ///
    /// `bypassesGovernance` tells that the request asks for it and may.
    package func checkDeletion(now: Timestamp, bypassesGovernance: Bool) throws(S3Error) {
        guard legalHold != .on else { throw Self.protected }
        guard let retention, retention.isActive(at: now) else { return }
        guard retention.mode == .governance && bypassesGovernance else { throw Self.protected }
    }

    /// Throws 403 `AccessDenied` if `new`, nil for none at all, may not take the place of the version's retention.
    ///
    /// A longer one of the same mode always may; anything else takes a bypass, and from compliance there is none.
    package func checkRetention(
        _ new: ObjectRetention?, now: Timestamp, bypassesGovernance: Bool
    ) throws(S3Error) {
        guard let retention, retention.isActive(at: now) else { return }
        if let new, new.mode == retention.mode, new.until >= retention.until { return }
        guard retention.mode == .governance && bypassesGovernance else { throw Self.protected }
    }

    private static var protected: S3Error {
        S3Error(.accessDenied, "Access Denied because object protected by object lock.")
    }
}

// MARK: - Headers

extension ObjectLock {
    /// What the `x-amz-object-lock-*` headers of a write ask for.
    ///
    /// Throws 400 `InvalidArgument`: for a mode or a hold that there is not, for a mode without a date or a date without
    /// a mode, and for a date in another form or not in the future.
    package static func named(in fields: RequestFields, now: Timestamp) throws(S3Error) -> ObjectLock {
        let hold = try fields.first("x-amz-object-lock-legal-hold").map { value throws(S3Error) in
            guard let hold = LegalHold(rawValue: value.text) else {
                throw S3Error.invalidArgument(
                    "Legal Hold must be either of 'ON' or 'OFF'", name: "x-amz-object-lock-legal-hold",
                    value: value.text)
            }
            return hold
        }
        let (mode, until) = (
            fields.first("x-amz-object-lock-mode"), fields.first("x-amz-object-lock-retain-until-date")
        )
        guard let mode, let until else {
            // S3 names the one that is missing.
            if mode != nil { throw bothMustBeSupplied("x-amz-object-lock-retain-until-date") }
            if until != nil { throw bothMustBeSupplied("x-amz-object-lock-mode") }
            return ObjectLock(legalHold: hold)
        }
        guard let mode = ObjectRetention.Mode(rawValue: mode.text) else {
            throw .invalidArgument("Unknown wormMode directive.", name: "x-amz-object-lock-mode", value: mode.text)
        }
        return ObjectLock(retention: ObjectRetention(mode: mode, until: try date(until, now: now)), legalHold: hold)
    }

    private static func bothMustBeSupplied(_ missing: String) -> S3Error {
        .invalidArgument(
            "x-amz-object-lock-retain-until-date and x-amz-object-lock-mode must both be supplied", name: missing,
            value: nil)
    }

    private static func date(_ value: ArraySlice<UInt8>, now: Timestamp) throws(S3Error) -> Timestamp {
        guard let date = Timestamp(iso8601: value) else {
            throw .invalidArgument(
                "The retain until date must be provided in ISO 8601 format",
                name: "x-amz-object-lock-retain-until-date", value: value.text)
        }
        guard date > now else {
            throw .invalidArgument(
                "The retain until date must be in the future!", name: "x-amz-object-lock-retain-until-date",
                value: value.text)
        }
        return date
    }

    /// Throws 400 `InvalidRequest` if the headers ask for a lock in a bucket that has none.
    package func check(bucketHasLock: Bool) throws(S3Error) {
        guard bucketHasLock || self == .none else {
            throw S3Error(.invalidRequest, "Bucket is missing Object Lock Configuration")
        }
    }

    /// What a version gets that is written at `now`: the retention of the bucket's configuration where the write asks for
    /// none. Throws 400 `InvalidRequest` if it asks for a lock in a bucket without one, `configuration` nil.
    package func completed(
        by configuration: ObjectLockConfiguration?, at now: Timestamp
    ) throws(S3Error) -> ObjectLock {
        try check(bucketHasLock: configuration != nil)
        return ObjectLock(retention: retention ?? configuration?.retention(at: now), legalHold: legalHold)
    }

    /// Throws 400 `InvalidRequest` if an object that is locked from the start comes without a digest of its bytes.
    package func check(_ expectation: ChecksumExpectation) throws(S3Error) {
        guard self != .none, expectation.contentMD5 == nil, expectation.source == .none else { return }
        throw S3Error(
            .invalidRequest,
            "Content-MD5 OR x-amz-checksum- HTTP header is required for Put Object requests with Object Lock "
                + "parameters")
    }

    /// Whether the request wants to get past a retention of governance: `x-amz-bypass-governance-retention: true`.
    package static func bypassesGovernance(_ fields: RequestFields) -> Bool {
        fields.first("x-amz-bypass-governance-retention")?.equalsIgnoringCase("true") == true
    }

    /// Appends the headers that tell a reader of the lock, each with CRLF.
    package func appendFieldLines(to bytes: inout [UInt8]) {
        if let retention {
            bytes.append("x-amz-object-lock-mode: ")
            bytes += retention.mode.rawValue.utf8
            bytes.append("\r\nx-amz-object-lock-retain-until-date: ")
            retention.until.appendISO8601(to: &bytes)
            bytes.append("\r\n")
        }
        guard let legalHold else { return }
        bytes.append("x-amz-object-lock-legal-hold: ")
        bytes += legalHold.rawValue.utf8
        bytes.append("\r\n")
    }
}
