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
        _ = try world.bucket(bucket, for: request)
        return .receive(body) {
            let wanted = try DeleteObjectsRequest(try body.document())
            return .commit { completion in
                let deletions = Deletions(of: wanted, completion)
                for (index, item) in wanted.items.enumerated() {
                    // In a bucket that was never versioned no other version can be meant.
                    if let version = item.versionID, version != "null" {
                        deletions.settle(
                            index, S3Error(.noSuchVersion, elements: [.init("VersionId", version)]))
                        continue
                    }
                    let path = ObjectPath(bucket: bucket, key: item.key)
                    world.store.commitDelete(path, condition: item.etag.map { .ifMatch($0) }) { result in
                        switch result {
                        case .success: deletions.settle(index, nil)
                        case .failure(let error):
                            let answer = error.answer(at: path, item.etag.map { .matches($0) } ?? .none)
                            deletions.settle(index, S3Error(mapping: answer))
                        }
                    }
                }
            }
        }
    }
}

/// Gathers what became of each item, and answers when the last one is decided.
private final class Deletions: Sendable {
    private struct State {
        /// Nil for an item that is deleted, or not decided yet.
        var errors: [S3Error?]
        var openCount: Int
    }

    private let request: DeleteObjectsRequest
    private let completion: @Sendable (Result<HTTPResponse, any Error>) -> Void
    private let state: Mutex<State>

    init(
        of request: DeleteObjectsRequest,
        _ completion: @escaping @Sendable (Result<HTTPResponse, any Error>) -> Void
    ) {
        self.request = request
        self.completion = completion
        let count = request.items.count
        state = Mutex(State(errors: Array(repeating: nil, count: count), openCount: count))
    }

    func settle(_ index: Int, _ error: S3Error?) {
        let errors = state.withLock { state in
            state.errors[index] = error
            state.openCount -= 1
            return state.openCount == 0 ? state.errors : nil
        }
        if let errors { completion(.success(answer(errors))) }
    }

    private func answer(_ errors: [S3Error?]) -> HTTPResponse {
        var deleted: [DeleteResult.Deleted] = []
        var failures: [DeleteResult.Failure] = []
        for (item, error) in zip(request.items, errors) {
            if let error {
                failures.append(.init(key: item.key, versionID: item.versionID, error: error))
            } else {
                deleted.append(.init(key: item.key, versionID: item.versionID))
            }
        }
        return .xml(DeleteResult(isQuiet: request.isQuiet, deleted: deleted, failures: failures).document)
    }
}
