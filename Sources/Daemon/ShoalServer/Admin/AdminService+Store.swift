import ShoalAdminAPI
import ShoalFaults
import ShoalHTTP
import ShoalS3
import ShoalStore

extension AdminAPI {
    /// Everything back to the start state: no scope but the main one, and that reset.
    func resetAll() throws -> HTTPResponse {
        .json(
            try resetting.withLock { _ in
                try scopes.deleteAll()
                return try AdminService(main, self).resetAlone()
            })
    }
}

extension AdminService {
    /// The scope back to its start state: no objects, the buckets of the start if it is the main one, no rules, the real
    /// time.
    func reset() throws -> HTTPResponse { .json(try api.resetting.withLock { _ in try resetAlone() }) }

    fileprivate func resetAlone() throws -> ResetResult {
        let buckets = world.store.buckets().count
        let rules = world.plan.list().count
        world.clearRules()
        world.gates.releaseAll()
        let isMain = world === api.main
        try world.lifecycle.withoutSweeps(of: world.name) {
            world.clock.reset()
            if isMain, world.store.scopes.isSubset(of: [.main]) {
                try world.store.reset()
                world.notifier.forget()
            } else {
                try world.store.removeBuckets()
            }
            if isMain { try world.createStartBuckets() }
        }
        world.journal.reset(scope)
        return ResetResult(buckets: buckets, rules: rules)
    }

    /// Ground truth: what the store holds, whatever is injected. `?bucket=&after=&limit=&digest=sha256`
    func listObjects(_ request: AdminRequest) throws -> HTTPResponse {
        let wantsDigest = try Self.wantsDigest(request)
        let limit = Int(try request.number("limit", in: 1...10_000, otherwise: 1_000))
        var position = ObjectPosition(request.parameter("after") ?? "")
        var views: [ObjectView] = []
        var isTruncated = false
        for bucket in world.store.buckets() {
            if let wanted = request.parameter("bucket"), bucket.name.text != wanted { continue }
            guard position.bucket.isEmpty || bucket.name.text >= position.bucket else { continue }
            let start = bucket.name.text == position.bucket ? position.key : []
            guard let page = try page(of: bucket.name, ListQuery(startAfter: start, limit: limit - views.count + 1))
            else {
                continue
            }
            for case .object(let record) in page.entries {
                guard views.count < limit else {
                    isTruncated = true
                    break
                }
                let path = ObjectPath(bucket: bucket.name, key: record.key)
                let sha256 = wantsDigest ? try world.sha256(of: path) : nil
                views.append(ObjectView(record, in: bucket.name, sha256: sha256))
                position = ObjectPosition(bucket: bucket.name.text, key: record.key.bytes)
            }
            if isTruncated { break }
        }
        return .json(ObjectPage(objects: views, next: isTruncated ? position.text : nil))
    }
}

extension AdminService {
    private static func wantsDigest(_ request: AdminRequest) throws(Problem) -> Bool {
        guard let name = request.parameter("digest") else { return false }
        guard name == "sha256" else { throw .badRequest("digest is sha256, or is left out; not '\(name)'") }
        return true
    }

    /// Ground truth: uploads in parts that were begun and not ended. `?bucket=&limit=`
    func listUploads(_ request: AdminRequest) throws -> HTTPResponse {
        let limit = Int(try request.number("limit", in: 1...10_000, otherwise: 1_000))
        return .json(try world.openUploads(in: request.parameter("bucket"), limit: limit))
    }

    /// Nil if the bucket was deleted since it was seen.
    private func page(of bucket: BucketName, _ query: ListQuery) throws(StoreError) -> ListPage? {
        do throws(StoreError) {
            return try world.store.list(bucket, query)
        } catch .noSuchBucket {
            return nil
        }
    }
}

/// Where a page of ground truth ends: `bucket/key`.
private struct ObjectPosition {
    let bucket: String
    let key: [UInt8]

    init(bucket: String, key: [UInt8]) {
        self.bucket = bucket
        self.key = key
    }

    init(_ text: String) {
        let bytes = Array(text.utf8)
        let slash = bytes.firstIndex(of: UInt8(ascii: "/")) ?? bytes.endIndex
        bucket = String(decoding: bytes[..<slash], as: UTF8.self)
        key = Array(bytes[min(slash + 1, bytes.endIndex)...])
    }

    var text: String { bucket + "/" + String(decoding: key, as: UTF8.self) }
}

extension ObjectView {
    init(_ record: ObjectRecord, in bucket: BucketName, sha256: String?) {
        let type = ObjectAttributes(record).metadata.value(of: .contentType)
        self.init(
            bucket: bucket.text, key: record.key.description, size: record.size, etag: record.etag.text,
            lastModified: record.lastModified.iso8601, contentType: type.map { String(decoding: $0, as: UTF8.self) },
            sha256: sha256)
    }
}
