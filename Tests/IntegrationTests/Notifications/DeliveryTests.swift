import CShoalSystem
import ShoalJSON
import ShoalS3
import ShoalServer
import ShoalWire
import Synchronization
import Testing

@Suite struct `The delivery of events` {
    /// What the admin API says of the one webhook.
    private func state(_ server: TestServer) throws -> JSON {
        try #require(try AdminClient(server).json("GET", "/notifications")["webhooks"]?.first)
    }

    /// Counts down from a number, then stays at zero.
    private final class Countdown: Sendable {
        private let rest: Mutex<Int>

        init(_ count: Int) { rest = Mutex(count) }

        var isOver: Bool { rest.withLock { $0 == 0 } }

        /// False once it has run out.
        func take() -> Bool {
            rest.withLock { rest in
                guard rest > 0 else { return false }
                rest -= 1
                return true
            }
        }
    }

    @Test func `keeps the order of each key, and lets other keys pass one that is refused`() throws {
        let others = Countdown(2)
        let receiver = WireReceiver { message in
            guard message.event?.hasSuffix(" a") == true else {
                if message.event != nil { _ = others.take() }
                return 200
            }
            return others.isOver ? 200 : 503
        }
        let server = try TestServer { $0.webhooks = [Webhook(to: receiver)] }
        let s3 = S3Client(server)
        #expect(try s3.notify().status == 200)
        try s3.put("a", "1")
        try s3.send(S3Call("DELETE", "photos", "a"))
        try s3.put("a", "two")
        for key in ["b", "c"] { try s3.put(key, "x") }
        let messages = receiver.messages { $0.events.count == 5 }
        let ofA = messages.filter { $0.event?.hasSuffix(" a") == true }
        #expect(ofA.first?.status == 503 && ofA.suffix(3).map(\.status) == [200, 200, 200])
        #expect(ofA.dropLast(2).allSatisfy { $0.event == "ObjectCreated:Put a" }, "the others wait behind it")
        #expect(
            messages.events.filter { $0.hasSuffix(" a") } == [
                "ObjectCreated:Put a", "ObjectRemoved:Delete a", "ObjectCreated:Put a",
            ])
        #expect(ofA.last?.record?["s3"]?["object"]?["size"]?.integer == 3)
        #expect(messages.events.prefix(2) == ["ObjectCreated:Put b", "ObjectCreated:Put c"])
    }

    @Test func `starts again when the receiver comes back, and tells meanwhile what is wrong`() throws {
        let receiver = WireReceiver(isOpen: false)
        let server = try TestServer { $0.webhooks = [Webhook(to: receiver, path: "/hush-path?token=hush-query")] }
        let s3 = S3Client(server)
        let admin = AdminClient(server)
        #expect(try s3.notify().status == 200)
        for key in ["a", "b"] { try s3.put(key, "x") }
        let notes = try admin.journal { events in
            events.contains { $0.ev == "note" && $0["text"]?.string?.hasPrefix("webhook thumbs: ") == true }
        }
        #expect(notes.allSatisfy { !$0.text.contains("hush") })
        let waiting = try state(server)
        #expect(waiting["pending"]?.integer == 3 && waiting["delivered"]?.integer == 0)
        #expect((waiting["failures"]?.integer ?? 0) > 0)
        #expect(waiting["lastError"]?.string?.isEmpty == false && waiting["lastErrorAt"]?.string != nil)
        #expect(waiting["url"]?.string == "http://127.0.0.1:\(receiver.port)/hush-path")
        receiver.open()
        #expect(receiver.messages { $0.count == 3 }.events == ["ObjectCreated:Put a", "ObjectCreated:Put b"])
        #expect(server.log.contains("the webhook takes no events webhook=thumbs"))
        #expect(!server.log.contains("hush"))
    }

    @Test func `goes on with the others when one breaks the connection, and comes back to it`() throws {
        let breaks = Countdown(1)
        let receiver = WireReceiver { $0.event == "ObjectCreated:Put a" && breaks.take() ? nil : 200 }
        let server = try TestServer { $0.webhooks = [Webhook(to: receiver)] }
        let s3 = S3Client(server)
        #expect(try s3.notify().status == 200)
        for key in ["a", "b"] { try s3.put(key, "x") }
        let messages = receiver.messages { $0.events.count == 2 }
        #expect(messages.filter { $0.event == "ObjectCreated:Put a" }.map(\.status) == [nil, 200])
        #expect(messages.events.sorted() == ["ObjectCreated:Put a", "ObjectCreated:Put b"])
    }

    @Test func `counts what it delivered, and takes nothing but 2xx for a yes`() throws {
        let answers = Mutex([301, 404, 500, 204])
        let receiver = WireReceiver { _ in answers.withLock { $0.isEmpty ? 200 : $0.removeFirst() } }
        let server = try TestServer { $0.webhooks = [Webhook(to: receiver)] }
        let s3 = S3Client(server)
        #expect(try s3.notify().status == 200)
        #expect(receiver.messages { $0.count == 4 }.map(\.status) == [301, 404, 500, 204])
        try s3.put("a", "x")
        receiver.messages { $0.count == 5 }
        // The event is away once another one of its key arrives.
        try s3.put("a", "x")
        receiver.messages { $0.count == 6 }
        let state = try state(server)
        #expect(state["delivered"]?.integer ?? 0 >= 2 && state["pending"]?.integer ?? 9 <= 1)
        #expect(state["failures"]?.integer == 3 && state["expired"]?.integer == 0)
        #expect(state["lastError"]?.string == "answered 500")
    }

    @Test func `goes on after a restart with what was left`() throws {
        let receiver = WireReceiver(isOpen: false)
        let first = try TestServer { $0.webhooks = [Webhook(to: receiver)] }
        let s3 = S3Client(first)
        #expect(try s3.notify().status == 200)
        for number in 0..<40 { try s3.put("\(number % 3)", "\(number)") }
        first.stop()
        let data = first.data
        let undeclared = try TestServer { $0.storage = .directory(data) }
        let left = try state(undeclared)
        #expect(left["name"]?.string == "thumbs" && left["url"] == nil && left["pending"]?.integer == 41)
        try S3Client(undeclared).put("3", "of this nobody is told")
        undeclared.stop()
        receiver.open()
        let second = try TestServer { options in
            options.storage = .directory(data)
            options.webhooks = [Webhook(to: receiver)]
        }
        let messages = receiver.messages { $0.events.count == 40 }
        for key in 0..<3 {
            let sizes = messages.filter { $0.event == "ObjectCreated:Put \(key)" }
                .compactMap { $0.record?["s3"]?["object"]?["sequencer"]?.string }
            #expect(sizes == sizes.sorted())
        }
        #expect(messages.count == 41)
        try S3Client(second).put("4", "x")
        #expect(receiver.messages { $0.count == 42 }.last?.event == "ObjectCreated:Put 4")
    }

    @Test func `gives up what is older than a day by the server's clock`() throws {
        let receiver = WireReceiver(isOpen: false)
        let server = try TestServer { $0.webhooks = [Webhook(to: receiver)] }
        let s3 = S3Client(server)
        let admin = AdminClient(server)
        #expect(try s3.notify().status == 200)
        try s3.put("old", "x")
        try admin.json("PUT", "/clock", #"{"advance":"24h1m"}"#)
        let later = Timestamp(milliseconds: S3Client.now.milliseconds + 86_460_000)
        #expect(try s3.send(S3Call("PUT", "photos", "new", body: "x"), at: later).status == 200)
        receiver.open()
        #expect(receiver.messages { $0.count == 1 }.map(\.event) == ["ObjectCreated:Put new"])
        #expect(try state(server)["expired"]?.integer == 2)
    }

    @Test func `keeps each webhook's events to itself`() throws {
        let (up, down) = (WireReceiver(), WireReceiver(isOpen: false))
        let server = try TestServer { $0.webhooks = [Webhook("up", to: up), Webhook("down", to: down)] }
        let s3 = S3Client(server)
        let targets = [
            NotificationXML(arn: "arn:aws:sqs:us-east-1:000000000000:down", id: "1", events: ["s3:ObjectCreated:*"]),
            NotificationXML(arn: "arn:aws:sqs:us-east-1:000000000000:up", id: "2", events: ["s3:ObjectRemoved:*"]),
        ]
        #expect(try s3.notify(targets).status == 200)
        for key in ["a", "b"] {
            try s3.put(key, "x")
            try s3.send(S3Call("DELETE", "photos", key))
        }
        #expect(up.messages { $0.events.count >= 2 }.events == ["ObjectRemoved:Delete a", "ObjectRemoved:Delete b"])
        down.open()
        #expect(down.messages { $0.events.count >= 2 }.events == ["ObjectCreated:Put a", "ObjectCreated:Put b"])
    }

    @Test func `is over with a reset`() throws {
        let receiver = WireReceiver(isOpen: false)
        let server = try TestServer { $0.webhooks = [Webhook(to: receiver)] }
        let s3 = S3Client(server)
        #expect(try s3.notify().status == 200)
        try s3.put("a", "x")
        try AdminClient(server).json("POST", "/reset")
        #expect(try state(server)["pending"]?.integer == 0)
        receiver.open()
        #expect(try s3.notify().status == 200)
        try s3.put("b", "x")
        #expect(receiver.messages { $0.events.count == 1 }.events == ["ObjectCreated:Put b"])
    }
}
