import ShoalHTTP
import ShoalSeeded
import Testing

@Suite(.timeLimit(.minutes(1))) struct `Bytes changed at random` {
    private static let heads = [
        headText(),
        "\r\n" + headText("PUT /b/k?partNumber=1&uploadId=a HTTP/1.1", ["Content-Length: 12", "Expect: 100-continue"]),
        headText("POST http://h:9000/b?delete HTTP/1.1", ["Transfer-Encoding: chunked", "Connection: close, a"]),
        headText("GET /b/é HTTP/1.0", ["x-amz-meta-a: 1", "X-Amz-Meta-A:\t2 \t", "empty:"]) + "GET / HTTP/1.1\r\n",
    ]

    @Test(arguments: UInt64(1)...4)
    func `are the same head or the same refusal whole and in pieces`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var tally = (heads: 0, refused: 0, incomplete: 0)
        for _ in 0..<2_000 {
            let bytes = Array(Self.heads.randomElement(using: &random)!.utf8).mutated(using: &random)
            let whole = HeadOutcome(bytes)
            let ends = bytes.cuts(using: &random) + [bytes.count]
            #expect(HeadOutcome(bytes, arrivingUpTo: ends) == whole, "\(text(bytes).debugDescription) up to \(ends)")
            switch whole {
            case .head(let facts):
                tally.heads += 1
                Self.check(facts, of: bytes)
            case .refused(let refusal):
                tally.refused += 1
                #expect(refusal.status.code >= 400)
            case .incomplete: tally.incomplete += 1
            }
        }
        #expect(tally.heads > 0 && tally.refused > 0 && tally.incomplete > 0)
    }

    /// What is accepted can be read in one way only: each line ends with CRLF, and no CR, LF or NUL stands elsewhere.
    private static func check(_ facts: HeadOutcome.Facts, of bytes: [UInt8]) {
        #expect(bytes[..<facts.byteCount].suffix(facts.bytes.count) == facts.bytes[...])
        #expect(facts.bytes.suffix(4) == Array("\r\n\r\n".utf8)[...])
        let returns = facts.bytes.indices.filter { facts.bytes[$0] == 13 }
        let lineFeeds = facts.bytes.indices.filter { facts.bytes[$0] == 10 }
        #expect(returns.map { $0 + 1 } == lineFeeds)
        #expect(lineFeeds.count == facts.fields.count + 2)
        #expect(!facts.bytes.contains(0))
        for field in facts.fields {
            #expect(!field[0].isEmpty)
            #expect(field[1].first != 32 && field[1].first != 9 && field[1].last != 32 && field[1].last != 9)
        }
    }

    @Test(arguments: UInt64(1)...4)
    func `are the same payload or the same refusal whole and in pieces`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var tally = (ended: 0, refused: 0, incomplete: 0)
        for _ in 0..<2_000 {
            let (body, payload) = Self.chunkedBody(using: &random)
            let good = ChunkedOutcome(body, cutAt: body.cuts(using: &random))
            #expect(good.payload == payload)
            #expect(good.end == .ended(byteCount: body.count))

            let bytes = body.mutated(using: &random)
            let whole = ChunkedOutcome(bytes)
            let cuts = bytes.cuts(using: &random)
            #expect(ChunkedOutcome(bytes, cutAt: cuts) == whole, "\(text(bytes).debugDescription) cut at \(cuts)")
            switch whole.end {
            case .ended(let byteCount):
                tally.ended += 1
                #expect(bytes[..<byteCount].suffix(2) == [13, 10])
                #expect(whole.payload.count + 5 <= byteCount)
            case .refused(let refusal):
                tally.refused += 1
                #expect(refusal.status == .badRequest)
            case .incomplete: tally.incomplete += 1
            }
        }
        #expect(tally.ended > 0 && tally.refused > 0 && tally.incomplete > 0)
    }

    /// A well-formed body of up to five chunks, with the payload it carries.
    private static func chunkedBody(using random: inout SeededGenerator) -> (body: [UInt8], payload: [UInt8]) {
        var (body, payload): ([UInt8], [UInt8]) = ([], [])
        for _ in 0..<Int.random(in: 0...5, using: &random) {
            let chunk = (0..<Int.random(in: 1...20, using: &random)).map { _ in
                UInt8.random(in: .min ... .max, using: &random)
            }
            let size = String(chunk.count, radix: 16, uppercase: Bool.random(using: &random))
            let end = ["\r\n", ";a=b\r\n", ";chunk-signature=0f;x\r\n"].randomElement(using: &random)!
            body += Array((size + end).utf8) + chunk + Array("\r\n".utf8)
            payload += chunk
        }
        body += Array(["0\r\n\r\n", "0;a\r\n\r\n", "0\r\na: b\r\nc:\r\n\r\n"].randomElement(using: &random)!.utf8)
        return (body, payload)
    }
}
