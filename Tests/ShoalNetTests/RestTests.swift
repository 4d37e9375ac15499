import Dispatch
import ShoalHTTP
import ShoalNet
import ShoalWire
import Synchronization
import Testing

@Suite struct `A connection at rest` {
    /// A file whose end of use can be waited for.
    private final class WatchedFile: FileSlice {
        let file: OpenFile
        let letGo: DispatchSemaphore

        init(_ bytes: [UInt8], _ letGo: DispatchSemaphore) {
            file = OpenFile(bytes)
            self.letGo = letGo
        }

        deinit { letGo.signal() }

        var byteCount: UInt64 { file.byteCount }

        func run(at position: UInt64) -> FileRun { file.run(at: position) }
    }

    @Test(arguments: [100, 100_000])
    func `holds nothing of the answer it sent`(byteCount: Int) throws {
        let letGo = DispatchSemaphore(value: 0)
        let (server, _) = try `An exchange on the wire`.server { head, service in
            let exchange = ResponseStop(head, service: service)
            exchange.payload = .file(WatchedFile([UInt8](repeating: 7, count: byteCount), letGo))
            return exchange
        }
        let client = WireClient(port: server.port)
        client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(client.receiveResponse()?.body.count == byteCount)
        #expect(letGo.wait(timeout: .now() + .seconds(5)) == .success)
    }

    /// Counts what its loop does while it waits in the middle of an answer.
    private final class Pausing: TrialExchange {
        var stop: ResponsePause? = .afterBodyBytes(8 << 20)
        let turnCount: @Sendable (Int) -> Void

        init(_ head: RequestHead, service: TrialService, turnCount: @escaping @Sendable (Int) -> Void) {
            self.turnCount = turnCount
            super.init(head, service: service)
        }

        override var responsePause: ResponsePause? { stop }

        override func bodyEnded() -> Directive {
            .respond(HTTPResponse(.ok, body: .bytes([UInt8](repeating: 7, count: 9 << 20))))
        }

        override func reachedResponsePause() -> Directive {
            stop = nil
            let before = service.turnCount.load(ordering: .relaxed)
            return .wait(.milliseconds(100)) { [self] in
                turnCount(service.turnCount.load(ordering: .relaxed) - before)
                return .sendOn
            }
        }
    }

    @Test func `lets its loop sleep, though the socket could take more of the answer`() throws {
        let turns = Mutex<Int?>(nil)
        let (server, _) = try `An exchange on the wire`.server { head, service in
            Pausing(head, service: service) { count in turns.withLock { $0 = count } }
        }
        let client = WireClient(port: server.port)
        client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(client.receiveResponse()?.body.count == 9 << 20)
        #expect(try #require(turns.withLock { $0 }) < 50)
    }
}
