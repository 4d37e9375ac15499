import ShoalHTTP
import ShoalNet
import Synchronization

/// Reads every body and answers 200 with its length: the least that exercises the engine.
final class TrialService: HTTPService {
    /// What the exchange with this target does instead, by its first path segment.
    typealias Script = @Sendable (RequestHead) -> (any Exchange)?

    let script: Script
    let ends = Mutex<[ConnectionEnd]>([])
    let losses = Mutex<[UInt64]>([])
    let cuts = Mutex<[BodyCut]>([])
    /// Turns of all loops together.
    let turnCount = Atomic(0)
    let opening: @Sendable (ConnectionHandle) -> Directive

    init(
        script: @escaping Script = { _ in nil },
        opening: @escaping @Sendable (ConnectionHandle) -> Directive = { _ in .proceed }
    ) {
        self.script = script
        self.opening = opening
    }

    func opened(_ connection: ConnectionHandle) -> Directive { opening(connection) }

    func exchange(for head: RequestHead, on connection: ConnectionHandle, ordinal: Int) -> any Exchange {
        script(head) ?? TrialExchange(head, service: self)
    }

    func answer(to refusal: HeadRefusal, on connection: ConnectionHandle) -> HTTPResponse {
        HTTPResponse(refusal.status, body: .bytes(Array(refusal.reason.utf8)))
    }

    func turnEnded(lane: Int) { turnCount.wrappingAdd(1, ordering: .relaxed) }

    func closed(_ connection: ConnectionHandle, _ end: ConnectionEnd, after history: ConnectionHistory) {
        ends.withLock { $0.append(end) }
    }
}

/// An exchange whose steps a test can replace.
class TrialExchange: Exchange {
    let head: RequestHead
    let service: TrialService
    var byteCount = 0

    init(_ head: RequestHead, service: TrialService) {
        self.head = head
        self.service = service
    }

    var bodyPause: UInt64? { nil }
    var responsePause: ResponsePause? { nil }

    func begin() -> Directive {
        if head.method == .put && head.framing == .none {
            var response = HTTPResponse(.lengthRequired)
            response.endsConnection = true
            return .respond(response)
        }
        return .receiveBody
    }

    func reachedBodyPause() -> Directive { .receiveBody }

    func receive(_ bytes: UnsafeRawBufferPointer) -> Directive {
        byteCount += bytes.count
        return .receiveBody
    }

    func bodyEnded() -> Directive { .respond(HTTPResponse(.ok, body: .bytes(Array(String(byteCount).utf8)))) }

    func bodyCut(_ cut: BodyCut) -> Directive {
        service.cuts.withLock { $0.append(cut) }
        guard case .malformed(let refusal) = cut else { return .respond(HTTPResponse(.badRequest)) }
        return .respond(service.answer(to: refusal))
    }

    func reachedResponsePause() -> Directive { .sendOn }

    func responseSent() -> Directive { .proceed }

    func lost(_ end: ConnectionEnd, sentByteCount: UInt64) { service.losses.withLock { $0.append(sentByteCount) } }
}

extension TrialService {
    func answer(to refusal: HeadRefusal) -> HTTPResponse {
        HTTPResponse(refusal.status, body: .bytes(Array(refusal.reason.utf8)))
    }
}

/// A running engine on a free port, stopped when it goes out of scope.
final class TrialServer {
    let server: HTTPServer
    let port: UInt16

    init(_ service: TrialService, bounds: ConnectionBounds = ConnectionBounds()) throws {
        server = HTTPServer(service: service, bounds: bounds, loopCount: 2)
        let socket = try ListeningSocket(host: "127.0.0.1", port: 0)
        port = socket.port
        server.accept(on: socket, warn: { _ in })
    }

    deinit { server.stop(grace: .zero) }
}
