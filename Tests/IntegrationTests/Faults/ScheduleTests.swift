import ShoalFaults
import ShoalJSON
import Testing

@Suite struct `A schedule from the admin API` {
    @Test func `strikes the uploads of another server as it struck those of the first`() throws {
        func run(_ server: TestServer, prefix: String) throws -> [Bool] {
            let s3 = S3Client(server)
            return try (0..<30).map { number in
                CountingTests.isAnswered(s3, try CountingTests.upload(s3, "\(prefix)\(number)"))
            }
        }
        let (first, second) = (try TestServer { $0.rngSeed = 1 }, try TestServer { $0.rngSeed = 2 })
        try AdminClient(first).arm("PutObject @commit.after 40%reset id=dice")
        let answered = try run(first, prefix: "a")
        #expect(answered.contains(true) && answered.contains(false))
        let schedule = try AdminClient(first).json("GET", "/schedule")
        #expect(schedule["rules"]?.first?["id"] == "dice")
        try AdminClient(second).json("PUT", "/rules", schedule.text)
        #expect(try run(second, prefix: "b") == answered)
    }

    @Test func `is empty where nothing was struck`() throws {
        let admin = AdminClient(try TestServer())
        try admin.arm("PutObject @auth reset")
        #expect(try admin.json("GET", "/schedule").text == #"{"shoal":1,"rules":[]}"#)
    }
}
