import CShoalSystem
import Dispatch
import Glibc
import ShoalHTTP
import ShoalNet
import ShoalWire
import Synchronization
import Testing

/// Strikes at one count of body bytes.
final class BodyStop: TrialExchange {
    var stop: UInt64? = 5
    var directive = Directive.reset

    override var bodyPause: UInt64? { stop }

    override func reachedBodyPause() -> Directive {
        #expect(UInt64(byteCount) == stop)
        stop = nil
        return directive
    }
}

/// Answers `payload` and strikes at one place of it.
final class ResponseStop: TrialExchange {
    var stop: ResponsePause?
    var directive = Directive.sendOn
    var payload: HTTPResponse.Body = .none

    override var responsePause: ResponsePause? { stop }

    override func bodyEnded() -> Directive { .respond(HTTPResponse(.ok, body: payload)) }

    override func reachedResponsePause() -> Directive {
        stop = nil
        return directive
    }
}

struct OpenFile: FileSlice {
    private let descriptor: Int32
    let byteCount: UInt64

    /// A file without a name, full of `bytes`.
    init(_ bytes: [UInt8]) {
        let file = shoal_open("/tmp", O_RDWR | 0o20200000, 0o600)
        precondition(bytes.withUnsafeBytes { pwrite(file, $0.baseAddress, $0.count, 0) } == bytes.count)
        (descriptor, byteCount) = (file, UInt64(bytes.count))
    }

    func run(at position: UInt64) -> FileRun {
        FileRun(descriptor: descriptor, offset: position, byteCount: byteCount - position)
    }
}

@Suite struct `An exchange on the wire` {
    static let head = "PUT /a HTTP/1.1\r\nHost: h\r\nContent-Length: 10\r\n\r\n"

    static func server(
        _ bounds: ConnectionBounds = ConnectionBounds(),
        _ make: @escaping @Sendable (RequestHead, TrialService) -> any Exchange
    ) throws -> (TrialServer, TrialService) {
        let box = Mutex<TrialService?>(nil)
        let service = TrialService(script: { head in box.withLock { $0 }.map { make(head, $0) } })
        box.withLock { $0 = service }
        return (try TrialServer(service, bounds: bounds), service)
    }

    @Test(arguments: [1, 5, 10])
    func `stops after exactly so many body bytes and resets`(count: Int) throws {
        let (server, _) = try Self.server { head, service in
            let exchange = BodyStop(head, service: service)
            exchange.stop = UInt64(count)
            return exchange
        }
        let client = WireClient(port: server.port)
        client.send(Self.head + "0123456789")
        let (bytes, end) = client.receive()
        #expect(bytes.isEmpty)
        #expect(end == .reset)
    }

    @Test func `ends with a FIN while the client still sends`() throws {
        let (server, service) = try Self.server { head, service in
            let exchange = BodyStop(head, service: service)
            exchange.directive = .close
            return exchange
        }
        let client = WireClient(port: server.port)
        client.send("PUT /a HTTP/1.1\r\nHost: h\r\nContent-Length: 4000000\r\n\r\n")
        #expect(client.send([UInt8](repeating: 1, count: 4_000_000)))
        let (bytes, end) = client.receive()
        #expect(bytes.isEmpty)
        #expect(end == .fin)
        #expect(service.losses.withLock { $0 }.count <= 1)
    }

    @Test func `falls silent and notices that the client leaves`() throws {
        let (server, service) = try Self.server { head, service in
            let exchange = BodyStop(head, service: service)
            exchange.directive = .hang
            return exchange
        }
        var client: WireClient? = WireClient(port: server.port)
        client?.send(Self.head + "0123456789")
        #expect(client?.receive(milliseconds: 100).end == .silence)
        client = nil
        server.server.stop()
        #expect(service.ends.withLock { $0 } == [.finByPeer] || service.ends.withLock { $0 } == [.resetByPeer])
    }

    @Test(arguments: [0, 1, 123_457, 900_000])
    func `sends exactly so many bytes of the answer before it resets or closes`(count: Int) throws {
        let payload = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
        let file = OpenFile(payload)
        for (body, expected) in [
            (HTTPResponse.Body.bytes(payload), WireClient.End.reset), (.file(file), .reset), (.bytes(payload), .fin),
            (.file(file), .fin),
        ] {
            let (server, _) = try Self.server { head, service in
                let exchange = ResponseStop(head, service: service)
                exchange.payload = body
                exchange.stop = count == 0 ? .afterHead : .afterBodyBytes(UInt64(count))
                exchange.directive = expected == .reset ? .reset : .close
                return exchange
            }
            let client = WireClient(port: server.port)
            client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
            let (bytes, end) = client.receive()
            let headEnd = "HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n".utf8.count
            #expect(bytes.count == headEnd + count)
            #expect(bytes.dropFirst(headEnd).elementsEqual(payload[..<count]))
            #expect(end == expected)
        }
    }

    @Test func `goes on after a pause and delivers the whole answer to a slow reader`() throws {
        let payload = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 11) }
        let file = OpenFile(payload)
        let (server, _) = try Self.server { head, service in
            let exchange = ResponseStop(head, service: service)
            exchange.payload = .file(file)
            exchange.stop = .afterBodyBytes(1_234_567)
            return exchange
        }
        let client = WireClient(port: server.port)
        for _ in 0..<2 {
            client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
            #expect(client.receiveResponse()?.body == payload)
        }
    }

    @Test func `delivers an early refusal to a client that is still sending`() throws {
        let (server, _) = try Self.server { head, service in
            final class Refuser: TrialExchange {
                override func begin() -> Directive { .respond(HTTPResponse(.forbidden)) }
            }
            return Refuser(head, service: service)
        }
        let client = WireClient(port: server.port)
        client.send("PUT /a HTTP/1.1\r\nHost: h\r\nContent-Length: 16777216\r\n\r\n")
        #expect(client.send([UInt8](repeating: 7, count: 16 << 20)))
        let (bytes, end) = client.receive()
        #expect(statuses(in: bytes) == [403])
        #expect(end == .fin)
    }

    @Test func `sends 100 Continue before the body of a client that waits for it`() throws {
        let (server, _) = try Self.server { TrialExchange($0, service: $1) }
        let client = WireClient(port: server.port)
        client.send("PUT /a HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\n")
        #expect(client.receiveResponse()?.status == 100)
        client.send("abc")
        #expect(client.receiveResponse()?.text == "3")
    }

    @Test func `resumes from another thread, and drops what comes for a connection that is gone`() throws {
        let handles = Mutex<[ConnectionHandle]>([])
        final class Suspender: TrialExchange {
            override func begin() -> Directive { .suspend }
        }
        let box = Mutex<TrialService?>(nil)
        let service = TrialService(
            script: { head in box.withLock { $0 }.map { Suspender(head, service: $0) } },
            opening: { handle in
                handles.withLock { $0.append(handle) }
                return .proceed
            })
        box.withLock { $0 = service }
        let server = try TrialServer(service)
        let client = WireClient(port: server.port)
        client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(client.receive(milliseconds: 50).end == .silence)
        let handle = try #require(handles.withLock { $0.first })
        handle.resume { .respond(HTTPResponse(.accepted)) }
        #expect(client.receiveResponse()?.status == 202)
        // Nothing is suspended now: this one is dropped.
        handle.resume { .respond(HTTPResponse(.ok)) }
        let dropped = DispatchSemaphore(value: 0)
        server.server.run(on: handle.lane) { dropped.signal() }
        dropped.wait()
        client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(client.receive(milliseconds: 50).end == .silence)
    }

    @Test func `ends a head that dribbles in, at its absolute deadline`() throws {
        var bounds = ConnectionBounds()
        bounds.head = .milliseconds(120)
        let server = try TrialServer(TrialService(), bounds: bounds)
        let client = WireClient(port: server.port)
        var end = WireClient.End.silence
        for byte in Array("GET / HTTP/1.1\r\nHost: h\r\nX-Slow: aaaaaaaaaaaaaaaaaaaaaaaaaaa".utf8) where end == .silence
        {
            client.send([byte])
            end = client.receive(milliseconds: 20).end
        }
        #expect(end == .fin || end == .reset)
    }

    @Test func `tells the exchange that a body stalls`() throws {
        var bounds = ConnectionBounds()
        bounds.bodyProgress = .milliseconds(50)
        let (server, service) = try Self.server(bounds) { TrialExchange($0, service: $1) }
        let client = WireClient(port: server.port)
        client.send(Self.head + "012")
        #expect(client.receiveResponse()?.status == 400)
        #expect(service.cuts.withLock { $0 } == [.stalled])
    }

    @Test func `serves others while a thousand uploads are half sent`() throws {
        let (server, _) = try Self.server { TrialExchange($0, service: $1) }
        let uploads = (0..<1_000).map { _ in
            let client = WireClient(port: server.port)
            client.send(
                "PUT /a HTTP/1.1\r\nHost: h\r\nContent-Length: 2000\r\n\r\n" + String(repeating: "a", count: 1_000))
            return client
        }
        let other = WireClient(port: server.port)
        other.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(other.receiveResponse()?.status == 200)
        for upload in uploads { upload.send(String(repeating: "b", count: 1_000)) }
        for upload in uploads { #expect(upload.receiveResponse()?.text == "2000") }
    }

    @Test func `refuses an upload without a reset, though the client closed its side behind it`() throws {
        let (server, _) = try Self.server { head, service in
            final class Refusing: TrialExchange {
                override func begin() -> Directive { .wait(.milliseconds(50)) { .respond(HTTPResponse(.forbidden)) } }
            }
            return Refusing(head, service: service)
        }
        let client = WireClient(port: server.port)
        client.send("PUT /a HTTP/1.1\r\nHost: h\r\nContent-Length: 500000\r\n\r\n")
        client.send([UInt8](repeating: 1, count: 500_000))
        client.finishSending()
        let (bytes, end) = client.receive()
        #expect(statuses(in: bytes) == [403])
        #expect(end == .fin)
    }

    @Test func `is let go by a loop that has ended, whoever still answers it`() throws {
        final class Answer: Sendable {}
        let connections = Mutex<[ConnectionHandle]>([])
        let service = TrialService(
            opening: { connection in
                connections.withLock { $0.append(connection) }
                return .proceed
            })
        let server = try TrialServer(service)
        let client = WireClient(port: server.port)
        client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(client.receiveResponse()?.status == 200)
        server.server.stop(grace: .zero)
        var answer: Answer? = Answer()
        weak let weakAnswer = answer
        let connection = try #require(connections.withLock { $0.first })
        connection.resume { [answer] in withExtendedLifetime(answer) { .proceed } }
        answer = nil
        #expect(weakAnswer == nil)
    }

    @Test func `finishes what is in flight when the server stops`() throws {
        let (server, _) = try Self.server { head, service in
            final class Slow: TrialExchange {
                override func begin() -> Directive { .wait(.milliseconds(100)) { .respond(HTTPResponse(.ok)) } }
            }
            return Slow(head, service: service)
        }
        let client = WireClient(port: server.port)
        client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(client.receive(milliseconds: 20).end == .silence)
        server.server.stop()
        let (bytes, end) = client.receive()
        #expect(statuses(in: bytes) == [200])
        #expect(end == .fin)
    }
}
