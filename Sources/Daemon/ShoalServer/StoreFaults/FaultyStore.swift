import ShoalFaults
import ShoalS3
import ShoalStore

/// A scope's store as one exchange sees it: right in all but what rules want to go wrong.
///
/// The same shape as the store it wraps, so that operations do not know it. What is not written here is passed on in
/// `FaultyStore+Forwarding`.
struct FaultyStore: ObjectStore {
    let base: any ObjectStore
    let effects: StoreEffects
    /// The world as it is without faults.
    let world: World
    /// The exchange in the journal, for what happens after its end.
    let exchange: ExchangeNumber

    private var past: PastStates { world.past }
}

// MARK: - Writing

extension FaultyStore {
    func beginBody(size: UInt64, lane: Int) throws(StoreError) -> any BodyWriter {
        if let failure = effects.openFailure { throw failure }
        return FaultyBodyWriter(try base.beginBody(size: size, lane: lane), effects)
    }

    func commitPut(
        _ object: ObjectRecord, in bucket: BucketName, body: any StagedBody, condition: CommitCondition?,
        announcing announcement: Announcement?,
        completion: @escaping @Sendable (Result<ObjectRecord, StoreError>) -> Void
    ) {
        let path = ObjectPath(bucket: bucket, key: object.key)
        do throws(StoreError) {
            if let failure = effects.commitFailure(size: object.size) { throw failure }
            if effects.loses {
                return completion(.success(try lose(object, at: path, condition)))
            }
            let body = try spoiled(body)
            let veil = try coverPast(of: path)
            let object = object.sized(body.size)
            base.commitPut(object, in: bucket, body: body, condition: condition, announcing: announcement) { result in
                if let veil { settle(veil, result) }
                guard case .success(let written) = result else { return completion(result) }
                repeatPut(written, at: path, announcement) { completion(result) }
            }
        } catch {
            completion(.failure(error))
        }
    }

    func commitDelete(
        _ path: ObjectPath, at time: Timestamp, condition: CommitCondition?, announcing announcement: Announcement?,
        completion: @escaping @Sendable (Result<ObjectRecord?, StoreError>) -> Void
    ) {
        do throws(StoreError) {
            if let failure = effects.commitFailure(size: 0) { throw failure }
            if effects.loses {
                let current = try base.record(of: path)
                try condition?.check(current)
                effects.noteLoss()
                return completion(.success(current))
            }
            _ = try coverPast(of: path)
            base.commitDelete(path, at: time, condition: condition, announcing: announcement) { result in
                guard case .success = result else { return completion(result) }
                repeatDelete(path, at: time, announcement) { completion(result) }
            }
        } catch {
            completion(.failure(error))
        }
    }

    func commitPart(
        _ part: PartRecord, of upload: UploadNumber, in bucket: BucketName, body: any StagedBody,
        completion: @escaping @Sendable (Result<PartRecord, StoreError>) -> Void
    ) {
        do throws(StoreError) {
            if let failure = effects.commitFailure(size: part.size) { throw failure }
            if effects.loses {
                guard base.upload(upload, in: bucket) != nil else { throw .noSuchUpload }
                effects.noteLoss()
                return completion(.success(part))
            }
            let body = try spoiled(body)
            base.commitPart(part.sized(body.size), of: upload, in: bucket, body: body, completion: completion)
        } catch {
            completion(.failure(error))
        }
    }

    func completeUpload(
        _ upload: UploadNumber, as object: ObjectRecord, in bucket: BucketName, parts: [PartRecord],
        condition: CommitCondition?, result: [UInt8], announcing announcement: Announcement?
    ) throws(StoreError) -> ObjectRecord {
        let path = ObjectPath(bucket: bucket, key: object.key)
        if let failure = effects.commitFailure(size: 0) { throw failure }
        if effects.loses { return try lose(object, at: path, condition) }
        let veil = try coverPast(of: path)
        let outcome = Result { () throws(StoreError) in
            try base.completeUpload(
                upload, as: object, in: bucket, parts: parts, condition: condition, result: result,
                announcing: announcement)
        }
        if let veil { settle(veil, outcome) }
        return try outcome.get()
    }

    /// The body as a rule wants it stored.
    private func spoiled(_ body: any StagedBody) throws(StoreError) -> any StagedBody {
        for corruption in effects.storedCorruptions(of: body.size) {
            try body.change(corruption.bytes) { $0 ^ corruption.xor }
        }
        guard let size = effects.tornSize(of: body.size) else { return body }
        return body.first(size)
    }

    /// What a client is told of an object that nobody keeps.
    private func lose(
        _ object: ObjectRecord, at path: ObjectPath, _ condition: CommitCondition?
    ) throws(StoreError) -> ObjectRecord {
        guard let bucket = base.bucket(path.bucket) else { throw .noSuchBucket }
        try condition?.check(try base.record(of: path))
        effects.noteLoss()
        guard bucket.versioning != .never else { return object }
        // Beyond every version that a store ever gets to, so that it is none's.
        let ordinal = UInt64.random(in: 1 << 62..<1 << 63)
        return object.numbered(ordinal, isNull: bucket.versioning == .suspended)
    }

    // MARK: What was there before

    /// Notes what the object is now, where a rule asks for it, and hides what comes; nil if nothing is hidden.
    private func coverPast(of path: ObjectPath) throws(StoreError) -> PastStates.Veil? {
        let invisibility = effects.invisibility
        guard invisibility != nil || world.plan.keepsPast || past.hidesAnything else { return nil }
        let state = try PastState(of: path, in: base)
        if world.plan.keepsPast { past.note(state, of: path) }
        guard let invisibility else {
            past.reveal(path)
            return nil
        }
        return past.hide(path, behind: state, invisibility, now: world.now)
    }

    /// What failed hides nothing.
    private func settle(_ veil: PastStates.Veil, _ result: Result<ObjectRecord, StoreError>) {
        if case .failure = result { past.lift(veil) }
    }
}

extension CommitCondition {
    fileprivate func check(_ current: ObjectRecord?) throws(StoreError) {
        if let refusal = refusal(for: current) { throw refusal }
    }
}
