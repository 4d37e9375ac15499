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
