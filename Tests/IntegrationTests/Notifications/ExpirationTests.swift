import ShoalAdminAPI
import ShoalJSON
import ShoalLog
import ShoalS3
import ShoalStore
import Testing

@testable import ShoalServer

/// What rules of a lifecycle tell with their changes.
@Suite struct `A lifecycle that acts` {
    private let configuration = Array(
        """
        <NotificationConfiguration><QueueConfiguration><Queue>arn:aws:sqs:us-east-1:000000000000:thumbs</Queue>\
        <Event>s3:LifecycleExpiration:*</Event><Event>s3:LifecycleTransition</Event></QueueConfiguration></NotificationConfiguration>
        """.utf8)

    /// A server's insides without its sockets, and the bucket `photos` that keeps versions and notifies `thumbs`.
    private func withWorld(_ body: (World, BucketRecord) throws -> Void) throws {
        var options = ServeOptions()
        options.webhooks = [try #require(Webhook(name: "thumbs", url: "http://127.0.0.1:1/"))]
        let directory = try DataDirectory(.ephemeral)
        defer { directory.close() }
        let facilities = try Facilities(options, in: directory, port: 0, laneCount: 1, log: Log(level: .error))
        defer { facilities.stop() }
        let world = try World.main(in: facilities)
        let name = try #require(BucketName("photos"))
        try world.ensureBucket(name)
        let document = try NotificationConfiguration(configuration).document
        try world.change(name) { $0[.notification] = document }
        try world.store.updateBucket(name) { $0.versioning = .enabled }
        try body(world, try #require(world.store.bucket(name)))
    }

    @Test func `tells the webhook what it left, and that S3 did it`() throws {
        try withWorld { world, bucket in
            try world.change(
                bucket.name,
                """
                <Expiration><Days>1</Days></Expiration>\
                <NoncurrentVersionExpiration><NoncurrentDays>2</NoncurrentDays></NoncurrentVersionExpiration>
                """)
            let key = try #require(ObjectKey("logs/a".utf8))
            let path = ObjectPath(bucket: bucket.name, key: key)
            let written = try world.write(path)
            world.clock.apply(.advance(2 * 86_400_000), real: world.now)
            #expect(try world.lifecycle.sweep(world.sweptScope).markersCreated == 1)
            let marker = try #require(try world.store.current(path))
            world.clock.apply(.advance(4 * 86_400_000), real: world.now)
            #expect(try world.lifecycle.sweep(world.sweptScope).versionsDeleted == 1)
            let records = try world.store.outbox(of: "thumbs", after: nil, limit: 10)
                .compactMap { try JSONParser.parse($0.message.body)["Records"]?.first }
            #expect(
                records.map { $0["eventName"]?.string } == [
                    "LifecycleExpiration:DeleteMarkerCreated", "LifecycleExpiration:Delete",
                ])
            let versions = [marker, written].map { VersionID.text(of: $0.version, at: path) }
            #expect(records.map { $0["s3"]?["object"]?["versionId"]?.string } == versions)
            #expect(records.allSatisfy { $0["userIdentity"]?["principalId"]?.string == "s3.amazonaws.com" })
            // A client's deletion is none of the events that are asked for.
            let cause = EventCause(
                principalID: "p", sourceIP: "127.0.0.1", identifiers: world.requestIDs.next(), time: world.now)
            #expect(world.announcer(in: bucket, by: cause)?.announcement(of: .deletion, at: key) == nil)
        }
    }

    @Test func `tells the webhook where it moved an object`() throws {
        try withWorld { world, bucket in
            try world.change(
                bucket.name, "<Transition><Days>1</Days><StorageClass>GLACIER</StorageClass></Transition>",
                .variesByStorageClass)
            let key = try #require(ObjectKey("logs/a".utf8))
            try world.write(ObjectPath(bucket: bucket.name, key: key))
            world.clock.apply(.advance(2 * 86_400_000), real: world.now)
            #expect(try world.lifecycle.sweep(world.sweptScope).versionsMoved == 1)
            let messages = try world.store.outbox(of: "thumbs", after: nil, limit: 10)
            #expect(messages.count == 1)
            let message = try #require(messages.first?.message)
            let record = try #require(try JSONParser.parse(message.body)["Records"]?.first)
            #expect(record["eventName"]?.string == "LifecycleTransition")
            #expect(record["eventVersion"]?.string == "2.3")
            let moved: JSON = ["transitionEventData": ["destinationStorageClass": "GLACIER"]]
            #expect(record["lifecycleEventData"] == moved)
        }
    }

    /// Between the look at the rules and the first page, as between any two.
    @Test(arguments: ["the rules are dropped", "the bucket is another one"])
    func `stops when meanwhile`(change: String) throws {
        try withWorld { world, bucket in
            try world.change(bucket.name, "<Expiration><Days>1</Days></Expiration>")
            let path = ObjectPath(bucket: bucket.name, key: try #require(ObjectKey("logs/a".utf8)))
            try world.write(path)
            let later = world.now.adding(seconds: 5 * 86_400)
            let scope = LifecycleSweeper.Scope(name: "later", store: world.store) { later }
            let sweeper = try LifecycleSweeper(in: "", log: Log(level: .error)) {
                [scope]
            } announcer: { _, _ in
                do {
                    if change == "the rules are dropped" {
                        try world.change(bucket.name) { $0[.lifecycle] = nil }
                    } else {
                        try world.store.reset()
                        try world.ensureBucket(bucket.name)
                        try world.change(bucket.name, "<Expiration><Days>1</Days></Expiration>")
                        try world.write(path)
                    }
                } catch {
                    Issue.record(error)
                }
                return nil
            }
            #expect(try sweeper.sweep(scope) == LifecycleRun())
            #expect(try world.store.current(path)?.isDeleteMarker == false)
        }
    }
}

extension World {
    fileprivate func change(
        _ bucket: BucketName, _ action: String,
        _ smallestMoved: TransitionDefaultMinimumObjectSize = .allStorageClasses128K
    ) throws {
        let rules =
            "<LifecycleConfiguration><Rule><ID>r</ID><Filter/><Status>Enabled</Status>\(action)</Rule>"
            + "</LifecycleConfiguration>"
        let lifecycle = StoredLifecycle(try LifecycleConfiguration(Array(rules.utf8)), smallestMoved)
        try change(bucket) { $0[.lifecycle] = lifecycle.bytes }
    }

    @discardableResult
    fileprivate func write(_ path: ObjectPath) throws -> ObjectRecord {
        try store.put(
            ObjectRecord(key: path.key, etag: ETag(unquoted: "tag"), size: 0, lastModified: now),
            in: path.bucket, body: try store.beginBody(size: 0, lane: 0).finish())
    }
}
