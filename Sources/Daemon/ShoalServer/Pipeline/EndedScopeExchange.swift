import ShoalHTTP
import ShoalNet
import ShoalS3

/// A request on a connection that outlived the scope whose port it came by: nobody's, and refused.
final class EndedScopeExchange: Exchange {
    private let head: RequestHead
    private let world: World

    init(_ head: RequestHead, in world: World) {
        self.head = head
        self.world = world
    }

    func begin() -> Directive {
        let identifiers = world.requestIDs.next()
        let error = S3Error(.serviceUnavailable, "The scope of this port has ended.")
        var response = HTTPResponse(error.status, body: .bytes(error.document(identifiers)))
        response.addCommonFields(identifiers, now: world.now)
        response.add("Content-Type", "application/xml")
        response.endsConnection = true
        if head.method == .head { response.dropBody(isVersion1_0: head.isVersion1_0) }
        return .respond(response)
    }

    func receive(_ bytes: UnsafeRawBufferPointer) -> Directive { .close }

    func bodyEnded() -> Directive { .close }

    func bodyCut(_ cut: BodyCut) -> Directive { .close }

    var bodyPause: UInt64? { nil }

    func reachedBodyPause() -> Directive { .close }

    var responsePause: ResponsePause? { nil }

    func reachedResponsePause() -> Directive { .sendOn }

    func responseSent() -> Directive { .close }

    func lost(_ end: ConnectionEnd, sentByteCount: UInt64) {}
}
