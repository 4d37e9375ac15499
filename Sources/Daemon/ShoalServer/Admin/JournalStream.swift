import ShoalFaults
import ShoalHTTP
import ShoalNet

/// Follows the journal as server-sent events: one `data:` line for each event, its number as `id:`.
/// https://html.spec.whatwg.org/multipage/server-sent-events.html
///
/// `@unchecked Sendable`: touched on the loop of its connection only; the journal calls back through
/// `ConnectionHandle.resume`.
final class JournalStream: Exchange, @unchecked Sendable {
    private let connection: ConnectionHandle
    private let world: World
    private var next: UInt64
    private var waiter: Journal.Waiter?

    /// A comment at least so often tells a client that left from one that waits.
    private static let heartbeat = Duration.seconds(15)
    private static let batchCountMax = 512

    init(_ connection: ConnectionHandle, _ world: World, since: UInt64) {
        self.connection = connection
        self.world = world
        next = since
    }

    func begin() -> Directive {
        var response = HTTPResponse(.ok)
        response.add("Content-Type", "text/event-stream")
        response.add("Cache-Control", "no-store")
        response.length = .omitted
        response.endsConnection = true
        return .respond(response)
    }

    func responseSent() -> Directive {
        if let waiter { world.journal.cancel(waiter) }
        waiter = nil
        let page = world.journal.read(scope: world.journalScope, since: next, limit: Self.batchCountMax)
        next = page.next
        guard page.events.isEmpty else { return .send(Self.messages(page.events)) }
        let connection = connection
        waiter = world.journal.whenAppended(since: next, scope: world.journalScope) {
            connection.resume { self.responseSent() }
        }
        return .wait(Self.heartbeat) { .send(Array(":\n\n".utf8)) }
    }

    private static func messages(_ events: [JournalEvent]) -> [UInt8] {
        var text: [UInt8] = []
        for event in events {
            text += Array("id: \(event.seq)\ndata: ".utf8)
            event.appendJSON(to: &text)
            while text.last == UInt8(ascii: "\n") { text.removeLast() }
            text += Array("\n\n".utf8)
        }
        return text
    }

    func serverStops() -> Directive? { .proceed }

    func lost(_ end: ConnectionEnd, sentByteCount: UInt64) {
        if let waiter { world.journal.cancel(waiter) }
    }

    var bodyPause: UInt64? { nil }
    var responsePause: ResponsePause? { nil }
    func reachedBodyPause() -> Directive { .receiveBody }
    func receive(_ bytes: UnsafeRawBufferPointer) -> Directive { .receiveBody }
    func bodyEnded() -> Directive { .suspend }
    func bodyCut(_ cut: BodyCut) -> Directive { .close }
    func reachedResponsePause() -> Directive { .sendOn }
}
