import ShoalNet
import ShoalS3
import ShoalStore

extension S3Error {
    /// What the client is told of anything that was thrown; the thrown error itself becomes the cause, for the log.
    init(mapping thrown: any Error) {
        switch thrown {
        case let error as S3Error: self = error
        case let error as StoreError: self = S3Error(store: error)
        default: self = S3Error(.internalError, cause: thrown)
        }
    }

    private init(store error: StoreError) {
        switch error {
        case .noSuchBucket: self.init(.noSuchBucket, cause: error)
        case .bucketExists: self.init(.bucketAlreadyOwnedByYou, cause: error)
        case .bucketNotEmpty: self.init(.bucketNotEmpty, cause: error)
        case .noSuchObject: self.init(.noSuchKey, cause: error)
        case .preconditionFailed: self.init(.preconditionFailed, cause: error)
        case .noSuchUpload: self.init(.noSuchUpload, cause: error)
        case .partChanged: self.init(.operationAborted, cause: error)
        case .overtaken: self.init(.conditionalRequestConflict, cause: error)
        case .bodyTooLong, .bodyTooShort: self.init(.incompleteBody, cause: error)
        case .refused(let refusal): self = refusal
        case .bodyDiscarded: self.init(.operationAborted, cause: error)
        case .closed: self.init(.serviceUnavailable, "The server is stopping.", cause: error)
        case _ where error.isDiskFull:
            self.init(
                .serviceUnavailable, "The disk that holds this store is full. Free some space and try again.",
                cause: error)
        case .disk(let failure) where failure.kind == .outOfDescriptors:
            self.init(
                .serviceUnavailable, "The server has no file descriptors left. Raise `ulimit -n` and try again.",
                cause: error)
        case .disk, .catalogue, .bodyMissing, .locked, .newerFormat, .unusable: self.init(.internalError, cause: error)
        }
    }
}

extension StoreError {
    /// What `body` gives back; what it throws refuses the change.
    static func refusing<Value>(_ body: () throws(S3Error) -> Value) throws(StoreError) -> Value {
        do throws(S3Error) {
            return try body()
        } catch {
            throw .refused(error)
        }
    }
}
