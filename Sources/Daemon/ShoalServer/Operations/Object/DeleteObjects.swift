import ShoalHTTP
import ShoalS3
import ShoalStore
import Synchronization

/// `POST /{bucket}?delete`
/// https://docs.aws.amazon.com/AmazonS3/latest/API/API_DeleteObjects.html
struct DeleteObjects: Operation {
    private let request: S3Request
    private let bucket: BucketName
    private let body: DocumentSink

    init(_ request: S3Request) throws(S3Error) {
        self.request = request
        bucket = try request.bucket
        try DeleteObjectsRequest.checkIntegrity(try ChecksumExpectation(request.head))
        body = try DocumentSink(request)
    }

    func start(in world: World) throws -> Step {
        let (record, access) = try world.access(to: bucket, for: request)
        let rule = try request.deletionRule(in: record, world)
        try ExpectedBucketOwner.check(request.fields, owner: Accounts.accountNumber)
        return .receive(body) {
            let all = try DeleteObjectsRequest(try body.document())
            let (items, denied) = try judged(all.items, by: access)
            let wanted = DeleteObjectsRequest(items: items, isQuiet: all.isQuiet)
            guard !wanted.items.isEmpty else { return .answer(Deletions.answer(wanted, denied, in: bucket, [])) }
            // Single versions are removed one by one on another thread.
            let announcer = world.announcer(in: record, by: EventCause(request))
            if wanted.items.contains(where: { $0.versionID != nil }) {
                return .change { [request] in
                    try Deletions.run(wanted, denied, in: record, at: request.now, rule, announcer, world)
                }
            }
            return .commit { [request, bucket] completion in
                let deletions = Deletions(of: wanted, besides: denied, in: bucket) {
                    completion($0.map { Changed($0) })
                }
                for (index, item) in wanted.items.enumerated() {
                    let path = ObjectPath(bucket: bucket, key: item.key)
                    world.store.commitDelete(
                        path, at: request.now, condition: item.etag.map { .ifMatch($0) },
                        announcing: announcer?.announcement(of: .deletion, at: item.key)
                    ) { deletions.settle(index, $0) }
                }
            }
        }
    }
}

extension DeleteObjects {
    /// Each deletion is judged by itself.
    private func judged(
        _ items: [DeleteObjectsRequest.Item], by access: BucketAccess?
    ) throws -> (allowed: [DeleteObjectsRequest.Item], denied: [DeleteObjectsRequest.Item]) {
        guard let access else { return (items, []) }
        var (allowed, denied): ([DeleteObjectsRequest.Item], [DeleteObjectsRequest.Item]) = ([], [])
        for item in items {
            let path = ObjectPath(bucket: bucket, key: item.key)
            let versionID = item.versionID.map { Array($0.utf8)[...] }
            if try access.allows(AccessTarget(.deleteObject, path, versionID: versionID)) {
                allowed.append(item)
            } else {
                denied.append(item)
            }
        }
        return (allowed, denied)
    }
}

/// Gathers what became of each item, and answers when the last one is decided.
private final class Deletions: Sendable {
    private struct State {
        /// What was removed, or the marker that was made; nil if there was nothing, and while it is not decided.
        var outcomes: [Result<ObjectRecord?, StoreError>?]
        var openCount: Int
    }

    private let request: DeleteObjectsRequest
    private let denied: [DeleteObjectsRequest.Item]
    private let bucket: BucketName
    private let completion: @Sendable (Result<HTTPResponse, any Error>) -> Void
    private let state: Mutex<State>

    init(
        of request: DeleteObjectsRequest, besides denied: [DeleteObjectsRequest.Item], in bucket: BucketName,
        _ completion: @escaping @Sendable (Result<HTTPResponse, any Error>) -> Void
    ) {
        self.request = request
        self.denied = denied
        self.bucket = bucket
        self.completion = completion
        let count = request.items.count
        state = Mutex(State(outcomes: Array(repeating: nil, count: count), openCount: count))
    }

    func settle(_ index: Int, _ outcome: Result<ObjectRecord?, StoreError>) {
        let outcomes = state.withLock { state in
            state.outcomes[index] = outcome
            state.openCount -= 1
            return state.openCount == 0 ? state.outcomes.compactMap(\.self) : nil
        }
        if let outcomes { completion(.success(Self.answer(request, denied, in: bucket, outcomes))) }
    }

    /// One after the other, versions among them. Blocking.
    static func run(
        _ request: DeleteObjectsRequest, _ denied: [DeleteObjectsRequest.Item], in bucket: BucketRecord,
        at time: Timestamp, _ rule: LockedDeletion, _ announcer: Announcer?, _ world: World
    ) throws -> HTTPResponse {
        let outcomes = request.items.map { item -> Result<ObjectRecord?, StoreError> in
            let path = ObjectPath(bucket: bucket.name, key: item.key)
            guard let id = item.versionID else {
                return world.store.delete(
                    path, at: time, condition: item.etag.map { .ifMatch($0) },
                    announcing: announcer?.announcement(of: .deletion, at: item.key))
            }
            guard let version = VersionID.decode(Array(id.utf8)[...], path) else { return .failure(.noSuchObject) }
            return Result { () throws(StoreError) in
                try world.store.deleteVersion(
                    path, version, announcing: announcer?.announcement(of: .named(.objectRemovedDelete), at: item.key)
                ) { (record, _) throws(StoreError) in
                    if let etag = item.etag, record.etag != etag { throw .preconditionFailed }
                    try rule.check(record, at: path)
                }
            }
        }
        return answer(request, denied, in: bucket.name, outcomes)
    }

    static func answer(
        _ request: DeleteObjectsRequest, _ denied: [DeleteObjectsRequest.Item], in bucket: BucketName,
        _ outcomes: [Result<ObjectRecord?, StoreError>]
    ) -> HTTPResponse {
        var deleted: [DeleteResult.Deleted] = []
        var failures = denied.map { item in
            DeleteResult.Failure(key: item.key, versionID: item.versionID, error: S3Error(.accessDenied))
        }
        for (item, outcome) in zip(request.items, outcomes) {
            let path = ObjectPath(bucket: bucket, key: item.key)
            switch outcome {
            case .success(let record):
                let marker = record.flatMap { $0.isDeleteMarker ? VersionID.text(of: $0.version, at: path) : nil }
                deleted.append(
                    .init(
                        key: item.key, versionID: item.versionID, isDeleteMarker: marker != nil,
                        deleteMarkerVersionID: marker))
            case .failure(.noSuchObject) where item.versionID != nil:
                failures.append(.init(key: item.key, versionID: item.versionID, error: S3Error(.noSuchVersion)))
            case .failure(let error):
                let answer = error.answer(at: path, item.etag.map { .matches($0) } ?? .none)
                failures.append(.init(key: item.key, versionID: item.versionID, error: S3Error(mapping: answer)))
            }
        }
        return .xml(DeleteResult(isQuiet: request.isQuiet, deleted: deleted, failures: failures).document)
    }
}
