import ShoalProcess
import ShoalSeeded
import ShoalWire

/// One client of a bucket with versions: it puts, covers and removes versions of its own keys until the server is gone.
final class VersionWriter {
    struct Version: Equatable {
        let id: String
        /// Nil for a delete marker.
        let body: [UInt8]?
    }

    /// What was asked for and not answered.
    private enum Open {
        case nothing
        /// A write, or a marker if nil.
        case adding([UInt8]?)
        case removing(String)
    }

    private static let keyCount = 4

    private let bucket: String
    private let keys: [String]
    /// Of each key, latest first.
    private var versions: [String: [Version]] = [:]
    private var open: [String: Open] = [:]
    private var random: SeededGenerator

    init(_ number: Int, bucket: String, seed: UInt64) {
        self.bucket = bucket
        keys = (0..<Self.keyCount).map { "writer-\(number)/key \($0)" }
        random = SeededGenerator(seed: seed)
    }

    /// Changes keys until the connection ends; `turn` tells whether the exchange that comes is the server's last, and
    /// `kill` kills it there.
    func run(_ client: S3Client, turn: () -> Bool, kill: () -> Void) throws {
        while true {
            let key = keys.randomElement(using: &random)!
            let path = "\(bucket)/\(key)"
            let victim = versions[key]?.randomElement(using: &random)
            var (head, body): ([UInt8], [UInt8]) = ([], [])
            switch (Int.random(in: 0..<10, using: &random), victim) {
            case (0..<2, let victim?):
                open[key] = .removing(victim.id)
                head = try client.head("DELETE", path, query: [("versionId", victim.id)], bodyByteCount: 0)
            case (2..<4, _):
                open[key] = .adding(nil)
                head = try client.head("DELETE", path, bodyByteCount: 0)
            default:
                body = random.bytes([0, 10, 3_000, 300_000].randomElement(using: &random)!)
                open[key] = .adding(body)
                head = try client.head("PUT", path, bodyByteCount: body.count)
            }
            let request = head + body
            guard !turn() else {
                client.wire.send(Array(request.prefix(Int.random(in: 0...request.count, using: &random))))
                return kill()
            }
            guard client.wire.send(request), let answer = client.wire.receiveResponse() else { return }
            try acknowledge(key, answer)
        }
    }

    private func acknowledge(_ key: String, _ answer: WireResponse) throws {
        guard answer.status == 200 || answer.status == 204 else {
            throw Surprise("\(key): \(answer.status) \(answer.text)")
        }
        switch open[key] {
        case .adding(let body)?:
            guard let id = answer["x-amz-version-id"] else { throw Surprise("\(key): no version") }
            versions[key, default: []].insert(Version(id: id, body: body), at: 0)
        case .removing(let id)?: versions[key]?.removeAll { $0.id == id }
        case .nothing?, nil: break
        }
        open[key] = .nothing
    }

    /// Every version that was acknowledged is there with its bytes and in its place, and none that was removed; holds what
    /// is found for acknowledged from now on.
    func verify(_ client: S3Client) throws {
        for key in keys {
            let found = try self.found(key, client)
            let known = versions[key] ?? []
            let isAllowed =
                switch open[key] {
                case .adding(let body)?:
                    found == known || (found.dropFirst().elementsEqual(known) && found.first?.body == body)
                case .removing(let id)?: found == known || found == known.filter { $0.id != id }
                case .nothing?, nil: found == known
                }
            guard isAllowed else {
                throw Surprise("\(key): found \(found.map(\.id)), acknowledged \(known.map(\.id))")
            }
            (versions[key], open[key]) = (found, .nothing)
        }
    }

    private func found(_ key: String, _ client: S3Client) throws -> [Version] {
        let list = try client.send("GET", bucket, query: [("versions", ""), ("prefix", key)])
        guard let list, list.status == 200 else { throw Surprise("\(key): no listing") }
        return try list.text.split(separator: "<VersionId>").dropFirst().map { piece in
            let id = String(piece.prefix { $0 != "<" })
            let answer = try client.send("GET", "\(bucket)/\(key)", query: [("versionId", id)])
            guard let answer, answer.status == 200 || answer.status == 405 else {
                throw Surprise("\(key) \(id): \(answer?.status ?? 0)")
            }
            return Version(id: id, body: answer.status == 405 ? nil : answer.body)
        }
    }
}
