import ShoalJSON

/// One thing that happened, as its receivers read it.
/// https://docs.aws.amazon.com/AmazonS3/latest/userguide/notification-content-structure.html
package struct EventRecord: Sendable {
    package let name: EventName
    package let time: Timestamp
    package let region: Region
    /// Who caused it.
    package let principalID: String
    package let sourceIP: String
    package let identifiers: RequestIdentifiers
    package let path: ObjectPath
    package let bucketOwnerID: String
    /// Bytes.
    package let size: UInt64?
    package let etag: ETag?
    package let versionID: String?
    /// Orders the events of one key: the later, the greater, compared as text of the same length.
    package let sequencer: UInt64
    package let outcome: Outcome?

    /// What became of the object, where the name does not say it all.
    package enum Outcome: Sendable {
        /// There is a copy of an archived object.
        case restored(until: Timestamp, from: StorageClass)
        case moved(to: StorageClass)
    }

    package init(
        _ name: EventName, at time: Timestamp, region: Region, principalID: String, sourceIP: String,
        identifiers: RequestIdentifiers, path: ObjectPath, bucketOwnerID: String, size: UInt64? = nil,
        etag: ETag? = nil, versionID: String? = nil, sequencer: UInt64, outcome: Outcome? = nil
    ) {
        self.name = name
        self.time = time
        self.region = region
        self.principalID = principalID
        self.sourceIP = sourceIP
        self.identifiers = identifiers
        self.path = path
        self.bucketOwnerID = bucketOwnerID
        self.size = size
        self.etag = etag
        self.versionID = versionID
        self.sequencer = sequencer
        self.outcome = outcome
    }

    /// The message for one target, in UTF-8.
    package func message(configurationID: String) -> [UInt8] {
        let message: JSON = ["Records": [json(configurationID: configurationID)]]
        return message.bytes
    }

    package func json(configurationID: String) -> JSON {
        guard case .object(let members) = usual(configurationID: configurationID) else { return .null }
        return .object(members + (outcome.map { [$0.member] } ?? []))
    }

    /// What the record of every event has.
    private func usual(configurationID: String) -> JSON {
        [
            "eventVersion": .string(version), "eventSource": "aws:s3",
            "awsRegion": .string(region.signingName), "eventTime": .string(time.iso8601),
            "eventName": .string(name.rawValue), "userIdentity": ["principalId": .string(principalID)],
            "requestParameters": ["sourceIPAddress": .string(sourceIP)],
            "responseElements": [
                "x-amz-request-id": .string(identifiers.requestID), "x-amz-id-2": .string(identifiers.hostID),
            ],
            "s3": [
                "s3SchemaVersion": "1.0", "configurationId": .string(configurationID),
                "bucket": [
                    "name": .string(path.bucket.text), "ownerIdentity": ["principalId": .string(bucketOwnerID)],
                    "arn": .string("arn:aws:s3:::\(path.bucket.text)"),
                ], "object": .object(object),
            ],
        ]
    }

    private var object: [JSON.Member] {
        var key: [UInt8] = []
        URLEncoding.append(path.key.bytes, to: &key)
        var members = [JSON.Member("key", .string(String(decoding: key, as: UTF8.self)))]
        if let size, isAboutContent, !isRemoval { members.append(.init("size", .integer(Int64(clamping: size)))) }
        if let etag = isRemoval ? markerETag : etag { members.append(.init("eTag", .string(etag.text))) }
        if let versionID { members.append(.init("versionId", .string(versionID))) }
        if isAboutContent { members.append(.init("sequencer", .string(sequencerText))) }
        return members
    }

    /// A delete marker counts as empty; what is gone for good has no content.
    private var markerETag: ETag? {
        switch name {
        case .objectRemovedDeleteMarkerCreated, .lifecycleExpirationDeleteMarkerCreated:
            ETag(unquoted: "d41d8cd98f00b204e9800998ecf8427e")
        default: nil
        }
    }

    private var isRemoval: Bool {
        switch name {
        case .objectRemovedDelete, .objectRemovedDeleteMarkerCreated, .lifecycleExpirationDelete,
            .lifecycleExpirationDeleteMarkerCreated:
            true
        default: false
        }
    }

    /// Of the record's structure: S3 counts the younger kinds of events further.
    private var version: String {
        switch name {
        case .objectTaggingPut, .objectTaggingDelete, .objectAclPut, .objectRestoreDelete, .lifecycleExpirationDelete,
            .lifecycleExpirationDeleteMarkerCreated, .lifecycleTransition:
            "2.3"
        default: "2.1"
        }
    }

    /// Changes of tags and lists say less.
    private var isAboutContent: Bool {
        switch name {
        case .objectTaggingPut, .objectTaggingDelete, .objectAclPut: false
        default: true
        }
    }

    /// 16 hexadecimal digits.
    private var sequencerText: String {
        let digits = String(sequencer, radix: 16, uppercase: true)
        return String(repeating: "0", count: 16 - digits.utf8.count) + digits
    }
}

extension EventRecord.Outcome {
    fileprivate var member: JSON.Member {
        switch self {
        case .restored(let end, let storageClass):
            let restored: JSON = [
                "lifecycleRestorationExpiryTime": .string(end.iso8601),
                "lifecycleRestoreStorageClass": .string(storageClass.rawValue),
            ]
            return JSON.Member("glacierEventData", ["restoreEventData": restored])
        case .moved(let storageClass):
            let moved: JSON = ["destinationStorageClass": .string(storageClass.rawValue)]
            return JSON.Member("lifecycleEventData", ["transitionEventData": moved])
        }
    }
}

extension NotificationConfiguration {
    /// What S3 sends to each queue and topic when a configuration is put.
    package static func testMessage(
        bucket: BucketName, at time: Timestamp, identifiers: RequestIdentifiers
    ) -> [UInt8] {
        let message: JSON = [
            "Service": "Amazon S3", "Event": "s3:TestEvent", "Time": .string(time.iso8601),
            "Bucket": .string(bucket.text), "RequestId": .string(identifiers.requestID),
            "HostId": .string(identifiers.hostID),
        ]
        return message.bytes
    }
}
