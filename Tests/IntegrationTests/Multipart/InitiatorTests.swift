import ShoalS3
import ShoalServer
import ShoalSigV4
import ShoalWire
import Testing

/// Uploads that another account than the bucket's begins.
@Suite struct `An upload in parts by a guest` {
    private static let guestID = String(repeating: "2", count: 64)

    /// The owner of `photos`, in which everybody may write, and a guest.
    private func people() throws -> (owner: S3Client, guest: S3Client) {
        let server = try TestServer {
            $0.newBuckets = .open
            $0.accounts = [
                Account(
                    accessKey: "guest", secretKey: Secret("guest-secret"), ownerID: Self.guestID, displayName: "Guest")
            ]
        }
        let owner = S3Client(server)
        var guest = owner
        (guest.accessKey, guest.secret) = ("guest", "guest-secret")
        let open = S3Call("PUT", "photos", query: [("acl", "")], headers: [("x-amz-acl", "public-read-write")])
        #expect(try owner.send(open).status == 200)
        return (owner, guest)
    }

    private func ownership(_ ownership: String, _ s3: S3Client) throws {
        let body =
            "<OwnershipControls><Rule><ObjectOwnership>\(ownership)</ObjectOwnership></Rule></OwnershipControls>"
        #expect(try s3.send(S3Call("PUT", "photos", query: [("ownershipControls", "")], body: body)).status == 200)
    }

    private func element(_ name: String, in answer: WireResponse) -> String? {
        answer.element(name).flatMap { $0.split(separator: "<ID>").last?.split(separator: "</ID>").first }
            .map(String.init)
    }

    @Test func `names the guest, and will be the guest's where writers own`() throws {
        let (owner, guest) = try people()
        let ownerID = try #require(try owner.send(S3Call("GET", "photos", query: [("acl", "")])).element("ID"))
        let cases: [(ownership: String, headers: [WireRequest.Field], owner: String)] = [
            ("ObjectWriter", [], Self.guestID), ("BucketOwnerPreferred", [], Self.guestID),
            ("BucketOwnerPreferred", [("x-amz-acl", "bucket-owner-full-control")], ownerID),
        ]
        for (ownership, headers, expected) in cases {
            try self.ownership(ownership, owner)
            let upload = try guest.begin("a", headers: headers)
            let parts = try guest.send(S3Call("GET", "photos", "a", query: [("uploadId", upload)]))
            #expect(element("Initiator", in: parts) == Self.guestID && element("Owner", in: parts) == expected)
            let listed = try owner.send(S3Call("GET", "photos", query: [("uploads", "")]))
            #expect(element("Initiator", in: listed) == Self.guestID && element("Owner", in: listed) == expected)
            #expect(listed.text.contains("<DisplayName>Guest</DisplayName>"))
            #expect(try owner.abort(upload, "a").status == 204)
        }
        let own = try owner.begin("b")
        let parts = try owner.send(S3Call("GET", "photos", "b", query: [("uploadId", own)]))
        #expect(element("Initiator", in: parts) == ownerID && element("Owner", in: parts) == ownerID)
    }

    @Test func `may be looked at and dropped by the guest and the owner, and by nobody else's guest`() throws {
        let (owner, guest) = try people()
        let (upload, other) = (try guest.begin("a"), try owner.begin("a"))
        #expect(try guest.send(S3Call("GET", "photos", "a", query: [("uploadId", upload)])).status == 200)
        #expect(try guest.send(S3Call("GET", "photos", "a", query: [("uploadId", other)])).status == 403)
        #expect(try guest.abort(other, "a").status == 403)
        #expect(try guest.abort(upload, "a").status == 204)
        let policy = """
            {"Version":"2012-10-17","Statement":[{"Effect":"Deny","Principal":"*","Action":"s3:AbortMultipartUpload",\
            "Resource":"arn:aws:s3:::photos/*"}]}
            """
        let kept = try guest.begin("a")
        #expect(try owner.send(S3Call("PUT", "photos", query: [("policy", "")], body: policy)).status == 204)
        #expect(try guest.abort(kept, "a").status == 403)
    }
}
