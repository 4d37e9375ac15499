import Glibc
import ShoalFaults
import ShoalJSON
import ShoalLog
import ShoalS3
import Testing

@Suite struct `A journal's file` {
    private let folder = TestFolder()
    private let scope = JournalScope("t")
    private let silent = Log(descriptor: -1)

    private func journal(_ bounds: Journal.Bounds = Journal.Bounds(), log: Log? = nil) throws -> Journal {
        try Journal(path: "\(folder.path)/journal.ndjson", bounds: bounds, log: log ?? silent)
    }

    private func numbers(_ name: String = "journal.ndjson") throws -> [Int64] {
        try folder.lines(of: name).map { line in
            guard case .integer(let seq)? = try JSONParser.parse(line)["seq"] else { return -1 }
            return seq
        }
    }

    @Test func `holds what was appended before a flush`() throws {
        let journal = try journal()
        for _ in 0..<3_000 { journal.append(.continueSent, in: scope) }
        journal.flush()
        #expect(try numbers() == Array(1...3_000))
        journal.close()
    }

    @Test func `tells an exchange that went as usual in one line, and any other in full`() throws {
        let journal = try journal()
        var usual = ExchangeTrace(scope: scope, connection: 1, exchange: 1)
        usual.record(.requestHead(.init(method: "PUT", operation: .putObject, bucket: "b", key: ObjectKey([0x6B]))))
        usual.record(.auth(.init(.accepted, scopeTime: 0)))
        usual.record(.body(.init(bytes: 7, firstAt: 0, lastAt: 0)))
        usual.record(.store(.init(.committed)))
        usual.record(.responseHead(.init(.ok)))
        journal.publish(&usual)
        usual.record(.responseEnd(bytes: 0))
        journal.publish(&usual)
        var refused = ExchangeTrace(scope: scope, connection: 1, exchange: 2)
        refused.record(.requestHead(.init(method: "PUT", operation: .putObject)))
        refused.record(.auth(.init(.refused, code: .accessDenied, diagnosis: "why", scopeTime: 0)))
        journal.publish(&refused)
        journal.close()
        let lines = try folder.lines(of: "journal.ndjson").map { try JSONParser.parse($0) }
        #expect(lines.map { $0["ev"] } == ["exchange", "request.head", "auth"])
        #expect(lines[0]["seq"] == 5)
        #expect(lines[0]["from"] == 1)
        #expect(lines[0]["bytes"] == 7)
        #expect(lines[0]["status"] == 200)
        #expect(lines[2]["diagnosis"] == "why")
    }

    @Test func `holds everything once it is closed, whatever the threads did`() async throws {
        let journal = try journal()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<4 { group.addTask { [scope] in for _ in 0..<2_000 { journal.append(.note("x"), in: scope) } } }
            group.addTask { for _ in 0..<20 { journal.flush() } }
        }
        journal.close()
        #expect(try numbers() == Array(1...8_000))
    }

    @Test func `is written by its thread without being asked`() async throws {
        let journal = try journal()
        journal.append(.note("x"), in: scope)
        // Each look gives other threads their turn; the test's own time limit is the only clock.
        while folder.bytes(of: "journal.ndjson").isEmpty { await Task.yield() }
        #expect(try numbers() == [1])
        journal.close()
    }

    @Test func `goes on behind the numbers it finds`() throws {
        var first: Journal? = try journal()
        first?.append(.note("a"), in: scope)
        first?.append(.note("b"), in: scope)
        first?.close()
        first = nil
        let second = try journal()
        #expect(second.append(.note("c"), in: scope) == 3)
        second.close()
        #expect(try numbers() == [1, 2, 3])
    }

    @Test(
        arguments: [
            ("{\"seq\":41,\"ev\":\"note\"}\n{\"seq\":42,\"e", [41, 42]), ("{\"seq\":7", [1]), ("", [1]),
            ("\n", [1]),
        ] as [(String, [Int64])])
    func `loses half a line that a crash left`(text: String, expected: [Int64]) throws {
        folder.write(text, to: "journal.ndjson")
        let journal = try journal()
        journal.append(.note("next"), in: scope)
        journal.close()
        #expect(try numbers() == expected)
    }

    @Test func `is rotated, and only so many are kept`() throws {
        var bounds = Journal.Bounds()
        bounds.fileByteCountMax = 1_000
        bounds.rotatedFileCountMax = 2
        let journal = try journal(bounds)
        for _ in 0..<20 {
            for _ in 0..<5 { journal.append(.note("0123456789"), in: scope) }
            journal.flush()
        }
        journal.close()
        #expect(folder.names == ["journal.1.ndjson", "journal.2.ndjson", "journal.ndjson"])
        let kept = try numbers("journal.2.ndjson") + numbers("journal.1.ndjson") + numbers()
        #expect(kept == Array((101 - Int64(kept.count))...100))
        #expect(folder.names.allSatisfy { folder.bytes(of: $0).count <= 1_000 })
        let next = try self.journal(bounds)
        #expect(next.append(.note("on"), in: scope) == 101)
        next.close()
    }

    @Test func `says how many events the memory lost before they were written`() throws {
        var bounds = Journal.Bounds()
        bounds.eventCountMax = 10
        let journal = try journal(bounds)
        var trace = ExchangeTrace(scope: scope, connection: 1, exchange: 1)
        // In one lock, so that no thread can write in between.
        for _ in 0..<8 { trace.record(.continueSent) }
        journal.publish(&trace)
        for _ in 0..<8 { trace.record(.continueSent) }
        journal.publish(&trace)
        journal.close()
        let lines = folder.lines(of: "journal.ndjson")
        let isWhole = lines.count == 16
        #expect(
            isWhole || lines.first == #"{"seq":8,"ev":"lost","count":8}"# && lines.count == 9, "\(lines.first ?? "")")
    }

    @Test func `that cannot be opened is an error in words`() {
        let error = #expect(throws: JournalFile.Failure.self) {
            try Journal(path: "\(folder.path)/none/journal.ndjson", log: silent)
        }
        #expect(error?.description == "open \(folder.path)/none/journal.ndjson: No such file or directory")
    }

    @Test func `that cannot be written costs lines, and one complaint`() throws {
        var ends: [Int32] = [0, 0]
        #expect(pipe(&ends) == 0)
        // Every write to it fails with "no space left on device".
        let journal = try Journal(path: "/dev/full", log: Log(descriptor: ends[1]))
        for _ in 0..<3 {
            journal.append(.note("x"), in: scope)
            journal.flush()
        }
        journal.close()
        close(ends[1])
        var bytes = [UInt8](repeating: 0, count: 4_096)
        let complaint = String(decoding: bytes[..<max(0, read(ends[0], &bytes, bytes.count))], as: UTF8.self)
        close(ends[0])
        #expect(complaint.split(separator: "\n").count == 1)
        #expect(
            complaint.contains("error the journal's file cannot be written: write /dev/full: No space left on device"))
        #expect(journal.read(scope: scope, since: 0, limit: 9).events.count == 3)
    }

    @Test func `never holds a signature or a secret`() throws {
        let secrets = ["5f1c0ffee5f1c0ffee5f1c0ffee5f1c0ffee5f1c0ffee5f1c0ffee5f1c0ffee5", "SessionToken", "s3cr3t"]
        let request = TestRequest(
            isPresigned: true, signatureText: secrets[0],
            headers: ["x-amz-security-token": secrets[1], "authorization": secrets[2]])
        let plan = try FaultPlan("any @auth 1*expire per=rule id=x")
        let journal = try journal()
        var trace = ExchangeTrace(scope: scope, connection: 1, exchange: 1)
        trace.identify(request.operationIdentity)
        trace.record(
            .requestHead(
                .init(method: "PUT", operation: .putObject, bucket: "b", key: ObjectKey("k".utf8), isPresigned: true)))
        trace.record(try #require(plan.begin(request)?.strike(at: .auth)))
        journal.publish(&trace)
        journal.close()
        let rules = plan.list().map(\.rule).map { $0.json.text + $0.line }
        let text = (folder.lines(of: "journal.ndjson") + rules).joined()
        #expect(text.contains("\"op\":\"sig-") && text.contains("expire"))
        for secret in secrets {
            #expect(!text.contains(secret))
            // Not even a part of it that would help to guess the rest.
            #expect(!text.contains(secret.prefix(8)) && !text.contains(secret.suffix(6)))
        }
    }
}
