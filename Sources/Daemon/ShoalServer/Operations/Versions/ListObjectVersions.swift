import ShoalHTTP
import ShoalS3
import ShoalStore

/// `GET /{bucket}?versions`
/// https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListObjectVersions.html
struct ListObjectVersions: Operation {
    private let request: S3Request
    private let name: BucketName
    private let parameters: ListObjectVersionsParameters

    init(_ request: S3Request) throws(S3Error) {
        self.request = request
        name = try request.bucket
        parameters = try ListObjectVersionsParameters(request.route.query)
    }

    func start(in world: World) throws -> Step {
        let bucket = try world.bucket(name, for: request)
        let start = try parameters.start()
        // A marker that names no version of its key stands for the end of them.
        let marker = start.versionID.map { version($0, of: start.key) }
        let query = VersionQuery(
            prefix: parameters.prefix, delimiter: parameters.delimiter ?? [], afterKey: start.key,
            afterVersion: marker, limit: parameters.pageSize)
        let owner = world.accounts.owner(id: BucketSettings(bucket).ownerID)
        return .look { [name, parameters] in
            let page: VersionPage
            do throws(StoreError) {
                page = try world.store.listVersions(name, query)
            } catch .noSuchBucket {
                throw S3Error.noSuchBucket(name)
            }
            return .xml(parameters.document(VersionListing(page, in: name), bucket: name, owner: owner))
        }
    }

    private func version(_ id: String, of key: [UInt8]) -> ObjectVersion {
        guard let key = ObjectKey(key) else { return .number(0) }
        return VersionID.decode(Array(id.utf8)[...], ObjectPath(bucket: name, key: key)) ?? .number(0)
    }
}

extension VersionListing {
    fileprivate init(_ page: VersionPage, in bucket: BucketName) {
        var entries: [Entry] = []
        var prefixes: [[UInt8]] = []
        for entry in page.entries {
            switch entry {
            case .rollUp(let prefix): prefixes.append(prefix)
            case .version(let record, let isLatest):
                let id = VersionID.text(of: record.version, at: ObjectPath(bucket: bucket, key: record.key))
                entries.append(
                    record.isDeleteMarker
                        ? .deleteMarker(
                            record.key, versionID: id, isLatest: isLatest, lastModified: record.lastModified)
                        : .version(Version(record), versionID: id, isLatest: isLatest))
            }
        }
        self.init(entries: entries, commonPrefixes: prefixes, isTruncated: page.isTruncated)
    }
}

extension VersionListing.Version {
    fileprivate init(_ record: ObjectRecord) {
        self.init(
            key: record.key, etag: record.etag,
            facts: ObjectFacts(
                lastModified: record.lastModified, size: record.size,
                storageClass: ObjectAttributes.storageClass(of: record), checksum: record.checksum?.form))
    }
}
