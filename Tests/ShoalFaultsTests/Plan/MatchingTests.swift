import ShoalFaults
import ShoalS3
import Testing

@Suite struct `A matcher` {
    @Test(
        arguments: [
            ("any", TestRequest(), true),
            ("PutObject", TestRequest(), true),
            ("PutObject", TestRequest(operation: .getObject), false),
            ("PutObject,GetObject", TestRequest(operation: .getObject), true),
            ("write", TestRequest(operation: .deleteObjects), true),
            ("write", TestRequest(operation: .headObject), false),
            ("write", TestRequest(operation: .unknown), false),
            ("any", TestRequest(operation: .unknown), true),
            ("read", TestRequest(operation: .listObjects), true),
            ("list", TestRequest(operation: .getObject), false),
            ("ListObjectsV2", TestRequest(operation: .listObjectsV2), true),
            ("ListObjectsV2", TestRequest(operation: .listObjects), false),
            ("multipart", TestRequest(operation: .uploadPart), true),
            ("multipart", TestRequest(operation: .putObject), false),
            ("PutObject a*", TestRequest(), true),
            ("PutObject b*", TestRequest(), false),
            ("PutObject b*|*.jpg", TestRequest(), true),
            ("PutObject !*.jpg", TestRequest(), false),
            ("PutObject !*.png", TestRequest(), true),
            ("PutObject ????????", TestRequest(keyText: "übüb.jpg"), true),
            ("PutObject a/*/z", TestRequest(keyText: "a/b/c/z"), true),
            ("PutObject *a*b*c", TestRequest(keyText: "xxaxxbxxabc"), true),
            ("PutObject *a*b*c", TestRequest(keyText: "xxaxxbxxabcd"), false),
            ("PutObject \\*", TestRequest(), false),
            ("PutObject \\*", TestRequest(keyText: "*"), true),
        ] as [(String, TestRequest, Bool)])
    func `takes the operations and keys it names`(head: String, request: TestRequest, isTaken: Bool) throws {
        let plan = try FaultPlan("\(head) @auth reset")
        #expect(plan.actions(request, at: .auth) == (isTaken ? ["reset"] : []))
    }

    @Test(
        arguments: [
            ("bucket=ph*", TestRequest(), true),
            ("bucket=other|photos", TestRequest(), true),
            ("bucket=other", TestRequest(), false),
            ("presigned=true", TestRequest(isPresigned: true), true),
            ("presigned=true", TestRequest(), false),
            ("presigned=false", TestRequest(), true),
            ("connection=fresh", TestRequest(exchange: 1), true),
            ("connection=fresh", TestRequest(exchange: 2), false),
            ("connection=reused", TestRequest(exchange: 2), true),
            ("exchange=2|3", TestRequest(exchange: 3), true),
            ("exchange=2|3", TestRequest(exchange: 4), false),
            ("size=1000", TestRequest(), true),
            ("size=>1000", TestRequest(), false),
            ("size=>999<1001", TestRequest(), true),
            ("size=<5", TestRequest(contentLength: nil), false),
            ("uploadId=u*", TestRequest(parameters: ["uploadId": "u1"]), true),
            ("uploadId=u*", TestRequest(), false),
            ("header.Content-Type=image/*", TestRequest(headers: ["content-type": "image/png"]), true),
            ("header.content-type=image/*", TestRequest(headers: ["content-type": "text/plain"]), false),
            ("header.content-type=!*", TestRequest(), true),
            ("header.content-type=!*", TestRequest(headers: ["content-type": ""]), false),
            ("header.content-type=!image/*", TestRequest(), true),
            ("header.a=1 header.b=2", TestRequest(headers: ["a": "1"]), false),
            ("header.a=1 header.b=2", TestRequest(headers: ["a": "1", "b": "2"]), true),
        ] as [(String, TestRequest, Bool)])
    func `holds every field against the request`(options: String, request: TestRequest, isTaken: Bool) throws {
        let plan = try FaultPlan("any @auth reset \(options)")
        #expect(plan.actions(request, at: .auth) == (isTaken ? ["reset"] : []))
    }

    private static let browser = TestRequest(
        signatureText: "s", signedAt: Timestamp(seconds: 940), now: Timestamp(seconds: 1_000), exchange: 2, attempt: 2,
        headers: ["user-agent": "Mozilla/5.0", "range": "bytes=0-9"], parameters: ["versionId": "v1", "x-id": "a"])
    private static let sdk = TestRequest(
        isPresigned: true, signedAt: Timestamp(seconds: 940), clientText: "10.0.0.7", expectsContinue: true,
        headers: ["amz-sdk-request": "attempt=3; max=5", "amz-sdk-invocation-id": "7b2f"])

    @Test(
        arguments: [
            ("version=v1", browser, true), ("version=v1", sdk, false), ("version=!*", sdk, true),
            ("range=bytes=0-*", browser, true), ("range=!*", sdk, true), ("range=!*", browser, false),
            ("userAgent=Mozilla*", browser, true), ("userAgent=Mozilla*", sdk, false),
            ("attempt=1", sdk, true), ("attempt=1", browser, false), ("attempt=>1", browser, true),
            ("sdkAttempt=3", sdk, true), ("sdkAttempt=>3", sdk, false), ("sdkAttempt=1", browser, false),
            ("invocation=7b*", sdk, true), ("invocation=7b*", browser, false),
            ("query.x-id=a", browser, true), ("query.x-id=b", browser, false), ("query.X-Id=a", browser, false),
            ("query.x-id=!*", sdk, true),
            ("client=10.0.0.*", sdk, true), ("client=10.0.0.*", browser, false),
            ("expectContinue=true", sdk, true), ("expectContinue=true", browser, false),
            ("expectContinue=false", browser, true),
            ("ageOfUrl=>59s", sdk, true), ("ageOfUrl=>1m", sdk, false), ("ageOfUrl=<61s", sdk, true),
            ("ageOfUrl=>50s<1m", sdk, false),
            // Only a URL has an age, however old its signature is.
            ("ageOfUrl=>1s", browser, false),
            ("any=(attempt=9)|(client=10.*)", sdk, true), ("any=(attempt=9)|(client=10.*)", browser, false),
            ("any=(GetObject)|(PutObject b*)", sdk, false), ("any=(GetObject)|(PutObject a*)", sdk, true),
            ("not=(client=10.*)", sdk, false), ("not=(client=10.*)", browser, true),
            ("not=(GetObject)|(PutObject a* size=<10)", sdk, true), ("not=(GetObject)|(PutObject a*)", sdk, false),
            ("not=(not=(client=10.*))", sdk, true), ("any=(PutObject not=(client=10.*))", sdk, false),
        ] as [(String, TestRequest, Bool)])
    func `knows versions, clients, attempts, ages and conditions inside conditions`(
        options: String, request: TestRequest, isTaken: Bool
    ) throws {
        let plan = try FaultPlan("any @auth reset \(options)")
        #expect(plan.actions(request, at: .auth) == (isTaken ? ["reset"] : []))
    }

    @Test(
        arguments: [
            ("attempt=2; max=5", 2), ("max=5;attempt=4", 4), (" attempt = 12 ", 12), ("attempt=x", nil), ("", nil),
            ("attempt", nil),
        ] as [(String, UInt64?)])
    func `reads which attempt an SDK says it is`(header: String, attempt: UInt64?) throws {
        let plan = try FaultPlan("any @auth reset sdkAttempt=\(attempt ?? 1)")
        let request = TestRequest(headers: ["amz-sdk-request": header])
        #expect(plan.actions(request, at: .auth) == (attempt == nil ? [] : ["reset"]))
    }

    @Test func `waits until another rule has fired`() throws {
        let plan = try FaultPlan("GetObject @auth SlowDown id=busy", "PutObject @auth reset after=busy:2")
        let get = TestRequest(operation: .getObject)
        // Begun before, and struck all the same: it is looked at when the point is reached.
        let begun = try #require(plan.begin(TestRequest()))
        #expect(plan.actions(TestRequest(), at: .auth) == [])
        _ = plan.actions(get, at: .auth)
        #expect(plan.actions(TestRequest(), at: .auth) == [])
        _ = plan.actions(get, at: .auth)
        #expect(plan.actions(TestRequest(), at: .auth) == ["reset"])
        #expect(begun.strike(at: .auth) != nil)
        // What did not match was not counted.
        #expect(plan.list()[1].matched == 2)
        try plan.remove("busy")
        #expect(plan.actions(TestRequest(), at: .auth) == [])
    }

    @Test func `waits until something was stored, by another request than its own`() throws {
        let plan = try FaultPlan("PutObject @commit.after reset after=committed(PutObject) per=rule")
        #expect((0..<3).map { _ in plan.actions(TestRequest(), at: .commitAfter) } == [[], ["reset"], ["reset"]])
        let group = try FaultPlan("GetObject @auth reset not=(after=committed(write))")
        let get = TestRequest(operation: .getObject)
        #expect(group.actions(get, at: .auth) == ["reset"])
        group.noteCommit(of: .deleteObject)
        #expect(group.actions(get, at: .auth) == [])
        // A rule only knows what happened since it is in force.
        try group.replaceAll(with: [try FaultRule(line: "GetObject @auth close after=committed(write)")])
        #expect(group.actions(get, at: .auth) == [])
    }

    @Test func `may not wait for a rule that is not there`() throws {
        let plan = try FaultPlan("any @auth reset id=busy")
        let error = #expect(throws: FaultPlan.Refusal.self) {
            try plan.add(try FaultRule(line: "any @auth close after=bussy"))
        }
        #expect(
            error?.message == """
                the rule 'any @auth close after=bussy' waits for the rule 'bussy', which is not there; \
                the nearest is 'busy'
                """)
        #expect(plan.list().count == 1)
        try plan.add([
            try FaultRule(line: "any @auth close after=later"), try FaultRule(line: "any @auth close id=later"),
        ])
        #expect(throws: FaultPlan.Refusal.self) {
            try plan.replace("busy", with: try FaultRule(line: "any @auth close after=busy"))
        }
    }

    @Test func `at accept knows the client and nothing else`() throws {
        let plan = try FaultPlan("@accept reset client=10.*")
        #expect(plan.strikeAccept(connection: 1, client: Array("10.1.2.3".utf8)[...]) != nil)
        #expect(plan.strikeAccept(connection: 2, client: Array("127.0.0.1".utf8)[...]) == nil)
    }

    @Test(arguments: [("2", "2", true), ("2", "3", false), (">1", "2", true), (">1", nil, false), ("2", "x", false)])
    func `knows the part of an upload`(pattern: String, part: String?, isTaken: Bool) throws {
        let plan = try FaultPlan("UploadPart *#\(pattern) @auth reset")
        let request = TestRequest(operation: .uploadPart, parameters: part.map { ["partNumber": $0] } ?? [:])
        #expect(plan.actions(request, at: .auth) == (isTaken ? ["reset"] : []))
    }

    @Test func `compares keys byte by byte, as S3 does`() throws {
        let plan = try FaultPlan("any caf\u{E9} @auth reset")
        #expect(plan.actions(TestRequest(keyText: "cafe\u{301}"), at: .auth) == [])
        #expect(plan.actions(TestRequest(keyText: "caf\u{E9}"), at: .auth) == ["reset"])
    }

    @Test func `answers in bounded time whatever the pattern`() throws {
        let glob = try #require(Glob(String(repeating: "*a", count: 1_000) + "b"))
        // A matcher that takes back every star would not come to an end within the age of the universe.
        #expect(!glob.matches(Array(repeating: UInt8(ascii: "a"), count: 1_024)[...]))
    }
}
