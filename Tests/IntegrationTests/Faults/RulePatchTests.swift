import ShoalFaults
import ShoalJSON
import Testing

@Suite struct `A rule that is changed in part` {
    @Test func `keeps what the patch leaves out, and counts anew`() throws {
        let server = try TestServer()
        let (s3, admin) = (S3Client(server), AdminClient(server))
        try admin.arm("PutObject a* @auth 1*SlowDown per=rule id=busy note=n")
        func statuses() throws -> [Bool] {
            try (0..<3).map { _ in CountingTests.isAnswered(s3, try CountingTests.upload(s3, "a")) }
        }
        #expect(try statuses() == [false, true, true])
        let changed = try admin.json("PATCH", "/rules/busy", #"{"count":{"times":2},"note":null}"#)
        #expect(changed["line"] == "PutObject a* @auth 2*SlowDown per=rule id=busy")
        #expect(changed["fired"] == 0)
        #expect(try statuses() == [false, false, true])
        let sequence = #"{"do":null,"count":{"times":null,"sequence":["pass","SlowDown"]}}"#
        try admin.json("PATCH", "/rules/busy", sequence)
        #expect(try statuses() == [true, false, true])
    }

    @Test(
        arguments: [
            (#"{"at":"oath"}"#, 400, "/at: no point is called 'oath'; the nearest is 'auth'"),
            (#"{"do":null}"#, 400, "a rule needs 'do'"), (#"{"tims":2}"#, 400, "no member of a rule is called 'tims'"),
            (#"{"count":{"times":0}}"#, 400, "times is 0, so the rule would never fire"),
            (#"{"id":"other"}"#, 400, "a rule keeps its id"), (#"{"id":null}"#, 400, "a rule keeps its id"),
            (#"{"match":{"after":{"rule":"gone"}}}"#, 400, "waits for the rule 'gone', which is not there"),
            ("[]", 400, "an object is due here, not an array"), ("{", 400, "at byte"),
        ] as [(String, Int, String)])
    func `stays as it is where the patch is wrong`(patch: String, status: Int, detail: String) throws {
        let admin = AdminClient(try TestServer())
        try admin.arm("PutObject @auth 3*reset id=busy")
        let before = try admin.json("GET", "/rules/busy")
        let answer = try admin.send("PATCH", "/rules/busy", patch)
        #expect(answer.status == status && answer.text.contains(detail), "\(answer.text)")
        #expect(try admin.json("GET", "/rules/busy") == before)
        #expect(try admin.send("PATCH", "/rules/bsy", "{}").status == 404)
    }
}
