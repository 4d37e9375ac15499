import ShoalHTTP
import ShoalS3
import ShoalWire
import Testing

@Suite struct `An operation that is not built` {
    /// Requests for what is not built: sub-resources that no operation has a name for here.
    static let calls: [(S3Operation, S3Call)] = [
        (.unknown, S3Call("GET", "photos", query: [("abac", "")])),
        (.unknown, S3Call("PUT", "photos", query: [("abac", "")], body: "<x/>")),
        (.unknown, S3Call("DELETE", "photos", query: [("metadataTable", "")])),
        (.unknown, S3Call("POST", "photos", query: [("metadataConfiguration", "")], body: "<x/>")),
        (.unknown, S3Call("GET", "photos", "a", query: [("torrent", "")])),
        (.unknown, S3Call("PUT", "photos", "a", query: [("encryption", "")], body: "<x/>")),
    ]

    static let built: Set<S3Operation> = [
        .listBuckets, .createBucket, .headBucket, .deleteBucket, .getBucketLocation, .listObjects, .listObjectsV2,
        .putObject, .getObject, .headObject, .deleteObject, .deleteObjects, .copyObject, .getObjectAttributes,
        .restoreObject, .getObjectTagging, .putObjectTagging, .deleteObjectTagging, .createMultipartUpload, .uploadPart,
        .uploadPartCopy, .postObject,
        .completeMultipartUpload, .abortMultipartUpload, .listParts, .listMultipartUploads, .optionsPreflight,
        .getBucketTagging, .putBucketTagging, .deleteBucketTagging, .getBucketAcl, .putBucketAcl, .getObjectAcl,
        .putObjectAcl, .getBucketVersioning, .putBucketVersioning, .listObjectVersions, .getBucketPolicy,
        .putBucketPolicy,
        .deleteBucketPolicy, .getBucketPolicyStatus,
        .getPublicAccessBlock, .putPublicAccessBlock, .deletePublicAccessBlock, .getBucketOwnershipControls,
        .putBucketOwnershipControls, .deleteBucketOwnershipControls, .getBucketCors, .putBucketCors, .deleteBucketCors,
        .getBucketLifecycleConfiguration, .putBucketLifecycleConfiguration, .deleteBucketLifecycle,
        .getObjectLockConfiguration,
        .putObjectLockConfiguration, .getObjectRetention, .putObjectRetention, .getObjectLegalHold, .putObjectLegalHold,
        .getBucketEncryption,
        .putBucketEncryption, .deleteBucketEncryption, .getBucketWebsite, .putBucketWebsite, .deleteBucketWebsite,
        .getBucketNotificationConfiguration, .putBucketNotificationConfiguration, .getBucketLogging, .putBucketLogging,
        .getBucketRequestPayment,
        .putBucketRequestPayment, .getBucketAccelerateConfiguration, .putBucketAccelerateConfiguration,
        .getBucketMetricsConfiguration, .putBucketMetricsConfiguration, .deleteBucketMetricsConfiguration,
        .listBucketMetricsConfigurations, .getBucketAnalyticsConfiguration, .putBucketAnalyticsConfiguration,
        .deleteBucketAnalyticsConfiguration, .listBucketAnalyticsConfigurations, .getBucketInventoryConfiguration,
        .putBucketInventoryConfiguration, .deleteBucketInventoryConfiguration, .listBucketInventoryConfigurations,
        .getBucketIntelligentTieringConfiguration, .putBucketIntelligentTieringConfiguration,
        .deleteBucketIntelligentTieringConfiguration, .listBucketIntelligentTieringConfigurations,
        .getBucketReplication, .putBucketReplication, .deleteBucketReplication,
    ]

    @Test func `is one of those tried here, or it is built`() {
        let tried = Set(Self.calls.map(\.0)).union(Self.built)
        #expect(Set(S3Operation.allCases).subtracting(tried).isEmpty)
        #expect(Set(Self.calls.map(\.0)).isDisjoint(with: Self.built))
    }

    @Test func `answers 501 and changes nothing`() throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        try s3.put("a", "kept")
        for (operation, call) in Self.calls {
            let answer = try s3.send(call)
            let name = operation == .unknown ? "This sub-resource" : operation.rawValue
            #expect(answer.status == 501, "\(name) \(call.method) \(call.query): \(answer.text)")
            #expect(
                answer.errorContent
                    == "<Code>NotImplemented</Code><Message>\(name) is not implemented by Shoal.</Message>")
        }
        #expect(try s3.get("a").text == "kept")
        #expect(try s3.send(S3Call("HEAD", "films")).status == 200)
    }

    @Test func `is told only of a bucket that is there`() throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        for name in ["abac", "metadataTable", "replication", "inventory"] {
            let answer = try s3.send(S3Call("GET", "nowhere", query: [(name, "")]))
            #expect(answer.status == 404 && answer.code == "NoSuchBucket")
        }
    }

    /// `DELETE ?publicAccessBlock` once deleted the bucket of a peer.
    @Test(arguments: [
        "publicAccessBlock", "tagging", "lifecycle", "cors", "replication", "inventory", "metadataTable", "abac",
    ])
    func `never becomes a deletion of the whole bucket or object`(name: String) throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        try s3.put("a", "kept")
        try s3.send(S3Call("DELETE", "films", query: [(name, "")]))
        try s3.send(S3Call("DELETE", "photos", "a", query: [(name, "")]))
        #expect(try s3.get("a").text == "kept")
        #expect(try s3.send(S3Call("HEAD", "films")).status == 200)
        #expect(try s3.send(S3Call("DELETE", "films", query: [("unheardOf", "")])).status == 204)
    }
}
