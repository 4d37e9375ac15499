import ShoalAdminAPI
import ShoalCrypto
import ShoalFaults
import ShoalHTTP
import ShoalJSON
import ShoalLog
import ShoalS3
import ShoalStore

extension SelfDescription {
    static let checks: JSON = [
        "checks": .array(
            CheckName.allCases.map { name in
                [
                    "name": .string(name.rawValue), "word": .string(name.word), "meaning": .string(name.meaning),
                    "parameters": .strings(name.parameters.map(\.rawValue)),
                ]
            })
    ]
}

extension AdminService {
    /// What the journal holds behind `since`, grouped; all of it, so that a verdict sees the whole.
    func history(since: UInt64 = 0) -> JournalHistory {
        let page = world.journal.read(scope: scope, since: since, limit: .max)
        return JournalHistory(page.events, isComplete: page.isComplete)
    }

    /// `?since=SEQ`
    func listOperations(_ request: AdminRequest) throws -> HTTPResponse {
        let since = try request.number("since", in: 0...UInt64(Int64.max), otherwise: 0)
        return .json(OperationList(history(since: since)))
    }

    func showOperation(_ id: String) throws -> HTTPResponse {
        let history = history()
        guard let operation = history.operation(called: id) else {
            throw Problem.noSuchOperation(id, among: history.operations.map(\.id))
        }
        return .json(OperationView(operation))
    }

    func listNearMisses() -> HTTPResponse { .json(NearMissList(NearMiss.of(world.plan.list(), in: history()))) }

    func addNote(_ request: AdminRequest) throws -> HTTPResponse {
        let note = try NoteRequest(decoding: request.body)
        return .json(NoteView(seq: world.journal.append(.note(note.text), in: scope)), .created)
    }

    /// The verdict as things stand. Blocking.
    func verdict(on checks: [Check], since: UInt64, allFired: Bool) throws -> JournalVerdict {
        // Rules are read first: what strikes meanwhile is in the journal all the same.
        let rules = world.plan.list()
        let history = history(since: since)
        let now = SystemClock.monotonicNanoseconds()
        return Verifier(history, facts: try world.facts(for: checks), rules: rules, now: now)
            .verdict(on: checks, allFired: allFired)
    }
}

extension Problem {
    fileprivate static func noSuchOperation(_ id: String, among ids: [String]) -> Problem {
        Problem(
            title: "No such operation", status: 404, detail: "No operation is called '\(id)' in the journal.",
            nearest: NearestName.of(id, among: ids))
    }
}

// MARK: - What is stored

extension StoreFacts {
    /// Of one object in two checks the one with a digest serves both.
    fileprivate mutating func add(_ object: Object) {
        objects.removeAll { $0.bucket == object.bucket && $0.key == object.key && $0.sha256 == nil }
        if !objects.contains(where: { $0.bucket == object.bucket && $0.key == object.key }) { objects.append(object) }
    }
}

extension World {
    private static let uploadCountMax = 1_000
    private static let versionCountMax = 1_000
    private static let blockByteCount = 256 * 1_024

    /// What checks ask of the store. Blocking.
    func facts(for checks: [Check]) throws -> StoreFacts {
        var facts = StoreFacts()
        for check in checks {
            guard let (key, pattern, wantsDigest) = check.storedObject else { continue }
            for bucket in store.buckets() where pattern?.matches(Array(bucket.name.text.utf8)[...]) ?? true {
                do {
                    guard let object = try object(key, in: bucket.name, wantsDigest: wantsDigest) else { continue }
                    facts.add(object)
                } catch StoreError.noSuchBucket {
                    continue
                }
            }
        }
        if checks.contains(where: \.wantsOpenUploads) {
            facts.openUploads = try openUploads(in: nil, limit: Self.uploadCountMax).uploads.map {
                StoreFacts.OpenUpload(bucket: $0.bucket, key: $0.key, uploadID: $0.uploadId)
            }
        }
        return facts
    }

    /// Nil if the bucket has no such object. Throws `noSuchBucket` if that is gone by now.
    private func object(_ text: String, in bucket: BucketName, wantsDigest: Bool) throws -> StoreFacts.Object? {
        guard let key = ObjectKey(text.utf8),
            let (record, file) = try store.openObject(ObjectPath(bucket: bucket, key: key))
        else {
            return nil
        }
        var sha256: String?
        if wantsDigest { sha256 = try Self.digest(of: file) }
        let type = ObjectAttributes(record).metadata.value(of: .contentType)
        return StoreFacts.Object(
            bucket: bucket.text, key: text, size: record.size,
            contentType: type.map { String(decoding: $0, as: UTF8.self) }, sha256: sha256,
            versionCount: try versionCount(of: key, in: bucket))
    }

    /// Of an object's bytes, in hexadecimal; nil if it is gone by now. Blocking.
    func sha256(of path: ObjectPath) throws(StoreError) -> String? {
        try store.openObject(path).map { _, file throws(StoreError) in try Self.digest(of: file) }
    }

    private func versionCount(of key: ObjectKey, in bucket: BucketName) throws(StoreError) -> Int {
        let page = try store.listVersions(bucket, VersionQuery(prefix: key.bytes, limit: Self.versionCountMax))
        return page.entries.count { entry in
            guard case .version(let record, _) = entry else { return false }
            return record.key == key && !record.isDeleteMarker
        }
    }

    private static func digest(of file: any BodyFile) throws(StoreError) -> String {
        let digest = Digest(.sha256)
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: blockByteCount, alignment: 64)
        defer { buffer.deallocate() }
        var position: UInt64 = 0
        while position < file.length {
            let wanted = Int(min(UInt64(buffer.count), file.length - position))
            let count = try file.read(at: position, into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<wanted]))
            digest.update(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(buffer)[..<count]))
            position += UInt64(count)
        }
        return Hexadecimal.string(digest.finish())
    }
}
