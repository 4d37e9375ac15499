import ShoalFaults
import ShoalS3
import ShoalServer
import ShoalSigV4
import ShoalWire
import Testing

@Suite struct `A bucket` {
    static let owner = "<Owner><ID>"

    @Test(arguments: [AddressingStyle.path, .virtualHost])
    func `is created, found, listed and deleted`(style: AddressingStyle) throws {
        let server = try TestServer { $0.buckets = [] }
        let s3 = style == .path ? S3Client(server) : S3Client(server).virtualHosted
        let admin = AdminClient(server)
        try admin.freeze(at: Timestamp(milliseconds: 1_780_000_000_123))
        let now = Timestamp(milliseconds: 1_780_000_000_123)
        let missing = try s3.send(S3Call("HEAD", "trips"), at: now)
        #expect(missing.status == 404)
        #expect(missing.body.isEmpty)
        let created = try s3.send(S3Call("PUT", "trips"), at: now)
        #expect(created.status == 200)
        #expect(created["Location"] == "/trips")
        #expect(created["x-amz-bucket-arn"] == "arn:aws:s3:::trips")
        #expect(created["Content-Length"] == "0")
        let head = try s3.send(S3Call("HEAD", "trips"), at: now)
        #expect(head.status == 200)
        #expect(head["x-amz-bucket-region"] == "us-east-1")
        #expect(head["x-amz-bucket-arn"] == "arn:aws:s3:::trips")
        #expect(head["x-amz-access-point-alias"] == "false")
        #expect(head["Content-Type"] == "application/xml")
        let location = try s3.send(S3Call("GET", "trips", query: [("location", "")]), at: now)
        #expect(location.status == 200)
        #expect(
            location.text
                == "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                + "<LocationConstraint xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\"/>")
        let list = try S3Client(server).send(S3Call("GET"), at: now)
        #expect(list.status == 200)
        #expect(list["Content-Type"] == "application/xml")
        let owner = try #require(list.element("ID"))
        #expect(owner.utf8.count == 64)
        #expect(
            list.text
                == "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                + "<ListAllMyBucketsResult xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\"><Owner><ID>\(owner)</ID></Owner>"
                + "<Buckets><Bucket><Name>trips</Name><CreationDate>\(now.wholeSecond.iso8601)</CreationDate>"
                + "<BucketArn>arn:aws:s3:::trips</BucketArn></Bucket></Buckets></ListAllMyBucketsResult>")
        let deleted = try s3.send(S3Call("DELETE", "trips"), at: now)
        #expect(deleted.status == 204)
        #expect(try s3.send(S3Call("HEAD", "trips"), at: now).status == 404)
    }

    @Test func `created again is a success for its owner in us-east-1 and a conflict elsewhere`() throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        #expect(try s3.send(S3Call("PUT", "photos")).status == 200)
        let body =
            "<CreateBucketConfiguration><LocationConstraint>eu-west-1</LocationConstraint></CreateBucketConfiguration>"
        let european = S3Call("PUT", "trips", body: body)
        #expect(try s3.send(european)["Location"] == "\(server.url)/trips/")
        #expect(try s3.send(S3Call("GET", "trips"))["x-amz-bucket-region"] == "eu-west-1")
        #expect(try s3.send(S3Call("HEAD", "trips"))["x-amz-bucket-region"] == "eu-west-1")
        #expect(
            try s3.send(S3Call("GET", "trips", query: [("location", "")])).text.contains(
                ">eu-west-1</LocationConstraint>"))
        let again = try s3.send(european)
        #expect(again.status == 409)
        #expect(
            again.errorContent
                == "<Code>BucketAlreadyOwnedByYou</Code><Message>Your previous request to create the named bucket "
                + "succeeded and you already own it.</Message><BucketName>trips</BucketName>")
    }

    @Test func `with an object in it is not deleted`() throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        try s3.put("a", "x")
        let answer = try s3.send(S3Call("DELETE", "photos"))
        #expect(answer.status == 409)
        #expect(
            answer.errorContent
                == "<Code>BucketNotEmpty</Code><Message>The bucket you tried to delete is not empty</Message>"
                + "<BucketName>photos</BucketName>")
        #expect(try s3.has("a"))
        try s3.send(S3Call("DELETE", "photos", "a"))
        #expect(try s3.send(S3Call("DELETE", "photos")).status == 204)
    }

    @Test func `that kept versions is not deleted before all of them are`() throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        try s3.keepVersions()
        try s3.put("a", "x")
        try s3.send(S3Call("DELETE", "photos", "a"))
        let answer = try s3.send(S3Call("DELETE", "photos"))
        #expect(answer.code == "BucketNotEmpty")
        #expect(answer.text.contains("is not empty. You must delete all versions in the bucket.</Message>"))
    }

    @Test func `says where it is as a host where it can be one, and its region as signatures do`() throws {
        let server = try TestServer { $0.buckets = [] }
        var s3 = S3Client(server)
        s3.host = "s3.localhost:\(server.port)"
        let body = "<CreateBucketConfiguration><LocationConstraint>EU</LocationConstraint></CreateBucketConfiguration>"
        for client in [s3, s3.virtualHosted] {
            let name = client.style == .path ? "one" : "two"
            let created = try client.send(S3Call("PUT", name, body: body))
            #expect(created["Location"] == "http://\(name).s3.localhost:\(server.port)/")
        }
        let list = try s3.send(S3Call("GET", query: [("prefix", "one")]))
        #expect(list.element("BucketRegion") == "eu-west-1")
        #expect(try s3.send(S3Call("GET", "one", query: [("location", "")])).text.contains(">EU</"))
    }

    @Test(arguments: [
        "ab", String(repeating: "a", count: 64), "Photos", "a_b_c", "-ab", "ab-", "a..b", "a.-b", "192.168.5.4",
        "xn--abc", "sthree-abc", "abc-s3alias", "abc--ol-s3", "abc--x-s3",
    ])
    func `of a bad name is refused by name, on every method`(name: String) throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        for call in [S3Call("PUT", name), S3Call("GET", name), S3Call("PUT", name, "a", body: "x")] {
            let answer = try s3.send(call)
            #expect(answer.status == 400)
            #expect(
                answer.errorContent
                    == "<Code>InvalidBucketName</Code><Message>The specified bucket is not valid.</Message>"
                    + "<BucketName>\(name)</BucketName>")
        }
        #expect(try s3.send(S3Call("HEAD", name)).status == 400)
    }

    @Test(arguments: [
        ("<CreateBucketConfiguration", 400, "MalformedXML"), ("<Wrong/>", 400, "MalformedXML"),
        (
            "<!DOCTYPE a [<!ENTITY b \"c\">]><CreateBucketConfiguration><LocationConstraint>&b;</LocationConstraint>"
                + "</CreateBucketConfiguration>", 400, "MalformedXML"
        ),
        (
            "<CreateBucketConfiguration><LocationConstraint>mars-1</LocationConstraint></CreateBucketConfiguration>",
            400,
            "InvalidLocationConstraint"
        ),
    ])
    func `with a bad configuration is not created`(body: String, status: Int, code: String) throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        let answer = try s3.send(S3Call("PUT", "trips", body: body))
        #expect(answer.status == status)
        #expect(answer.code == code)
        #expect(try s3.send(S3Call("HEAD", "trips")).status == 404)
    }

    @Test func `whose owner is not the expected one is kept from the caller`() throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        let name = "x-amz-expected-bucket-owner"
        #expect(try s3.send(S3Call("HEAD", "photos", headers: [(name, "000000000000")])).status == 200)
        #expect(try s3.send(S3Call("GET", "photos", headers: [(name, "111111111111")])).code == "AccessDenied")
        #expect(
            try s3.send(S3Call("GET", "photos", headers: [(name, "x")])).code == "InvalidBucketOwnerAWSAccountID")
    }

    @Test func `list pages by max-buckets and prefix`() throws {
        let server = try TestServer { $0.buckets = ["aa1", "aa2", "bb1", "aa3"].compactMap { BucketName($0) } }
        let s3 = S3Client(server)
        let first = try s3.send(S3Call("GET", query: [("max-buckets", "2"), ("prefix", "aa")]))
        #expect(first.text.contains("<Name>aa1</Name>") && first.text.contains("<Name>aa2</Name>"))
        #expect(!first.text.contains("aa3"))
        #expect(first.element("BucketRegion") == "us-east-1")
        let token = try #require(first.element("ContinuationToken"))
        let second = try s3.send(
            S3Call("GET", query: [("max-buckets", "2"), ("prefix", "aa"), ("continuation-token", token)]))
        #expect(second.text.contains("<Name>aa3</Name>") && !second.text.contains("<Name>aa2</Name>"))
        #expect(second.element("ContinuationToken") == nil)
        #expect(try s3.send(S3Call("GET", query: [("max-buckets", "0")])).code == "InvalidArgument")
    }
}
