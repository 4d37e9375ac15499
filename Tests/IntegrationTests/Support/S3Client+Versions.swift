import ShoalS3
import Testing

extension S3Client {
    /// Lets a bucket keep versions from now on.
    func keepVersions(in bucket: String = "photos", at now: Timestamp = S3Client.now) throws {
        let body = "<VersioningConfiguration><Status>Enabled</Status></VersioningConfiguration>"
        #expect(try send(S3Call("PUT", bucket, query: [("versioning", "")], body: body), at: now).status == 200)
    }
}
