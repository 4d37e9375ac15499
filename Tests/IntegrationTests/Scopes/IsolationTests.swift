import ShoalFaults
import ShoalJSON
import ShoalNet
import ShoalWire
import Synchronization
import Testing

@Suite struct `Scopes beside each other` {
    private static let scopeCount = 200
    private static let clientCount = 16
    private static let keys = ["a", "b", "c"]

    /// What becomes of the first attempt of each upload, by the number of the scope.
    private static let rules: [(line: String?, isStored: Bool)] = [
        (nil, true), ("PutObject @request.head 1*reset", false), ("PutObject @commit.after 1*close", true),
        ("PutObject @auth 1*respond(SlowDown)", false), ("PutObject @body.end 1*reset", false),
    ]

    /// Sends one PUT; nil if it was not answered.
    private static func status(of request: WireRequest, _ server: TestServer) -> Int? {
        let connection = server.connection
        connection.send(request.bytes)
        return connection.receiveResponse()?.status
    }

    /// Uploads every key, each again until it is answered with 200; how many attempts that took.
    private static func upload(_ scope: TestScope) throws -> Int {
        var count = 0
        for key in keys {
            let request = try scope.s3.request(
                S3Call("PUT", "photos", key, body: scope.name), .presigned(seconds: 600))
            for attempt in 1...3 {
                count += 1
                if status(of: request, scope.s3.server) == 200 { break }
                try #require(attempt < 3, "\(scope.name) \(key)")
            }
        }
        return count
    }

    /// Clients go from scope to scope, so that neighbours with other rules are always under way.
    @Test func `never see another's faults, objects or journal`() throws {
        let server = try TestServer()
        let scopes = try (0..<Self.scopeCount).map { number in
            let scope = try TestScope(server, "s\(number)")
            if let line = Self.rules[number % Self.rules.count].line { try scope.admin.arm(line) }
            return scope
        }
        let next = Atomic(0)
        let failures = Mutex<[String]>([])
        let clients = (0..<Self.clientCount).map { number in
            Thread(name: "client-\(number)") {
                while true {
                    let index = next.wrappingAdd(1, ordering: .relaxed).oldValue
                    guard index < scopes.count else { return }
                    let expected = Self.rules[index % Self.rules.count].line == nil ? 3 : 6
                    do {
                        let count = try Self.upload(scopes[index])
                        guard count != expected else { continue }
                        failures.withLock { $0.append("\(count) attempts in \(scopes[index].name)") }
                    } catch {
                        failures.withLock { $0.append("\(scopes[index].name): \(error)") }
                    }
                }
            }
        }
        for client in clients { client.join() }
        #expect(failures.withLock { $0 }.isEmpty)
        for (index, scope) in scopes.enumerated() { try check(scope, Self.rules[index % Self.rules.count]) }
        #expect(try AdminClient(server).json("GET", "/objects")["objects"]?.elements.isEmpty == true)
        let main = try AdminClient(server).json("GET", "/journal?limit=10000")["events"]?.elements ?? []
        #expect(main.isEmpty, "\(main.prefix(3))")
        #expect(try scopes.map { try $0.end().neverFired } == scopes.map { _ in [] })
    }

    private func check(_ scope: TestScope, _ rule: (line: String?, isStored: Bool)) throws {
        let objects = try scope.admin.json("GET", "/objects")["objects"]?.elements ?? []
        #expect(objects.compactMap { $0["key"]?.string } == Self.keys, "\(scope.name)")
        for key in Self.keys { #expect(try scope.s3.get(key).text == scope.name) }
        let events = try scope.admin.json("GET", "/journal?limit=10000")["events"]?.elements ?? []
        #expect(events.allSatisfy { $0["scope"]?.string == scope.name })
        #expect(events.count { $0.ev == "fault" } == (rule.line == nil ? 0 : Self.keys.count), "\(scope.name)")
        let commits = rule.line == nil || !rule.isStored ? Self.keys.count : 2 * Self.keys.count
        #expect(events.count { $0.ev == "store" && $0["change"]?.string == "committed" } == commits, "\(scope.name)")
    }
}
