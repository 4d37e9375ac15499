import ShoalFaults
import ShoalHTTP
import ShoalS3
import Synchronization

/// The monotonic clock of a story.
private final class StoryClock: Sendable {
    private let nanoseconds = Atomic<UInt64>(0)

    var time: UInt64 {
        get { nanoseconds.load(ordering: .acquiring) }
        set { nanoseconds.store(newValue, ordering: .releasing) }
    }
}

/// What a client did, told in milliseconds and written into a journal with the events the server writes.
final class Story {
    let journal: Journal
    let scope = JournalScope("t")
    private let clock = StoryClock()
    private var lastConnection: UInt64 = 0
    var facts = StoreFacts()
    var plan = FaultPlan()

    init(eventCountMax: Int = 65_536) {
        var bounds = Journal.Bounds()
        bounds.eventCountMax = eventCountMax
        journal = Journal(
            bounds: bounds,
            clock: Journal.Clock(
                wallMilliseconds: { 1_770_091_506_789 }, monotonicNanoseconds: { [clock] in clock.time }))
    }

    /// One exchange and how it went.
    struct Exchange {
        var operation = S3Operation.putObject
        var key: String? = "a.jpg"
        var at = 0
        var length = 10
        var name: String?
        var signature: String?
        var connection: UInt64?
        var ordinal: UInt32 = 1
        var part: UInt32?
        var upload: String?
        var byteCount: UInt64 = 5
        var bodyIsCut = false
        /// The content's name; nil if nothing is committed.
        var stores: String?
        var repeats = false
        /// Nil if no answer leaves.
        var status: Int? = 200
        var code: S3Error.Code?
        var retryAfter: UInt32?
        var isExpired = false
        /// `(rule, point, action)`
        var fault: (rule: String, point: FaultPoint, action: String)?
        var isConditional = false
        var asksForChecksum = false
        /// Never ends.
        var isOpen = false
    }

    func add(_ change: (inout Exchange) -> Void) {
        var exchange = Exchange()
        change(&exchange)
        add(exchange)
    }

    private func add(_ exchange: Exchange) {
        lastConnection = exchange.connection ?? lastConnection + 1
        var trace = ExchangeTrace(scope: scope, connection: lastConnection, exchange: exchange.ordinal)
        let identity = identity(of: exchange)
        trace.identify(identity)
        let start = Self.nanoseconds(exchange.at)
        let end = Self.nanoseconds(exchange.at + exchange.length)
        trace.record(.requestHead(head(of: exchange, identity)), at: start)
        if exchange.fault?.point != .requestHead {
            trace.record(.auth(.init(exchange.code == .accessDenied ? .refused : .accepted, scopeTime: 0)), at: start)
        }
        let takesBody = exchange.operation.isWrite && exchange.byteCount > 0
        if takesBody, exchange.code != .accessDenied {
            trace.record(
                .body(.init(bytes: exchange.byteCount, firstAt: start, lastAt: start, isCut: exchange.bodyIsCut)),
                at: start + 1)
        }
        if let content = exchange.stores {
            trace.record(
                .store(.init(exchange.repeats ? .repeated : .committed, size: exchange.byteCount, etag: content)),
                at: start + (end - start) / 2)
        }
        let striking = exchange.fault.map {
            JournalEvent.Kind.fault(.init(rule: $0.rule, point: $0.point, action: $0.action))
        }
        if let striking { trace.record(striking, at: start + (end - start) / 2) }
        if let status = exchange.status {
            let answer = JournalEvent.ResponseHead(
                HTTPStatus(status), code: exchange.code, retryAfter: exchange.retryAfter, isExpired: exchange.isExpired)
            trace.record(.responseHead(answer), at: end)
            trace.record(.responseEnd(bytes: 0), at: end + 1)
        } else if !exchange.isOpen {
            trace.record(.connectionClosed(.init(by: striking == nil ? .peer : .shoal, .rst, sentBytes: 0)), at: end)
        }
        journal.publish(&trace)
    }

    private func identity(of exchange: Exchange) -> OperationIdentity {
        if let name = exchange.name { return OperationIdentity(header: Array(name.utf8)[...]) }
        if let signature = exchange.signature { return OperationIdentity(signature: Array(signature.utf8)[...]) }
        return OperationIdentity(
            operation: exchange.operation, bucket: Array("photos".utf8)[...],
            key: exchange.key.map { Array($0.utf8)[...] },
            uploadID: exchange.upload.map { Array($0.utf8)[...] }, partNumber: exchange.part.map(UInt64.init))
    }

    private func head(of exchange: Exchange, _ identity: OperationIdentity) -> JournalEvent.RequestHead {
        JournalEvent.RequestHead(
            method: exchange.operation.isRead ? "GET" : "PUT", operation: exchange.operation, bucket: "photos",
            key: exchange.key.flatMap { ObjectKey($0.utf8) }, contentLength: exchange.byteCount,
            isPresigned: exchange.signature != nil, isConnectionReused: exchange.ordinal > 1,
            partNumber: exchange.part, uploadID: exchange.upload.map { Array($0.utf8) },
            signatureHash: exchange.name == nil
                ? nil : exchange.signature.map { OperationIdentity(signature: Array($0.utf8)[...]).hash },
            isConditional: exchange.isConditional, asksForChecksum: exchange.asksForChecksum)
    }

    /// The test's own line in the journal.
    func note(_ text: String, at milliseconds: Int) {
        clock.time = Self.nanoseconds(milliseconds)
        journal.append(.note(text), in: scope)
    }

    /// Puts rules in force; those with an id in `struck` have struck once.
    func rules(_ lines: String..., struck: String...) throws {
        for line in lines {
            let rule = try FaultRule(line: line)
            let id = try plan.add(rule)
            journal.append(.ruleAdded(id: id, line: rule.line, seed: nil), in: scope)
        }
        for id in struck {
            let point = try plan.status(of: id).rule.site.point
            _ = plan.begin(TestRequest())?.strike(at: point)
        }
    }

    static func nanoseconds(_ milliseconds: Int) -> UInt64 { UInt64(milliseconds + 1_000) * 1_000_000 }

    var history: JournalHistory {
        let page = journal.read(scope: scope, since: 0, limit: 100_000)
        return JournalHistory(page.events, isComplete: page.isComplete)
    }

    /// `now` in milliseconds.
    func verdict(_ lines: String..., now: Int = 100_000, allFired: Bool = false) throws -> JournalVerdict {
        Verifier(history, facts: facts, rules: plan.list(), now: Self.nanoseconds(now))
            .verdict(on: try lines.map { try Check(line: $0) }, allFired: allFired)
    }
}
