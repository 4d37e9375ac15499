import ShoalHTTP
import ShoalNet
import ShoalWire
import Testing

@Suite struct `A pacer` {
    static let second: UInt64 = 1_000_000_000

    /// Lets all go that may, for so long; the bytes that went, by the time at which they did.
    static func run(_ rhythm: Pacer.Rhythm, _ byteCount: UInt64, from start: UInt64 = 5) -> [(time: UInt64, UInt64)] {
        var pacer = Pacer(rhythm, at: start)
        var (now, left) = (start, byteCount)
        var steps: [(UInt64, UInt64)] = []
        while left > 0, steps.count < 10_000 {
            switch pacer.allowance(at: now, remaining: left) {
            case .wait(let end):
                #expect(end > now)
                now = end
            case .bytes(let count):
                #expect(count > 0)
                let went = min(count, left)
                pacer.went(went)
                left -= went
                steps.append((now - start, went))
            }
        }
        return steps
    }

    typealias Rates = [(UInt64, UInt64, UInt64)]
    typealias Pieces = [(UInt64, UInt64, [UInt64])]

    @Test(arguments: [(1_000, 100, 2_100), (1, 1, 5), (1_000_000, 1_000_000, 3_000_000), (7, 3, 20)] as Rates)
    func `never lets more go than its rate and one burst`(rate: UInt64, burst: UInt64, byteCount: UInt64) throws {
        var sum: UInt64 = 0
        for (time, count) in Self.run(.rate(bytesPerSecond: rate, burst: burst), byteCount) {
            sum += count
            #expect(Double(sum) <= Double(burst) + Double(rate) * Double(time) / Double(Self.second) + 0.001)
        }
        #expect(sum == byteCount)
    }

    @Test func `does not wait longer than its rate wants`() throws {
        let last = try #require(Self.run(.rate(bytesPerSecond: 1_000, burst: 100), 2_100).last)
        #expect((2 * Self.second...2 * Self.second + 1_000).contains(last.time))
    }

    @Test(arguments: [(5, 103, [21, 21, 21, 21, 19]), (2, 1, [1]), (4, 4, [1, 1, 1, 1])] as Pieces)
    func `deals out pieces of one size, the last when the time is over`(
        count: UInt64, byteCount: UInt64, sizes: [UInt64]
    ) {
        let steps = Self.run(.pieces(count, over: .seconds(1)), byteCount)
        #expect(steps.map(\.1) == sizes)
        #expect(steps.map(\.time) == sizes.indices.map { UInt64($0) * ((Self.second + count - 2) / (count - 1)) })
    }

    @Test func `lets all go in its turns and nothing in between`() {
        var pacer = Pacer(.turns(on: .seconds(2), off: .seconds(3)), at: 0)
        #expect(pacer.allowance(at: 0, remaining: 9) == .bytes(.max))
        #expect(pacer.allowance(at: 2 * Self.second - 1, remaining: 9) == .bytes(.max))
        #expect(pacer.allowance(at: 2 * Self.second, remaining: 9) == .wait(until: 5 * Self.second))
        #expect(pacer.allowance(at: 4 * Self.second, remaining: 9) == .wait(until: 5 * Self.second))
        #expect(pacer.allowance(at: 5 * Self.second, remaining: 9) == .bytes(.max))
    }
}

@Suite struct `A connection that is paced` {
    private final class Paced: TrialExchange {
        override func begin() -> Directive {
            .pace(input: .rate(bytesPerSecond: 100_000, burst: 1_000), output: nil) { super.begin() }
        }
    }

    @Test(arguments: [
        "Content-Length: 16000\r\n\r\n" + String(repeating: "x", count: 16_000),
        "Transfer-Encoding: chunked\r\n\r\n"
            + String(repeating: "1f40\r\n" + String(repeating: "x", count: 8_000) + "\r\n", count: 2) + "0\r\n\r\n",
    ])
    func `takes a body slowly, whole, and in any framing`(body: String) throws {
        let (server, _) = try `An exchange on the wire`.server { head, service in Paced(head, service: service) }
        let client = WireClient(port: server.port)
        let start = ContinuousClock.now
        client.send("PUT / HTTP/1.1\r\nHost: h\r\n" + body)
        #expect(client.receiveResponse()?.text == "16000")
        #expect(ContinuousClock.now - start >= .milliseconds(150))
    }

    /// A FIN is told by the kernel as long as nobody has read up to it.
    @Test func `notices at the end of the pace that its peer has left in the middle`() throws {
        let (server, service) = try `An exchange on the wire`.server { head, service in Paced(head, service: service) }
        let client = WireClient(port: server.port)
        client.send("PUT / HTTP/1.1\r\nHost: h\r\nContent-Length: 9000\r\n\r\n" + String(repeating: "x", count: 6_000))
        client.finishSending()
        #expect(client.receiveResponse()?.status == 400)
        #expect(service.cuts.withLock { $0 } == [.closedByPeer])
        // Fifty times is what the pace wants; a loop that does not sleep comes to many thousands.
        #expect(service.turnCount.load(ordering: .relaxed) < 500)
    }
}
