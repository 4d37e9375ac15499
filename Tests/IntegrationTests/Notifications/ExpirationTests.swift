import ShoalJSON
import ShoalLog
import ShoalS3
import ShoalStore
import Testing

@testable import ShoalServer

/// What rules of a lifecycle give with their changes.
@Suite struct `The announcement of an expiration` {
    private let configuration = Array(
        """
        <NotificationConfiguration><QueueConfiguration><Queue>arn:aws:sqs:us-east-1:000000000000:thumbs</Queue>\
        <Event>s3:LifecycleExpiration:*</Event></QueueConfiguration></NotificationConfiguration>
        """.utf8)

    /// A server's insides without its sockets, and the bucket `photos` that keeps versions and notifies `thumbs`.
    private func withWorld(_ body: (World, BucketRecord) throws -> Void) throws {
        var options = ServeOptions()
        options.webhooks = [try #require(Webhook(name: "thumbs", url: "http://127.0.0.1:1/"))]
        let directory = try DataDirectory(.ephemeral)
        defer { directory.close() }
        let world = try World(options, in: directory, port: 0, laneCount: 1, log: Log(level: .error))
        defer { world.stop() }
        let name = try #require(BucketName("photos"))
        try world.ensureBucket(name)
        let document = try NotificationConfiguration(configuration).document
        try world.change(name) { $0[.notification] = document }
        try world.store.updateBucket(name) { $0.versioning = .enabled }
        try body(world, try #require(world.store.bucket(name)))
    }

    @Test func `says what the rule left, and that S3 did it`() throws {
        try withWorld { world, bucket in
            let path = ObjectPath(bucket: bucket.name, key: try #require(ObjectKey("logs/a".utf8)))
            let marker = try #require(
                try world.store.delete(
                    path, at: world.now,
                    announcing: world.expirationAnnouncement(of: .expiration, at: path, in: bucket)
                ).get())
            _ = try world.store.deleteVersion(
                path, marker.version,
                announcing: world.expirationAnnouncement(
                    of: .named(.lifecycleExpirationDelete), at: path, in: bucket)
            ) { _ in }
            // A client's deletion is none of the events that are asked for.
            let cause = EventCause(
                principalID: "p", sourceIP: "127.0.0.1", identifiers: world.requestIDs.next(), time: world.now)
            #expect(world.announcer(in: bucket, by: cause)?.announcement(of: .deletion, at: path.key) == nil)
            let records = try world.store.outbox(of: "thumbs", after: nil, limit: 10)
                .compactMap { try JSONParser.parse($0.message.body)["Records"]?.first }
            #expect(
                records.map { $0["eventName"]?.string } == [
                    "LifecycleExpiration:DeleteMarkerCreated", "LifecycleExpiration:Delete",
                ])
            let version = VersionID.text(of: marker.version, at: path)
            #expect(records.allSatisfy { $0["s3"]?["object"]?["versionId"]?.string == version })
            #expect(records.allSatisfy { $0["userIdentity"]?["principalId"]?.string == "s3.amazonaws.com" })
        }
    }
}
