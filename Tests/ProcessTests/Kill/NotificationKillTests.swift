import Glibc
import ShoalProcess
import ShoalWire
import Testing

/// SIGKILL between the acknowledgement of writes and the delivery of their events.
@Suite struct `A server that is killed with events to deliver` {
    private static let configuration = Array(
        """
        <NotificationConfiguration><QueueConfiguration><Id>all</Id>\
        <Queue>arn:aws:sqs:us-east-1:000000000000:thumbs</Queue><Event>s3:ObjectCreated:*</Event>\
        <Event>s3:ObjectRemoved:*</Event></QueueConfiguration></NotificationConfiguration>
        """.utf8)

    /// What happened to a key: the object's tag, or its removal.
    private static func facts(_ messages: [WireReceiver.Message], of key: String) -> [String] {
        messages.filter { $0.text.contains("\"key\":\"\(key)\"") }.map { message in
            let rest = message.text.split(separator: "\"eTag\":\"")
            return rest.count == 2 ? String(rest[1].prefix(32)) : "removed"
        }
    }

    @Test(arguments: ["process", "power"])
    func `loses none and keeps their order`(durability: String) throws {
        let receiver = WireReceiver(isOpen: false)
        let folder = TemporaryFolder()
        let arguments = [
            "--data", folder.path + "/data", "--bucket", "photos", "--durability", durability, "--webhook",
            "thumbs=http://127.0.0.1:\(receiver.port)/events",
        ]
        var expected: [String: [String]] = [:]
        for round in 0..<5 {
            let server = try ServerProcess(arguments)
            let client = server.connect()
            if round == 0 {
                let answer = try client.send(
                    "PUT", "photos", query: [("notification", "")], body: Self.configuration[...])
                #expect(answer?.status == 200)
            }
            for number in 0..<20 {
                let key = "key-\(number % 4)"
                if number % 5 == 4, expected[key]?.last.map({ $0 != "removed" }) == true {
                    #expect(try client.send("DELETE", "photos/\(key)")?.status == 204)
                    expected[key, default: []].append("removed")
                } else {
                    let body = Array("\(round) \(number)".utf8)
                    #expect(try client.send("PUT", "photos/\(key)", body: body[...])?.status == 200)
                    expected[key, default: []].append(String(body.quotedETag.dropFirst().dropLast()))
                }
            }
            server.child.send(SIGKILL)
            #expect(try server.child.wait().end == .signal(SIGKILL))
        }
        receiver.open()
        // Killed once more while it delivers: what was on its way comes twice at most.
        let server = try ServerProcess(arguments)
        receiver.messages { $0.count >= 10 }
        server.child.send(SIGKILL)
        #expect(try server.child.wait().end == .signal(SIGKILL))
        let last = try ServerProcess(arguments)
        let count = expected.values.reduce(0) { $0 + $1.count }
        let messages = receiver.messages { Set($0.map(\.text)).count == count + 1 }
        for (key, facts) in expected {
            var got: [String] = []
            for fact in Self.facts(messages, of: key) where got.last != fact { got.append(fact) }
            #expect(got == facts, "\(key)")
        }
        #expect(messages.count <= count + 2)
        #expect(try last.stop() == .code(0))
    }

    @Test func `ends promptly on a signal while a receiver keeps it waiting`() throws {
        let silence = LoopbackPort()
        silence.open()
        let folder = TemporaryFolder()
        let server = try ServerProcess([
            "--data", folder.path + "/data", "--bucket", "photos", "--webhook",
            "thumbs=http://127.0.0.1:\(silence.number)/events",
        ])
        let client = server.connect()
        #expect(
            try client.send("PUT", "photos", query: [("notification", "")], body: Self.configuration[...])?.status
                == 200)
        #expect(silence.seesConnection())
        server.child.send(SIGTERM)
        // The receiver would be given fifteen seconds for its answer.
        let (end, _) = try server.child.wait(milliseconds: 10_000)
        withExtendedLifetime(silence) { #expect(end == .code(0)) }
    }
}

extension LoopbackPort {
    /// Whether somebody connects within twenty seconds, who then never hears a word.
    fileprivate func seesConnection() -> Bool {
        var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&waiting, 1, 20_000) == 1
    }
}
