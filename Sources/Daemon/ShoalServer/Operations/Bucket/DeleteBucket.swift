import ShoalHTTP
import ShoalS3
import ShoalStore

/// `DELETE /{bucket}`
/// https://docs.aws.amazon.com/AmazonS3/latest/API/API_DeleteBucket.html
struct DeleteBucket: Operation {
    private let request: S3Request
    private let name: BucketName

    init(_ request: S3Request) throws(S3Error) {
        self.request = request
        name = try request.bucket
    }

    func start(in world: World) throws -> Step {
        let bucket = try world.bucket(name, for: request)
        return .change { [name] in
            do throws(StoreError) {
                try world.store.deleteBucket(name)
            } catch .bucketNotEmpty {
                let message =
                    bucket.versioning == .never
                    ? nil
                    : "The bucket you tried to delete is not empty. You must delete all versions in the bucket."
                throw S3Error(.bucketNotEmpty, message, elements: [.init("BucketName", name.text)])
            } catch .noSuchBucket {
                throw S3Error.noSuchBucket(name)
            }
            return HTTPResponse(.noContent)
        }
    }
}
