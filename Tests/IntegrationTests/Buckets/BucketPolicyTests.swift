import ShoalServer
import ShoalSigV4
import ShoalWire
import Testing

@Suite struct `A policy of a bucket` {
    private func put(_ policy: String) -> S3Call {
        S3Call("PUT", "photos", query: [("policy", "")], body: policy)
    }

    private func statement(_ effect: String, _ action: String, _ resource: String, _ more: String = "") -> String {
        #"{"Effect":"\#(effect)","Principal":"*","Action":"s3:\#(action)","Resource":"arn:aws:s3:::\#(resource)"\#(more)}"#
    }

    @Test func `lets in and keeps out`() throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        try s3.put("open/a", "x")
        try s3.put("secret", "x")
        let policy =
            #"{"Version":"2012-10-17","Statement":["#
            + statement("Allow", "GetObject", "photos/open/*") + ","
            + statement("Deny", "DeleteObject", "photos/open/*") + "]}"
        // The block of a new bucket forbids a policy that is public.
        #expect(try s3.send(put(policy)).status == 403)
        #expect(try s3.send(S3Call("DELETE", "photos", query: [("publicAccessBlock", "")])).status == 204)
        #expect(try s3.send(put(policy)).status == 204)
        #expect(try s3.send(S3Call("GET", "photos", query: [("policy", "")])).text == policy)
        #expect(try s3.send(S3Call("GET", "photos", query: [("policyStatus", "")])).element("IsPublic") == "true")
        #expect(try s3.send(S3Call("GET", "photos", "open/a"), .none).status == 200)
        #expect(try s3.send(S3Call("GET", "photos", "open/none"), .none).status == 403)
        #expect(try s3.send(S3Call("GET", "photos", "secret"), .none).status == 403)
        #expect(try s3.send(S3Call("DELETE", "photos", "open/a")).status == 403)
        let body = "<Delete><Object><Key>open/a</Key></Object><Object><Key>secret</Key></Object></Delete>"
        let many = try s3.send(
            S3Call(
                "POST", "photos", query: [("delete", "")], headers: [("x-amz-checksum-sha256", sha256Base64(body))],
                body: body))
        #expect(many.text.components("Code") == ["AccessDenied"])
        #expect(many.text.components("Deleted") == ["<Key>secret</Key>"])
        #expect(try s3.has("open/a"))
        #expect(try s3.send(S3Call("DELETE", "photos", query: [("policy", "")])).status == 204)
        #expect(try s3.send(S3Call("DELETE", "photos", "open/a")).status == 204)
        #expect(try s3.send(put("x")).code == "MalformedPolicy")
    }

    @Test func `that denies the deletion of versions holds for many at once`() throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        try s3.keepVersions()
        let version = try #require(try s3.put("a", "x")["x-amz-version-id"])
        let policy = #"{"Statement":["# + statement("Deny", "DeleteObjectVersion", "photos/*") + "]}"
        #expect(try s3.send(put(policy)).status == 204)
        let body =
            "<Delete><Object><Key>a</Key><VersionId>\(version)</VersionId></Object><Object><Key>b</Key></Object></Delete>"
        let many = try s3.send(
            S3Call(
                "POST", "photos", query: [("delete", "")], headers: [("x-amz-checksum-sha256", sha256Base64(body))],
                body: body))
        #expect(many.text.components("Code") == ["AccessDenied"] && many.text.components("Deleted").count == 1)
        #expect(try s3.send(S3Call("GET", "photos", "a", query: [("versionId", version)])).text == "x")
    }

    /// The documented way to shorten the life of presigned URLs.
    @Test func `shortens the life of a presigned URL`() throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        try s3.put("a", "x")
        let condition = #","Condition":{"NumericGreaterThan":{"s3:signatureAge":"60000"}}"#
        let policy = #"{"Statement":["# + statement("Deny", "GetObject", "photos/*", condition) + "]}"
        #expect(try s3.send(put(policy)).status == 204)
        let now = S3Client.now
        let call = S3Call("GET", "photos", "a")
        #expect(try s3.send(call, .presigned(seconds: 3_600), at: now).status == 200)
        #expect(try s3.send(call, .presigned(seconds: 3_600), at: now.adding(seconds: -120)).status == 403)
    }

    /// The key counts as the prefix of a listing. Source: ceph/ceph#68577, and its test among ceph/s3-tests.
    @Test func `that lets list some keys tells of those alone that they are missing`() throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        #expect(try s3.send(S3Call("DELETE", "photos", query: [("publicAccessBlock", "")])).status == 204)
        let condition = #","Condition":{"StringLike":{"s3:prefix":"open/*"}}"#
        let policy =
            #"{"Statement":["# + statement("Allow", "ListBucket", "photos", condition) + ","
            + statement("Allow", "GetObject", "photos/*") + "]}"
        #expect(try s3.send(put(policy)).status == 204)
        for method in ["GET", "HEAD"] {
            #expect(try s3.send(S3Call(method, "photos", "open/none"), .none).status == 404)
            #expect(try s3.send(S3Call(method, "photos", "closed/none"), .none).status == 403)
            // What a request asks for in its query is not what it is about.
            let told = S3Call(method, "photos", "closed/none", query: [("prefix", "open/")])
            #expect(try s3.send(told, .none).status == 403)
        }
    }
}
