import ShoalHTTP
import ShoalS3
import ShoalWire
import Testing

@Suite struct `An operation that is not built` {
    /// A request for each, by the name the answer must give; `?x=` is a sub-resource S3 has under no operation's name.
    static let calls: [(S3Operation, S3Call)] =
        [
            (.listObjectVersions, S3Call("GET", "photos", query: [("versions", "")])),
            (.getBucketPolicyStatus, S3Call("GET", "photos", query: [("policyStatus", "")])),
            (.restoreObject, S3Call("POST", "photos", "a", query: [("restore", "")], body: "<x/>")),
            (
                .postObject,
                S3Call("POST", "photos", headers: [("Content-Type", "multipart/form-data; boundary=x")], body: "--x--")
            ),
            (.unknown, S3Call("GET", "photos", query: [("inventory", "")])),
            (.unknown, S3Call("DELETE", "photos", query: [("analytics", "")])),
            (.unknown, S3Call("PUT", "photos", query: [("metrics", "")], body: "<x/>")),
            (.unknown, S3Call("DELETE", "photos", query: [("replication", "")])),
            (.unknown, S3Call("GET", "photos", "a", query: [("torrent", "")])),
            (.unknown, S3Call("PUT", "photos", "a", query: [("encryption", "")], body: "<x/>")),
        ]
        + subResource("tagging", .getBucketTagging, .putBucketTagging, .deleteBucketTagging)
        + subResource("acl", .getBucketAcl, .putBucketAcl) + subResource("acl", on: "a", .getObjectAcl, .putObjectAcl)
        + subResource("versioning", .getBucketVersioning, .putBucketVersioning)
        + subResource("policy", .getBucketPolicy, .putBucketPolicy, .deleteBucketPolicy)
        + subResource(
            "publicAccessBlock", .getPublicAccessBlock, .putPublicAccessBlock, .deletePublicAccessBlock)
        + subResource(
            "ownershipControls", .getBucketOwnershipControls, .putBucketOwnershipControls,
            .deleteBucketOwnershipControls)
        + subResource("cors", .getBucketCors, .putBucketCors, .deleteBucketCors)
        + subResource(
            "lifecycle", .getBucketLifecycleConfiguration, .putBucketLifecycleConfiguration, .deleteBucketLifecycle)
        + subResource("object-lock", .getObjectLockConfiguration, .putObjectLockConfiguration)
        + subResource("retention", on: "a", .getObjectRetention, .putObjectRetention)
        + subResource("legal-hold", on: "a", .getObjectLegalHold, .putObjectLegalHold)
        + subResource("encryption", .getBucketEncryption, .putBucketEncryption, .deleteBucketEncryption)
        + subResource("website", .getBucketWebsite, .putBucketWebsite, .deleteBucketWebsite)
        + subResource("notification", .getBucketNotificationConfiguration, .putBucketNotificationConfiguration)
        + subResource("logging", .getBucketLogging, .putBucketLogging)
        + subResource("requestPayment", .getBucketRequestPayment, .putBucketRequestPayment)
        + subResource("accelerate", .getBucketAccelerateConfiguration, .putBucketAccelerateConfiguration)

    static let built: Set<S3Operation> = [
        .listBuckets, .createBucket, .headBucket, .deleteBucket, .getBucketLocation, .listObjects, .listObjectsV2,
        .putObject, .getObject, .headObject, .deleteObject, .deleteObjects, .copyObject, .getObjectAttributes,
        .getObjectTagging, .putObjectTagging, .deleteObjectTagging, .createMultipartUpload, .uploadPart,
        .uploadPartCopy,
        .completeMultipartUpload, .abortMultipartUpload, .listParts, .listMultipartUploads, .optionsPreflight,
    ]

    private static func subResource(
        _ name: String, on key: String? = nil, _ get: S3Operation, _ put: S3Operation, _ delete: S3Operation? = nil
    ) -> [(S3Operation, S3Call)] {
        let query = [(name, "")]
        return [
            (get, S3Call("GET", "photos", key, query: query)),
            (put, S3Call("PUT", "photos", key, query: query, body: "<x/>")),
        ] + (delete.map { [($0, S3Call("DELETE", "photos", key, query: query))] } ?? [])
    }

    @Test func `is one of those tried here, or it is built`() {
        let tried = Set(Self.calls.map(\.0)).union(Self.built)
        #expect(Set(S3Operation.allCases).subtracting(tried).isEmpty)
        #expect(Set(Self.calls.map(\.0)).isDisjoint(with: Self.built))
    }

    @Test func `answers 501 by its name and changes nothing`() throws {
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

    @Test(arguments: ["publicAccessBlock", "unheardOf", "tagging", "lifecycle"])
    func `never becomes a deletion of the whole bucket or object`(name: String) throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        try s3.put("a", "kept")
        let onBucket = try s3.send(S3Call("DELETE", "films", query: [(name, "")])).status
        let onObject = try s3.send(S3Call("DELETE", "photos", "a", query: [(name, "")])).status
        #expect(onBucket == (name == "unheardOf" ? 204 : 501))
        // Tags of an object are built: they go, and the object stays.
        #expect(onObject == (name == "unheardOf" || name == "tagging" ? 204 : 501))
        #expect(try s3.has("a") == (name != "unheardOf"))
    }
}
