import ShoalHTTP
import ShoalTLS

/// What the service wants done next with a connection.
package enum Directive {
    /// Go on with the next exchange: after a response, or after `opened`.
    case proceed
    /// Take the body, or more of it. `100 Continue` is sent before the first byte if the client waits for it.
    case receiveBody
    /// Take the body without `100 Continue`, which is sent only if nothing has come after so long; nil for never.
    case receiveBodyUnasked(continueAfter: Duration?)
    /// Answer. What is unread of the body makes this the last exchange of the connection.
    case respond(HTTPResponse)
    /// Let what is left of the exchange go at a pace, and go on; nil leaves a direction as it is.
    case pace(input: Pacer.Rhythm?, output: Pacer.Rhythm?, then: () -> Directive)
    /// Go on sending the answer after a pause.
    case sendOn
    /// Send bytes as they are, behind a response whose length was left open; `responseSent()` is asked again.
    case send([UInt8])
    /// Neither read nor write until `ConnectionHandle.resume` is called.
    case suspend
    /// Neither read nor write for a while, or until `ConnectionHandle.resume` is called.
    case wait(Duration, then: () -> Directive)
    /// Neither read nor write until the peer gives up.
    case hang
    /// Write nothing, and drop what comes, until the peer gives up.
    case blackhole
    /// Send FIN and drop what comes, until the peer closes its side too.
    case halfClose
    /// Take nothing more of the request, as though the peer had closed its side, and go on.
    case closeInput(then: () -> Directive)
    /// Go on with the next exchange, and close in order if none has begun after so long.
    case park(Duration)
    /// End the connection in order: send what is due, then FIN, then drop what still comes.
    case close
    /// Show the client this, whomever it asked for, and go on; in answer to a ClientHello.
    case present(TLSIdentity, then: () -> Directive)
    /// Refuse a ClientHello with a fatal alert of that number, then FIN.
    case refuse(alert: UInt8)
    /// As `.close`, but without the close_notify of TLS.
    case truncate
    /// End the connection as it is: with a FIN, or with a RST if bytes of the peer are unread.
    case abandon
    /// End the connection with a RST, once the peer's kernel has everything that was sent.
    case reset
}
