import ShoalHTTPClient
import ShoalLog
import ShoalNet
import ShoalS3
import ShoalStore
import Synchronization

/// Delivers the messages of one webhook, on a thread of its own: at least once, those of one key in the order of commits.
///
/// A message leaves the outbox after the receiver has answered 2xx, or when it is older than `messageAgeMax`. What waits
/// stays on the disk; memory holds a page of it and the keys that are held up.
final class WebhookCourier: Sendable {
    /// 24 hours, by the scope's clock; milliseconds.
    static let messageAgeMax: Int64 = 24 * 60 * 60 * 1_000
    /// Messages read at a time.
    static let pageCount = 32

    let webhook: Webhook
    private let bell: WakeUp
    private let isStopping = Atomic(false)
    private let forgets = Atomic(false)
    private let counts = Mutex(WebhookStatus())
    private let thread = Mutex<Thread?>(nil)

    init(_ webhook: Webhook, in directory: String) throws(StoreError) {
        self.webhook = webhook
        bell = try WakeUp(in: directory)
    }

    var status: WebhookStatus { counts.withLock { $0 } }

    func start(_ office: PostOffice) {
        thread.withLock { thread in
            thread = Thread(name: "shoal-webhook") { [self] in
                var rounds = DeliveryRounds(self, office)
                while mayGoOn { bell.wait(milliseconds: rounds.run().map { Int32(clamping: max(1, $0)) }) }
            }
        }
    }

    /// Lets the thread look for new messages.
    func ring() { bell.signal() }

    /// Lets the thread forget which messages it tried, and how long they wait.
    func forget() {
        forgets.store(true, ordering: .releasing)
        bell.signal()
    }

    /// Whether to forget; once.
    func takeForgetting() -> Bool { forgets.exchange(false, ordering: .acquiringAndReleasing) }

    /// Breaks off what is under way, within a second or so, and waits for the thread's end.
    func stop() {
        isStopping.store(true, ordering: .releasing)
        bell.signal()
        thread.withLock { $0.take() }?.join()
    }

    var mayGoOn: Bool { !isStopping.load(ordering: .acquiring) }

    func note(_ change: (inout WebhookStatus) -> Void) { counts.withLock { change(&$0) } }
}

/// What couriers need of the server.
struct PostOffice: Sendable {
    let store: any ObjectStore
    let log: Log
    /// Writes a line into the journal.
    let note: @Sendable (String) -> Void
    /// The scope's time.
    let now: @Sendable () -> Timestamp
}

/// The courier's work, round by round. Not Sendable: it belongs to the courier's thread.
private struct DeliveryRounds {
    private let courier: WebhookCourier
    private let office: PostOffice
    private var schedule = DeliverySchedule<OutboxEntry.Position>()
    private var post: WebhookPost

    /// The wait before the store is asked again after it failed; milliseconds.
    private static let storeWait: UInt64 = 1_000

    init(_ courier: WebhookCourier, _ office: PostOffice) {
        self.courier = courier
        self.office = office
        post = WebhookPost(courier.webhook)
    }

    private var clock: UInt64 { SystemClock.monotonicNanoseconds() / 1_000_000 }

    /// Tries everything that is due; after how many milliseconds more will be, nil if only something new will be.
    mutating func run() -> UInt64? {
        if courier.takeForgetting() { schedule = DeliverySchedule() }
        do throws(StoreError) {
            while courier.mayGoOn, !schedule.isPaused(at: clock) {
                if let due = schedule.due(at: clock) {
                    try retry(due.subject, due.position)
                } else if try !readOn() {
                    break
                }
            }
        } catch {
            guard error != .closed else { return nil }
            office.log.warning("the outbox", ["webhook": courier.webhook.name, "cause": "\(error)"])
            return Self.storeWait
        }
        return schedule.rest(at: clock)
    }

    private mutating func retry(_ subject: [UInt8], _ position: OutboxEntry.Position) throws(StoreError) {
        guard let entry = try office.store.outboxEntry(at: position, of: courier.webhook.name) else {
            // A reset has emptied the outbox.
            return schedule.settle(position, of: subject)
        }
        try attempt(entry)
    }

    /// Tries a page of further messages; false if there are none, or no more may wait.
    private mutating func readOn() throws(StoreError) -> Bool {
        guard schedule.hasRoom else { return false }
        let page = try office.store.outbox(
            of: courier.webhook.name, after: schedule.scanned, limit: WebhookCourier.pageCount)
        for entry in page {
            guard courier.mayGoOn, !schedule.isPaused(at: clock), schedule.hasRoom else { return true }
            if schedule.isWaiting(entry.message.subject) {
                schedule.pass(entry.position)
            } else {
                try attempt(entry)
            }
        }
        return !page.isEmpty
    }

    private mutating func attempt(_ entry: OutboxEntry) throws(StoreError) {
        let (position, subject) = (entry.position, entry.message.subject)
        guard office.now().milliseconds - entry.message.created.milliseconds <= WebhookCourier.messageAgeMax else {
            try office.store.removeFromOutbox(position, of: courier.webhook.name)
            schedule.settle(position, of: subject)
            return tellExpiry()
        }
        switch post.send(entry.message.body, isCancelled: { [courier] in !courier.mayGoOn }) {
        case .delivered:
            try office.store.removeFromOutbox(position, of: courier.webhook.name)
            schedule.deliver(position, of: subject)
            tellDelivery()
        case .refused(let text):
            tellFailure(text, attempt: schedule.refuse(position, of: subject, at: clock))
        case .lost(let text):
            guard courier.mayGoOn else { return }
            tellFailure(text, attempt: schedule.lose(position, of: subject, at: clock))
        case .unreachable(let text):
            tellFailure(text, attempt: schedule.pause(at: clock))
        }
    }
}

// MARK: - What is told of it

extension DeliveryRounds {
    private var name: String { courier.webhook.name }

    private func tellDelivery() {
        var isRecovery = false
        courier.note { status in
            status.deliveredCount += 1
            isRecovery = status.isFailing
            status.isFailing = false
        }
        if isRecovery { office.log.info("the webhook takes events again", ["webhook": name]) }
    }

    /// The journal gets every failure, the log only what is new: no second attempt, and no event behind another that failed.
    private func tellFailure(_ text: String, attempt: Int) {
        var isNews = false
        courier.note { status in
            status.failureCount += 1
            status.lastError = (text, office.now())
            isNews = attempt == 1 && !status.isFailing
            status.isFailing = status.isFailing || isNews
        }
        office.note("webhook \(name): \(text), attempt \(attempt)")
        if isNews { office.log.warning("the webhook takes no events", ["webhook": name, "cause": text]) }
    }

    private func tellExpiry() {
        courier.note { $0.expiredCount += 1 }
        office.note("webhook \(name): an event of more than 24 hours was given up")
        office.log.warning("an event of more than 24 hours was given up", ["webhook": name])
    }
}
