import Glibc
import ShoalProcess
import ShoalSeeded
import ShoalWire

/// Bodies with known content that cost nothing to make: stretches of one random block.
struct Content: Sendable {
    private static let byteCountMax = 700 * 1024
    private let block: [UInt8]

    init(_ random: inout SeededGenerator) {
        var block: [UInt8] = []
        block.reserveCapacity(2 * Self.byteCountMax)
        while block.count < 2 * Self.byteCountMax {
            withUnsafeBytes(of: random.next()) { block.append(contentsOf: $0) }
        }
        self.block = block
    }

    func body(_ random: inout SeededGenerator) -> ArraySlice<UInt8> {
        // Both ways to store a body, and the empty one, come often.
        let byteCountMax = [0, 2_000, 100_000, 300_000, Self.byteCountMax].randomElement(using: &random)!
        let start = Int.random(in: 0..<Self.byteCountMax, using: &random)
        return block[start..<(start + Int.random(in: 0...byteCountMax, using: &random))]
    }
}

/// What a client knows of one key: what was acknowledged last, and what was asked for since then without an answer.
struct KeyHistory {
    /// Nil is no object.
    var acknowledged: ArraySlice<UInt8>?
    /// The outer nil is that nothing is open.
    var unanswered: ArraySlice<UInt8>??

    /// Whether a server that lost nothing may show this.
    func allows(_ found: ArraySlice<UInt8>?) -> Bool {
        if Self.isSame(found, acknowledged) { return true }
        guard let unanswered else { return false }
        return Self.isSame(found, unanswered)
    }

    private static func isSame(_ left: ArraySlice<UInt8>?, _ right: ArraySlice<UInt8>?) -> Bool {
        switch (left, right) {
        case (nil, nil): true
        case (let left?, let right?): Array(left).isSame(as: right)
        default: false
        }
    }
}

/// One client that puts, overwrites and deletes its own keys until the server is gone.
final class Writer {
    static let keyCount = 8

    /// Where in its exchange the server dies, when it is this writer's turn to kill it.
    enum Moment: CaseIterable {
        case betweenExchanges, insideHead, insideBody, beforeAnswer
    }

    let bucket: String
    let keys: [String]
    private(set) var histories: [String: KeyHistory] = [:]
    private var random: SeededGenerator
    private let content: Content

    init(_ number: Int, bucket: String, content: Content, seed: UInt64) {
        self.bucket = bucket
        self.content = content
        keys = (0..<Self.keyCount).map { "writer-\(number)/key \($0)" }
        random = SeededGenerator(seed: seed)
        for key in keys { histories[key] = KeyHistory() }
    }

    /// Writes until the connection ends. `turn` is called before each exchange and tells whether this one is to be the
    /// server's last; `kill` kills it.
    func run(_ client: S3Client, turn: () -> Bool, kill: () -> Void) throws {
        while true {
            let key = keys.randomElement(using: &random)!
            let body: ArraySlice<UInt8>? = Int.random(in: 0..<5, using: &random) == 0 ? nil : content.body(&random)
            let isInParts = body != nil && Int.random(in: 0..<4, using: &random) == 0
            guard let (request, headByteCount) = try lastRequest(key, body, isInParts, client) else { return }
            guard !turn() else { return die(key, body, request, headByteCount, client, kill) }
            histories[key]!.unanswered = .some(body)
            guard client.wire.send(request), let response = client.wire.receiveResponse() else { return }
            try acknowledge(key, body, response)
        }
    }

    /// The request that changes the key: a PUT, a DELETE, or the completion of an upload in two parts, which is begun here.
    /// Nil if the connection ends before that.
    private func lastRequest(
        _ key: String, _ body: ArraySlice<UInt8>?, _ isInParts: Bool, _ client: S3Client
    ) throws -> (request: [UInt8], headByteCount: Int)? {
        let path = "\(bucket)/\(key)"
        guard isInParts, let body else {
            let head = try client.head(body == nil ? "DELETE" : "PUT", path, bodyByteCount: body?.count ?? 0)
            return (head + (body ?? []), head.count)
        }
        guard let begun = try client.send("POST", path, query: [("uploads", "")]) else { return nil }
        guard let start = begun.text.firstRange(of: "<UploadId>") else { throw Surprise("\(key): \(begun.text)") }
        let upload = String(begun.text[start.upperBound...].prefix { $0 != "<" })
        // The first of two is the one that is left out.
        for (number, part) in [(1, body.prefix(10)), (2, body)] {
            let query = [("partNumber", "\(number)"), ("uploadId", upload)]
            guard let answer = try client.send("PUT", path, query: query, body: part) else { return nil }
            guard answer.status == 200 else {
                throw Surprise("\(key): part \(number): \(answer.status) \(answer.text)")
            }
        }
        let list =
            "<CompleteMultipartUpload><Part><PartNumber>2</PartNumber><ETag>\(Array(body).quotedETag)</ETag></Part>"
            + "</CompleteMultipartUpload>"
        let head = try client.head("POST", path, query: [("uploadId", upload)], bodyByteCount: list.utf8.count)
        return (head + Array(list.utf8), head.count)
    }

    private func acknowledge(_ key: String, _ body: ArraySlice<UInt8>?, _ response: WireResponse) throws {
        guard response.status == (body == nil ? 204 : 200) else {
            throw Surprise("\(key): \(response.status) \(response.text)")
        }
        // The answer to a completion tells it in its document.
        if let body, let etag = response["ETag"], etag != Array(body).quotedETag {
            throw Surprise("\(key): a wrong ETag")
        }
        histories[key] = KeyHistory(acknowledged: body)
    }

    private func die(
        _ key: String, _ body: ArraySlice<UInt8>?, _ request: [UInt8], _ headByteCount: Int, _ client: S3Client,
        _ kill: () -> Void
    ) {
        let moment = Moment.allCases.randomElement(using: &random)!
        let sent =
            switch moment {
            case .betweenExchanges: 0
            case .insideHead: Int.random(in: 1..<headByteCount, using: &random)
            case .insideBody: Int.random(in: headByteCount...request.count, using: &random)
            case .beforeAnswer: request.count
            }
        if sent >= headByteCount { histories[key]!.unanswered = .some(body) }
        client.wire.send(Array(request[..<sent]))
        kill()
    }

    /// Reads every key back, and holds what is found for acknowledged from now on.
    func verify(_ client: S3Client) throws {
        for key in keys {
            guard let response = try client.send("GET", "\(bucket)/\(key)") else { throw Surprise("\(key): no answer") }
            let found: ArraySlice<UInt8>? = response.status == 404 ? nil : response.body[...]
            guard found == nil || response.status == 200 else { throw Surprise("\(key): \(response.status)") }
            if let found, ![Array(found).quotedETag, Array(found).quotedETagOfOnePart].contains(response["ETag"]) {
                throw Surprise("\(key): bytes and ETag differ")
            }
            guard histories[key]!.allows(found) else { throw Surprise("\(key): \(account(key, found))") }
            histories[key] = KeyHistory(acknowledged: found)
        }
    }

    private func account(_ key: String, _ found: ArraySlice<UInt8>?) -> String {
        func name(_ body: ArraySlice<UInt8>?) -> String {
            body.map { "\($0.count) bytes \(Array($0).quotedETag)" } ?? "none"
        }
        let history = histories[key]!
        return "found \(name(found)), acknowledged \(name(history.acknowledged)), unanswered "
            + (history.unanswered.map(name) ?? "nothing")
    }
}

/// The server did what it must not.
struct Surprise: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
