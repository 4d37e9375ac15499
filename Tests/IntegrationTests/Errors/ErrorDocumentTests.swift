import ShoalS3
import ShoalWire
import Testing

@Suite struct `An error` {
    /// One request and the whole answer, identifiers aside.
    struct Case: Sendable, CustomTestStringConvertible {
        let call: S3Call
        let status: Int
        let content: String
        var allow: String?
        var testDescription: String { "\(call.method) \(call.bucket ?? "")/\(call.key ?? "") \(call.query)" }

        init(_ call: S3Call, _ status: Int, _ content: String, allow: String? = nil) {
            self.call = call
            self.status = status
            self.content = content
            self.allow = allow
        }

        static func notAllowed(_ call: S3Call, _ type: String, _ allow: String) -> Case {
            Case(
                call, 405,
                "<Code>MethodNotAllowed</Code><Message>The specified method is not allowed against this resource.</Message>"
                    + "<Method>\(call.method)</Method><ResourceType>\(type)</ResourceType>", allow: allow)
        }

        static func argument(_ call: S3Call, _ message: String, _ name: String, _ value: String) -> Case {
            Case(
                call, 400,
                "<Code>InvalidArgument</Code><Message>\(message)</Message><ArgumentName>\(name)</ArgumentName>"
                    + "<ArgumentValue>\(value)</ArgumentValue>")
        }

        static func invalid(_ call: S3Call, _ message: String) -> Case {
            Case(call, 400, "<Code>InvalidRequest</Code><Message>\(message)</Message>")
        }
    }

    static let noBucket =
        "<Code>NoSuchBucket</Code><Message>The specified bucket does not exist</Message><BucketName>nowhere</BucketName>"

    static let notFound: [Case] = [
        Case(
            S3Call("GET", "photos", "a&<b>"), 404,
            "<Code>NoSuchKey</Code><Message>The specified key does not exist.</Message><Key>a&amp;&lt;b&gt;</Key>"),
        Case(S3Call("GET", "nowhere", "a"), 404, noBucket), Case(S3Call("GET", "nowhere"), 404, noBucket),
        Case(S3Call("PUT", "nowhere", "a", body: "x"), 404, noBucket), Case(S3Call("DELETE", "nowhere"), 404, noBucket),
        Case(S3Call("DELETE", "nowhere", "a"), 404, noBucket),
        Case(S3Call("GET", "nowhere", query: [("location", "")]), 404, noBucket),
        Case(S3Call("GET", "nowhere", query: [("list-type", "2")]), 404, noBucket),
    ]

    static let notAllowed: [Case] = [
        .notAllowed(S3Call("PUT"), "SERVICE", "GET"), .notAllowed(S3Call("DELETE"), "SERVICE", "GET"),
        .notAllowed(S3Call("POST", body: "x"), "SERVICE", "GET"),
        .notAllowed(S3Call("PATCH", "photos"), "BUCKET", "DELETE, GET, HEAD, POST, PUT"),
        .notAllowed(S3Call("PATCH", "photos", "a"), "OBJECT", "DELETE, GET, HEAD, PUT"),
        .notAllowed(S3Call("POST", "photos", "a", body: "x"), "OBJECT", "DELETE, GET, HEAD, PUT"),
        .notAllowed(S3Call("DELETE", "photos", query: [("acl", "")]), "ACL", "GET, PUT"),
        .notAllowed(S3Call("PUT", "photos", query: [("location", "")]), "LOCATION", "GET"),
        .notAllowed(S3Call("GET", "photos", query: [("delete", "")]), "MULTI_OBJECT_DELETE", "POST"),
        .notAllowed(
            S3Call("POST", "photos", "a", query: [("tagging", "")], body: "x"), "OBJECT_TAGGING", "DELETE, GET, PUT"),
        .notAllowed(S3Call("DELETE", "photos", query: [("versions", "")]), "BUCKETVERSIONS", "GET"),
    ]

    static let arguments: [Case] = [
        .argument(
            S3Call("GET", "photos", query: [("versioning", ""), ("acl", "")]),
            "Conflicting query string parameters: acl, versioning", "ResourceType", "acl"),
        .argument(
            S3Call("GET", "photos", query: [("versionId", "x")]), "This operation does not accept a version-id.",
            "versionId", "x"),
        .argument(
            S3Call("GET", "photos", "a", query: [("versionId", "")]), "Version id cannot be the empty string",
            "versionId", ""),
        .argument(
            S3Call("GET", "photos", query: [("website", "x")]), "The website parameter must not have a value",
            "website",
            "x"),
        .argument(
            S3Call("GET", "photos", "a", query: [("versionId", "x")]), "Invalid version id specified", "versionId", "x"),
        .argument(
            S3Call("PUT", "photos", "a", query: [("partNumber", "1")], body: "x"),
            "This operation does not accept partNumber without uploadId", "partNumber", "1"),
        .invalid(S3Call("GET", "photos", query: [("partNumber", "1")]), "Object must have a valid key name."),
        .invalid(S3Call("GET", "photos", query: [("uploadId", "x")]), "A key must be specified"),
        .invalid(
            S3Call("GET", "photos", "a", query: [("versions", "")]),
            "There is no such thing as the ?versions sub-resource for a key"),
        Case(
            S3Call("GET", "photos", "a", query: [("logging", "")]), 400,
            "<Code>NoLoggingStatusForKey</Code><Message>There is no such thing as the ?logging sub-resource for a key"
                + "</Message>"),
        .invalid(
            S3Call("GET", "photos", "a", headers: [("x-amz-checksum-mode", "maybe")]),
            "Value for x-amz-checksum-mode header is invalid."),
        Case(
            S3Call("TRACE", "photos"), 400,
            "<Code>BadRequest</Code><Message>An error occurred when parsing the HTTP request.</Message>"),
        Case(
            S3Call("POST", "photos", headers: [("Content-Type", "text/plain")], body: "x"), 412,
            "<Code>PreconditionFailed</Code><Message>At least one of the pre-conditions you specified did not hold</Message>"
                + "<Condition>Bucket POST must be of the enclosure-type multipart/form-data</Condition>"),
        Case(
            S3Call("PUT", "photos", String(repeating: "k", count: 1_025), body: "x"), 400,
            "<Code>KeyTooLongError</Code><Message>Your key is too long</Message><Size>1025</Size>"
                + "<MaxSizeAllowed>1024</MaxSizeAllowed>"),
        Case(
            S3Call("PUT", "photos", "a", headers: [("x-amz-storage-class", "GOLD")], body: "x"), 400,
            "<Code>InvalidStorageClass</Code><Message>The storage class you specified is not valid</Message>"
                + "<StorageClassRequested>GOLD</StorageClassRequested>"),
        Case(
            S3Call("PUT", "photos", "a", headers: [("x-amz-website-redirect-location", "b")], body: "x"), 400,
            "<Code>InvalidRedirectLocation</Code><Message>The website redirect location must have a prefix of 'http://' or "
                + "'https://' or '/'.</Message>"),
        Case(
            S3Call("PUT", "photos", "a", unsigned: [("Content-Length", "5368709121"), ("Expect", "100-continue")]), 400,
            "<Code>EntityTooLarge</Code><Message>Your proposed upload exceeds the maximum allowed size</Message>"
                + "<MaxSizeAllowed>5368709120</MaxSizeAllowed><ProposedSize>5368709121</ProposedSize>"),
    ]

    @Test(arguments: notFound + notAllowed + arguments)
    func `has S3's status, document and header lines`(expected: Case) throws {
        let server = try TestServer()
        let answer = try S3Client(server).send(expected.call)
        #expect(answer.status == expected.status)
        #expect(answer.errorContent == expected.content)
        #expect(answer["Allow"] == expected.allow)
        #expect(answer["Content-Type"] == "application/xml")
        #expect(answer["Content-Length"] == String(answer.body.count))
        Self.expectCommonFields(answer)
    }

    @Test(arguments: ["/photos/%zz", "/photos/a%", "/photos/%FF", "/photos/%C3%28"])
    func `of a target that is no URI names it`(target: String) throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        var request = try s3.request(S3Call("GET", "photos", "a"))
        request.target = target
        let answer = try s3.send(request)
        #expect(answer.status == 400)
        #expect(
            answer.errorContent
                == "<Code>InvalidURI</Code><Message>Couldn't parse the specified URI.</Message><URI>\(target)</URI>")
    }

    @Test func `is given for segments that climb out of the bucket`() throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        for key in ["../films/a", "a/../../b", ".."] {
            #expect(try s3.send(S3Call("GET", "photos", key)).status == 400, "\(key)")
        }
    }

    @Test(arguments: [
        (S3Call("HEAD", "photos", "missing"), 404), (S3Call("HEAD", "nowhere", "a"), 404),
        (S3Call("HEAD", "nowhere"), 404),
        (S3Call("HEAD"), 405), (S3Call("HEAD", "photos", query: [("acl", "")]), 405), (S3Call("HEAD", "Photos"), 400),
        (S3Call("HEAD", "photos", query: [("max-keys", "x")]), 400),
    ])
    func `of a HEAD has the head of a document and no body`(call: S3Call, status: Int) throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        let connection = server.connection
        connection.send(try s3.request(call).bytes)
        connection.finishSending()
        let (bytes, end) = connection.receive()
        #expect(end == .fin)
        let answer = try #require(WireResponse(parsing: bytes, isHead: true))
        #expect(answer.byteCount == bytes.count)
        #expect(answer.status == status)
        #expect(answer["Content-Type"] == "application/xml")
        #expect(answer["Transfer-Encoding"] == "chunked")
        #expect(answer["Content-Length"] == nil)
        Self.expectCommonFields(answer)
    }

    @Test func `of an anonymous caller is 403 for a private bucket and 404 for none`() throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        let denied = "<Code>AccessDenied</Code><Message>Access Denied</Message>"
        for call in [
            S3Call("GET", "photos", "a"), S3Call("GET", "photos"), S3Call("PUT", "photos", "a", body: "x"),
            S3Call("DELETE", "photos"), S3Call("GET"), S3Call("PUT", "trips"),
        ] {
            let answer = try s3.send(call, .none)
            #expect(answer.status == 403)
            #expect(answer.errorContent == denied)
        }
        #expect(try s3.send(S3Call("GET", "nowhere", "a"), .none).code == "NoSuchBucket")
    }

    @Test func `keeps the connection where the request was whole, and closes it where a body is owed`() throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        let connection = server.connection
        for _ in 0..<3 {
            let answer = try s3.send(try s3.request(S3Call("GET", "photos", "missing")), on: connection)
            #expect(answer.status == 404)
            #expect(answer["Connection"]?.lowercased() != "close")
        }
        connection.send(try s3.request(S3Call("PUT", "nowhere", "a", body: pattern(100))).head)
        let answer = try #require(connection.receiveResponse())
        #expect(answer.code == "NoSuchBucket")
        #expect(answer["Connection"]?.lowercased() == "close")
        #expect(connection.receive().end == .fin)
    }

    @Test func `and a success alike carry the lines that every answer has`() throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        var seen: Set<String> = []
        for call in [
            S3Call("PUT", "photos", "a", body: "x"), S3Call("GET", "photos", "a"), S3Call("HEAD", "photos", "a"),
            S3Call("GET", "photos"), S3Call("GET"), S3Call("HEAD", "photos"), S3Call("DELETE", "photos", "a"),
            S3Call("GET", "photos", "a"),
        ] {
            let answer = try s3.send(call)
            Self.expectCommonFields(answer)
            seen.insert(answer["x-amz-request-id"] ?? "")
        }
        #expect(seen.count == 8)
    }

    static func expectCommonFields(_ answer: WireResponse) {
        let letters = Set("0123456789ABCDEFGHJKMNPQRSTVWXYZ")
        let requestID = answer["x-amz-request-id"] ?? ""
        #expect(requestID.count == 16 && requestID.allSatisfy(letters.contains))
        #expect([76, 96, 128].contains(answer["x-amz-id-2"]?.count))
        #expect(answer["Server"] == "AmazonS3")
        let date = answer["Date"].flatMap { Timestamp(httpDate: $0) }
        #expect(date.map { abs($0.seconds - S3Client.now.seconds) < 60 } == true)
        let names = answer.fields.map { $0.name.lowercased() }
        #expect(Set(names).count == names.count, "a header line is given twice: \(names)")
    }
}
