import ShoalHTTP
import ShoalTLS

/// What serves the exchanges of all connections. Its methods are called on event loops and must not wait.
package protocol HTTPService: AnyObject, Sendable {
    /// A connection was accepted and nothing was read from it. `.proceed` is the usual answer; anything that ends or
    /// delays the connection is followed too.
    func opened(_ connection: ConnectionHandle) -> Directive

    /// A ClientHello was read and nothing was answered. As `opened`.
    func helloCame(_ hello: TLSHello, on connection: ConnectionHandle) -> Directive

    /// The handshake is finished, and no byte of HTTP was read. As `opened`.
    func secured(_ agreement: TLSAgreement, on connection: ConnectionHandle) -> Directive

    /// There will be no TLS; the connection ends.
    func handshakeFailed(_ failure: HandshakeFailure, on connection: ConnectionHandle)

    /// The answer to a request that came without TLS on a port of TLS. The connection closes after it.
    func answerToPlainRequest(on connection: ConnectionHandle) -> HTTPResponse

    /// Whether anybody wants to hear of request lines before their head is complete. Asked for each request, on the loop.
    var meetsRequestLines: Bool { get }

    /// The first line of a request has come: a head without header lines. `.proceed` goes on with them; anything that ends
    /// or delays the connection is followed too. `ordinal` is that of the exchange to come.
    func requestLine(_ line: RequestHead, on connection: ConnectionHandle, ordinal: Int) -> Directive

    /// A request head is complete; the exchange's `begin()` follows.
    /// `ordinal` counts the exchanges of the connection from 1.
    func exchange(for head: RequestHead, on connection: ConnectionHandle, ordinal: Int) -> any Exchange

    /// The answer to bytes that are no HTTP/1.1 request head. The connection closes after it.
    func answer(to refusal: HeadRefusal, on connection: ConnectionHandle) -> HTTPResponse

    /// The loop has handled everything that was ready: work gathered during the turn can be done in one go.
    func turnEnded(lane: Int)

    /// The connection is gone.
    func closed(_ connection: ConnectionHandle, _ end: ConnectionEnd, after history: ConnectionHistory)
}

extension HTTPService {
    package func helloCame(_ hello: TLSHello, on connection: ConnectionHandle) -> Directive { .proceed }

    package func secured(_ agreement: TLSAgreement, on connection: ConnectionHandle) -> Directive { .proceed }

    package func handshakeFailed(_ failure: HandshakeFailure, on connection: ConnectionHandle) {}

    package func answerToPlainRequest(on connection: ConnectionHandle) -> HTTPResponse {
        var response = HTTPResponse(.badRequest, body: .bytes(Array("This port speaks TLS: use https://\n".utf8)))
        response.add("Content-Type", "text/plain")
        return response
    }

    package var meetsRequestLines: Bool { false }

    package func requestLine(_ line: RequestHead, on connection: ConnectionHandle, ordinal: Int) -> Directive {
        .proceed
    }
}

/// One request and its answer. Owned by the loop of its connection and touched by no other thread.
package protocol Exchange: AnyObject {
    /// The head is complete; no byte of the body was taken and no `100 Continue` sent.
    func begin() -> Directive

    /// The next count of body bytes, as they stand on the wire without transfer coding, at which `reachedBodyPause()` is
    /// asked. Not more bytes than that are taken before.
    var bodyPause: UInt64? { get }
    func reachedBodyPause() -> Directive

    /// Where the next bytes of the body should be put; nil for memory of the loop, which is used again after `receive`.
    var bodyBuffer: UnsafeMutableRawBufferPointer? { get }

    /// The next bytes of the body; `.receiveBody` asks for more.
    func receive(_ bytes: UnsafeRawBufferPointer) -> Directive

    /// The last byte of the body was taken.
    func bodyEnded() -> Directive

    /// The body will not be completed.
    func bodyCut(_ cut: BodyCut) -> Directive

    /// Where the sending of the answer stops to ask `reachedResponsePause()`; `.sendOn` goes on.
    var responsePause: ResponsePause? { get }
    func reachedResponsePause() -> Directive

    /// The head of an answer that has a `responsePause` was written and has so many bytes; none of them has left.
    func responseHeadWritten(byteCount: Int)

    /// The kernel has taken the last byte of the answer; `.proceed` goes on with the next exchange.
    func responseSent() -> Directive

    /// The answer is sent and the connection is kept; nil lets it wait for the next request. `.proceed` and `.park`, when
    /// they come of what is given instead, lead here once more.
    func parked() -> Directive?

    /// The server stops while the exchange waits or is suspended. One that would go on for as long as the client likes
    /// ends now; nil lets it finish within the grace.
    func serverStops() -> Directive?

    /// The connection ended before the answer was sent whole. `sentByteCount` counts head and body.
    func lost(_ end: ConnectionEnd, sentByteCount: UInt64)
}

extension Exchange {
    package var bodyBuffer: UnsafeMutableRawBufferPointer? { nil }

    package func parked() -> Directive? { nil }

    package func responseHeadWritten(byteCount: Int) {}

    package func serverStops() -> Directive? { nil }
}

/// Why a request body ends early.
package enum BodyCut: Sendable, Equatable {
    /// The client closed its side; it may still read an answer.
    case closedByPeer
    /// No byte came for `ConnectionBounds.bodyProgress`.
    case stalled
    /// The transfer coding is broken.
    case malformed(HeadRefusal)
}

package enum ResponsePause: Sendable, Equatable {
    /// When exactly so many bytes of the head were sent.
    case afterHeadBytes(Int)
    /// When the whole head was sent and no byte of the body.
    case afterHead
    /// When exactly so many bytes of the body were sent.
    case afterBodyBytes(UInt64)
}

/// What a connection served until its end.
package struct ConnectionHistory: Sendable, Equatable {
    /// Exchanges begun.
    package let exchangeCount: Int
    /// The last one was under way, and has heard of the end by `lost`.
    package let lostExchange: Bool
}

/// How a connection ended.
package enum ConnectionEnd: String, Sendable, Equatable {
    /// The peer closed it in order.
    case finByPeer = "fin by peer"
    /// The peer, or the network, reset it.
    case resetByPeer = "reset by peer"
    /// Closed here in order, with a FIN.
    case fin
    /// Reset here.
    case reset
    /// A deadline passed.
    case timeout
    /// The server stops.
    case stopped
}
