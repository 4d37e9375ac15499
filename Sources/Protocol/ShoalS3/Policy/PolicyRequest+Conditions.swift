import ShoalHTTP

extension PolicyRequest {
    /// How a request was signed.
    package struct Signing: Sendable {
        package enum Kind: String, Sendable {
            case header = "REST-HEADER"
            case query = "REST-QUERY-STRING"
            case form = "POST"
        }

        package let kind: Kind
        /// `AWS4-HMAC-SHA256`, or `AWS` for version 2.
        package let version: String
        /// Since the date in the signature; nil for version 2.
        package let ageMilliseconds: Int64?

        package init(kind: Kind, version: String = "AWS4-HMAC-SHA256", ageMilliseconds: Int64?) {
            self.kind = kind
            self.version = version
            self.ageMilliseconds = ageMilliseconds
        }
    }

    /// The circumstances that the request itself tells.
    ///
    /// `sourceIP` is the client's address, `signing` nil for an anonymous request. Tags of an object that is there are
    /// for the caller to add.
    package static func conditions(
        _ fields: RequestFields, sourceIP: String, isSecure: Bool, now: Timestamp, signing: Signing?,
        tags: TagSet? = nil
    ) -> [ConditionKey: [String]] {
        var conditions: [ConditionKey: [String]] = [
            "aws:SecureTransport": [isSecure ? "true" : "false"], "aws:SourceIp": [sourceIP],
            "aws:CurrentTime": [now.iso8601Seconds], "aws:EpochTime": ["\(now.seconds)"],
        ]
        func add(_ key: ConditionKey, _ value: ArraySlice<UInt8>?) {
            if let value { conditions[key] = [value.text] }
        }
        add("aws:Referer", fields.head.first("referer"))
        add("aws:UserAgent", fields.head.first("user-agent"))
        add("s3:prefix", fields.query.first("prefix"))
        add("s3:delimiter", fields.query.first("delimiter"))
        add("s3:max-keys", fields.query.first("max-keys"))
        add("s3:VersionId", fields.query.first("versionId"))
        add("s3:x-amz-acl", fields.first("x-amz-acl"))
        add("s3:x-amz-content-sha256", fields.first("x-amz-content-sha256"))
        add("s3:x-amz-copy-source", fields.first("x-amz-copy-source"))
        add("s3:x-amz-metadata-directive", fields.first("x-amz-metadata-directive"))
        add("s3:x-amz-storage-class", fields.first("x-amz-storage-class"))
        add("s3:x-amz-server-side-encryption", fields.first("x-amz-server-side-encryption"))
        add(
            "s3:x-amz-server-side-encryption-aws-kms-key-id",
            fields.first("x-amz-server-side-encryption-aws-kms-key-id"))
        add(
            "s3:x-amz-server-side-encryption-customer-algorithm",
            fields.first("x-amz-server-side-encryption-customer-algorithm"))
        add("s3:object-lock-mode", fields.first("x-amz-object-lock-mode"))
        add("s3:object-lock-legal-hold", fields.first("x-amz-object-lock-legal-hold"))
        if let until = fields.first("x-amz-object-lock-retain-until-date") {
            add("s3:object-lock-retain-until-date", until)
            if let end = Timestamp(iso8601: until) {
                let days = (end.milliseconds - now.milliseconds + 86_399_999) / 86_400_000
                conditions["s3:object-lock-remaining-retention-days"] = ["\(days)"]
            }
        }
        add("s3:x-amz-grant-full-control", fields.first("x-amz-grant-full-control"))
        add("s3:x-amz-grant-read", fields.first("x-amz-grant-read"))
        add("s3:x-amz-grant-read-acp", fields.first("x-amz-grant-read-acp"))
        add("s3:x-amz-grant-write", fields.first("x-amz-grant-write"))
        add("s3:x-amz-grant-write-acp", fields.first("x-amz-grant-write-acp"))
        if let signing {
            conditions["s3:authType"] = [signing.kind.rawValue]
            conditions["s3:signatureversion"] = [signing.version]
            if let age = signing.ageMilliseconds { conditions["s3:signatureAge"] = ["\(age)"] }
        }
        if let tags {
            for tag in tags.tags { conditions[.requestObjectTag(tag.key)] = [tag.value] }
            conditions["s3:RequestObjectTagKeys"] = tags.tags.map(\.key)
        }
        return conditions
    }
}
