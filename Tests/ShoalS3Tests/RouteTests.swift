import ShoalHTTP
import ShoalS3
import ShoalSeeded
import Testing

@Suite struct `A route` {
    @Test(
        arguments: [
            ("GET /", "ListBuckets", nil, nil), ("GET /?max-buckets=3", "ListBuckets", nil, nil),
            ("PUT /bucket", "CreateBucket", "bucket", nil), ("HEAD /bucket/", "HeadBucket", "bucket", nil),
            ("DELETE /bucket", "DeleteBucket", "bucket", nil), ("GET /bucket", "ListObjects", "bucket", nil),
            ("GET /bucket?list-type=2", "ListObjectsV2", "bucket", nil),
            ("GET /bucket?list-type=3", "ListObjects", "bucket", nil),
            ("GET /bucket?location", "GetBucketLocation", "bucket", nil),
            ("GET /bucket?versions", "ListObjectVersions", "bucket", nil),
            ("GET /bucket?uploads", "ListMultipartUploads", "bucket", nil),
            ("POST /bucket?delete", "DeleteObjects", "bucket", nil),
            ("PUT /bucket/key", "PutObject", "bucket", "key"), ("GET /bucket/key", "GetObject", "bucket", "key"),
            ("HEAD /bucket/key", "HeadObject", "bucket", "key"),
            ("DELETE /bucket/key", "DeleteObject", "bucket", "key"),
            ("GET /bucket/key?partNumber=3", "GetObject", "bucket", "key"),
            ("GET /bucket/key?x-id=GetObject&foo", "GetObject", "bucket", "key"),
            ("GET /bucket/key?Acl", "GetObject", "bucket", "key"),
            ("GET /bucket/key?attributes", "GetObjectAttributes", "bucket", "key"),
            ("POST /bucket/key?uploads", "CreateMultipartUpload", "bucket", "key"),
            ("PUT /bucket/key?partNumber=1&uploadId=u", "UploadPart", "bucket", "key"),
            ("POST /bucket/key?uploadId=u", "CompleteMultipartUpload", "bucket", "key"),
            ("DELETE /bucket/key?uploadId=u", "AbortMultipartUpload", "bucket", "key"),
            ("GET /bucket/key?uploadId=u", "ListParts", "bucket", "key"),
            ("GET /bucket/key?acl&acl=again", "GetObjectAcl", "bucket", "key"),
            ("OPTIONS /bucket/key", "OptionsPreflight", "bucket", "key"), ("OPTIONS /", "OptionsPreflight", nil, nil),
            ("OPTIONS *", "OptionsPreflight", nil, nil),
            ("GET http://other.example/bucket/key", "GetObject", "bucket", "key"),
        ] as [(String, String, String?, String?)])
    func `names the operation that AWS's reference names`(
        line: String, operation: String, bucket: String?, key: String?
    ) throws {
        let route = try route(line)
        #expect(route.operation.rawValue == operation)
        #expect(route.methodNotAllowed == nil)
        #expect(route.bucket?.text == bucket)
        #expect(route.key?.description == key)
        #expect(route.style == .path)
    }

    /// Every operation can be reached, so that none is answered as another.
    @Test func `reaches every operation that has a name`() throws {
        let lines = ["", "/key"].flatMap { path in
            ["GET", "PUT", "POST", "DELETE", "HEAD"].flatMap { method in
                SubResource.allCases.map { "\(method) /bucket\(path)?\($0.rawValue)" }
            }
        }
        var reached = Set(lines.compactMap { try? route($0) }.map(\.operation))
        for line in [
            "GET /", "PUT /bucket", "HEAD /bucket", "DELETE /bucket", "GET /bucket", "GET /bucket?list-type=2",
            "PUT /bucket/key", "GET /bucket/key", "HEAD /bucket/key", "DELETE /bucket/key", "OPTIONS /bucket",
            "PUT /bucket/key?partNumber=1&uploadId=u", "GET /bucket?metrics&id=i", "GET /bucket?analytics&id=i",
            "GET /bucket?inventory&id=i", "GET /bucket?intelligent-tiering&id=i",
        ] {
            reached.insert(try route(line).operation)
        }
        let form = ["Content-Type: Multipart/Form-Data; boundary=x"]
        reached.insert(try route("POST /bucket", form).operation)
        let copy = ["x-amz-copy-source: /bucket/other"]
        reached.insert(try route("PUT /bucket/key", copy).operation)
        reached.insert(try route("PUT /bucket/key?partNumber=1&uploadId=u", copy).operation)
        #expect(Set(S3Operation.allCases).subtracting(reached) == [])
    }

    @Test(arguments: [
        ("photos.s3.localhost:9000", "photos", "a/b"), ("photos.localhost", "photos", "a/b"),
        ("my.dotted.bucket.s3.localhost", "my.dotted.bucket", "a/b"), ("PHOTOS.S3.LOCALHOST:80", "photos", "a/b"),
        ("photos.localhost.", "photos", "a/b"),
    ])
    func `takes the bucket from a host under a base domain`(host: String, bucket: String, key: String) throws {
        let object = try route("GET /a/b", host: host)
        #expect(object.style == .virtualHost)
        #expect(object.bucket?.text == bucket)
        #expect(object.key?.description == key)
        #expect(try route("GET /?list-type=2", host: host).operation == .listObjectsV2)
    }

    @Test(arguments: [
        "localhost", "localhost:9000", "s3.localhost", "S3.Localhost:1", "127.0.0.1:9000", "[::1]:9000", "minio:9000",
        "xlocalhost", ".localhost", "s3.example.org",
    ])
    func `uses path style under any other host`(host: String) throws {
        let route = try route("GET /bucket/key", host: host)
        #expect(route.style == .path)
        #expect(route.bucket?.text == "bucket")
    }

    @Test(arguments: [
        ("/bucket//x", "/x"), ("/bucket/a//b/", "a//b/"), ("/bucket/a/../b", "a/../b"), ("/bucket/.", "."),
        ("/bucket/a+b%2Bc%20d", "a b+c d"), ("/bucket/%252F", "%2F"), ("/bucket/a%2Fb", "a/b"),
        ("/bucket/caf%c3%a9", "caf\u{e9}"), ("/bucket/cafe%CC%81", "cafe\u{301}"), ("/bucket/a;b=c,d", "a;b=c,d"),
        ("/bucket/%00", "\0"), ("/bucket%2Fkey", "key"),
    ])
    func `decodes a key once and changes nothing else`(path: String, key: String) throws {
        #expect(try route("GET " + path).key?.bytes == Array(key.utf8))
    }

    @Test(arguments: [
        ("GET /bucket/a%2", "InvalidURI | Couldn't parse the specified URI. | URI=/bucket/a%2"),
        ("GET /bucket/a%zz?x", "InvalidURI | Couldn't parse the specified URI. | URI=/bucket/a%zz"),
        ("GET /bucket/%ff", "InvalidURI | Couldn't parse the specified URI. | URI=/bucket/%ff"),
        ("GET /bucket?prefix=%", "InvalidURI | Couldn't parse the specified URI. | URI=/bucket"),
        ("GET /Bucket/key", "InvalidBucketName | The specified bucket is not valid. | BucketName=Bucket"),
        ("PUT /ab", "InvalidBucketName | The specified bucket is not valid. | BucketName=ab"),
        ("GET //bucket", "InvalidBucketName | The specified bucket is not valid. | BucketName="),
        ("GET /bucket/../x", "BadRequest | An error occurred when parsing the HTTP request."),
        ("GET /bucket/a/../../x", "BadRequest | An error occurred when parsing the HTTP request."),
        ("TRACE /", "BadRequest | An error occurred when parsing the HTTP request."),
        ("LINK /bucket/key", "BadRequest | An error occurred when parsing the HTTP request."),
        ("get /bucket/key", "BadRequest | An error occurred when parsing the HTTP request."),
        (
            "GET /bucket?versioning&acl",
            "InvalidArgument | Conflicting query string parameters: acl, versioning | ArgumentName=ResourceType | "
                + "ArgumentValue=acl"
        ),
        (
            "PUT /bucket/key?tagging&acl=x&cors",
            "InvalidArgument | Conflicting query string parameters: acl, cors, tagging | ArgumentName=ResourceType | "
                + "ArgumentValue=acl"
        ),
        ("GET /bucket?partNumber=1", "InvalidRequest | Object must have a valid key name."),
        ("POST /bucket?uploadId=u", "InvalidRequest | A key must be specified"),
        (
            "GET /bucket?versionId=v",
            "InvalidArgument | This operation does not accept a version-id. | ArgumentName=versionId | ArgumentValue=v"
        ),
        (
            "PUT /bucket/key?versionId=v",
            "InvalidArgument | This operation does not accept a version-id. | ArgumentName=versionId | ArgumentValue=v"
        ),
        (
            "GET /bucket/key?versionId=v&uploadId=u",
            "InvalidArgument | This operation does not accept a version-id. | ArgumentName=versionId | ArgumentValue=v"
        ),
        (
            "GET /bucket/key?versioning&versionId=v",
            "InvalidArgument | This operation does not accept a version-id. | ArgumentName=versionId | ArgumentValue=v"
        ),
        (
            "GET /bucket/key?versionId=",
            "InvalidArgument | Version id cannot be the empty string | ArgumentName=versionId | ArgumentValue="
        ),
        (
            "GET /bucket/key?acl&versionId",
            "InvalidArgument | Version id cannot be the empty string | ArgumentName=versionId | ArgumentValue="
        ),
        (
            "GET /bucket?website=x",
            "InvalidArgument | The website parameter must not have a value | ArgumentName=website | ArgumentValue=x"
        ),
        (
            "GET /bucket/key?logging",
            "NoLoggingStatusForKey | There is no such thing as the ?logging sub-resource for a key"
        ),
        (
            "GET /bucket/key?versions",
            "InvalidRequest | There is no such thing as the ?versions sub-resource for a key"
        ),
        (
            "GET /bucket/key?uploads",
            "InvalidRequest | Key is not expected for the GET method ?uploads subresource"
        ),
        (
            "PUT /bucket/key?partNumber=1",
            "InvalidArgument | This operation does not accept partNumber without uploadId | ArgumentName=partNumber | "
                + "ArgumentValue=1"
        ),
        (
            "PUT /bucket/key?partNumber=one&uploadId=u",
            "InvalidArgument | Part number must be an integer between 1 and 10000, inclusive | ArgumentName=partNumber"
                + " | ArgumentValue=one"
        ),
        (
            "GET /bucket?max-keys=1x",
            "InvalidArgument | Provided max-keys not an integer or within integer range | ArgumentName=max-keys | "
                + "ArgumentValue=1x"
        ),
        (
            "HEAD /bucket?max-keys=2147483648",
            "InvalidArgument | Provided max-keys not an integer or within integer range | ArgumentName=max-keys | "
                + "ArgumentValue=2147483648"
        ),
        (
            "GET /bucket/key?uploadId=u&max-parts=-",
            "InvalidArgument | Provided max-parts not an integer or within integer range | ArgumentName=max-parts | "
                + "ArgumentValue=-"
        ),
        ("POST /bucket?restore", "UserKeyMustBeSpecified | User key must be specified."),
        (
            "POST /bucket",
            "PreconditionFailed | At least one of the pre-conditions you specified did not hold | "
                + "Condition=Bucket POST must be of the enclosure-type multipart/form-data"
        ),
    ])
    func `is refused before any credential is read`(line: String, expected: String) {
        #expect(refusal { _ = try route(line) } == expected)
    }

    @Test(arguments: [
        ("PUT /", "PUT", "SERVICE", "GET"), ("HEAD /", "HEAD", "SERVICE", "GET"), ("POST /", "POST", "SERVICE", "GET"),
        ("PATCH /bucket", "PATCH", "BUCKET", "DELETE, GET, HEAD, POST, PUT"),
        ("POST /bucket/key", "POST", "OBJECT", "DELETE, GET, HEAD, PUT"),
        ("PATCH /bucket/key", "PATCH", "OBJECT", "DELETE, GET, HEAD, PUT"),
        ("DELETE /bucket?acl", "DELETE", "ACL", "GET, PUT"), ("HEAD /bucket?location", "HEAD", "LOCATION", "GET"),
        ("DELETE /bucket/key?acl", "DELETE", "ACL", "GET, PUT"),
        ("HEAD /bucket/key?tagging", "HEAD", "OBJECT_TAGGING", "DELETE, GET, PUT"),
        ("POST /bucket/key?cors", "POST", "CORS", "DELETE, GET, PUT"),
        ("PUT /bucket/key?uploadId=u", "PUT", "UPLOAD", "DELETE, GET, POST"),
        ("GET /bucket/key?uploadId=u&partNumber=1", "GET", "PART", "PUT"),
        ("DELETE /bucket/key?uploads", "DELETE", "UPLOADS", "POST"),
        ("GET /bucket?delete", "GET", "MULTI_OBJECT_DELETE", "POST"),
        ("DELETE /bucket?versions", "DELETE", "BUCKETVERSIONS", "GET"),
    ])
    func `carries a 405 for a method that its resource does not have`(
        line: String, method: String, type: String, allow: String
    ) throws {
        let error = try #require(try route(line).methodNotAllowed)
        #expect(
            summary(error) == "MethodNotAllowed | The specified method is not allowed against this resource. | "
                + "Method=\(method) | ResourceType=\(type)")
        #expect(error.headers.map { "\($0.name): \($0.value)" } == ["Allow: " + allow])
    }

    @Test(arguments: [
        "DELETE /bucket/key?publicAccessBlock", "PUT /bucket?retention", "GET /bucket/key?torrent",
        "DELETE /bucket?metadataTable", "PUT /bucket/key?annotation", "POST /bucket/key?select",
    ])
    func `never falls through from a sub-resource to the plain operation`(line: String) throws {
        let route = try route(line)
        #expect(route.operation == .unknown)
        #expect(route.methodNotAllowed == nil)
    }

    @Test(arguments: ["cors", "lifecycle", "location", "notification", "policy", "requestPayment", "versioning"])
    func `ignores the key where a sub-resource reaches the bucket`(name: String) throws {
        let onKey = try route("GET /bucket/key?" + name)
        #expect(onKey.key == nil)
        #expect(onKey.operation == (try route("GET /bucket?" + name).operation))
    }

    @Test func `refuses a key of more than 1,024 bytes, however it is escaped`() throws {
        let longest = String(repeating: "%C3%A9", count: 512)
        #expect(try route("GET /bucket/" + longest).key?.bytes.count == 1_024)
        #expect(
            refusal { _ = try route("GET /bucket/a" + longest) }
                == "KeyTooLongError | Your key is too long | Size=1025 | MaxSizeAllowed=1024")
    }

    @Test func `refuses a copy source where nothing is copied`() {
        #expect(
            refusal { _ = try route("PUT /bucket/key?tagging", ["x-amz-copy-source: b/k"]) }
                == "InvalidArgument | You can only specify a copy source header for copy requests. | "
                + "ArgumentName=x-amz-copy-source | ArgumentValue=b/k")
        #expect(throws: Never.self) { try route("PUT /bucket/key?X-Amz-Copy-Source=b/k").operation }
    }

    @Test func `keeps order and duplicates of its parameters, and reads the first`() throws {
        let query = try route("GET /bucket?b=1&a=%41+%2b&b=2&&c&=d&e==").query
        #expect(
            query.map { "\(String(decoding: $0.name, as: UTF8.self))→\(String(decoding: $0.value, as: UTF8.self))" }
                == ["b→1", "a→A +", "b→2", "c→", "→d", "e→="])
        #expect(query.first("b")?.elementsEqual("1".utf8) == true)
        #expect(query.first("B") == nil)
        #expect(query.firstIgnoringCase("b")?.elementsEqual("1".utf8) == true)
        #expect(query.has("c") && !query.has("d"))
    }

    @Test(
        arguments: [
            ("max-keys=", nil), ("max-keys=-5", -5), ("max-keys=007", 7), ("max-keys=2147483647", 2_147_483_647),
            ("x", nil),
        ] as [(String, Int?)])
    func `reads integers as S3 does`(parameter: String, value: Int?) throws {
        #expect(try route("GET /bucket?" + parameter).query.integer("max-keys") == value)
    }

    @Test func `survives random targets`() throws {
        var random = SeededGenerator(seed: 3)
        let alphabet =
            Array("/%+?&=.ab0Zé\u{301}-_~".unicodeScalars.map(String.init))
            + ["%2F", "%00", "%ff", "uploadId", "partNumber", "versionId", "acl", "..", "bucket", "max-keys"]
        let methods = ["GET", "PUT", "POST", "DELETE", "HEAD", "OPTIONS", "PATCH"]
        for _ in 0..<5_000 {
            let target = (0..<Int.random(in: 0...12, using: &random)).map { _ in alphabet.randomElement(using: &random)!
            }
            let line = methods.randomElement(using: &random)! + " /" + target.joined()
            guard let route = try? route(line) else { continue }
            #expect(route.key.map { $0.bytes.count <= 1_024 } ?? true)
            #expect(route.bucket != nil || route.key == nil)
        }
    }
}
