import ShoalHTTP
import ShoalS3
import ShoalStore

/// `DELETE /{bucket}/{key}`
/// https://docs.aws.amazon.com/AmazonS3/latest/API/API_DeleteObject.html
struct DeleteObject: Operation {
    private let request: S3Request
    private let path: ObjectPath
    private let condition: WriteCondition

    init(_ request: S3Request) throws(S3Error) {
        self.request = request
        path = try request.path
        condition = request.fields.first("if-match") == nil ? .none : try WriteCondition(request.fields)
        for header: StaticString in ["x-amz-if-match-last-modified-time", "x-amz-if-match-size"]
        where request.fields.first(header) != nil {
            throw S3Error(.notImplemented, elements: [.init("Header", "\(header)")])
        }
    }

    func start(in world: World) throws -> Step {
        let bucket = try world.bucket(path.bucket, for: request)
        let rule = try request.deletionRule(in: bucket, world)
        if let version = try request.version(in: bucket, mustBeIssued: true) {
            let announcement = world.announcement(
                of: .named(.objectRemovedDelete), at: path, in: bucket, by: request)
            return .change { [path, condition] in
                try Self.delete(version, of: path, if: condition, rule, announcement, in: world)
            }
        }
        return .commit { [path, condition, request] completion in
            let announcement = world.announcement(of: .deletion, at: path, in: bucket, by: request)
            world.store.commitDelete(
                path, at: request.now, condition: condition.commitCondition, announcing: announcement
            ) { result in
                completion(
                    result.mapError { $0.answer(at: path, condition) }.map { deleted in
                        var response = HTTPResponse(.noContent)
                        if let deleted, deleted.isDeleteMarker { response.addMarker(deleted, at: path) }
                        return Changed(response)
                    })
            }
        }
    }

    /// For good. A version that is gone already is no error.
    private static func delete(
        _ version: ObjectVersion, of path: ObjectPath, if condition: WriteCondition, _ rule: LockedDeletion,
        _ announcement: Announcement?,
        in world: World
    ) throws -> HTTPResponse {
        var response = HTTPResponse(.noContent)
        do throws(StoreError) {
            let deleted = try world.store.deleteVersion(
                path, version, announcing: announcement
            ) { (record, _) throws(StoreError) in
                if case .matches(let etag) = condition, record.etag != etag { throw .preconditionFailed }
                try rule.check(record, at: path)
            }
            if let deleted, deleted.isDeleteMarker { response.addMarker(deleted, at: path) }
            if deleted?.isDeleteMarker != true {
                response.add("x-amz-version-id", VersionID.text(of: version, at: path))
            }
        } catch {
            throw error.answer(at: path, condition)
        }
        return response
    }
}

extension HTTPResponse {
    fileprivate mutating func addMarker(_ marker: ObjectRecord, at path: ObjectPath) {
        add("x-amz-delete-marker", "true")
        add("x-amz-version-id", VersionID.text(of: marker.version, at: path))
    }
}
