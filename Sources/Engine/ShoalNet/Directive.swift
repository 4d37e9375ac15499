import ShoalHTTP

/// What the service wants done next with a connection.
package enum Directive {
    /// Go on with the next exchange: after a response, or after `opened`.
    case proceed
    /// Take the body, or more of it. `100 Continue` is sent before the first byte if the client waits for it.
    case receiveBody
    /// Answer. What is unread of the body makes this the last exchange of the connection.
    case respond(HTTPResponse)
    /// Go on sending the answer after a pause.
    case sendOn
    /// Neither read nor write until `ConnectionHandle.resume` is called.
    case suspend
    /// Neither read nor write for a while.
    case wait(Duration, then: () -> Directive)
    /// Neither read nor write until the peer gives up.
    case hang
    /// End the connection in order: send what is due, then FIN, then drop what still comes.
    case close
    /// End the connection with a RST, once the peer's kernel has everything that was sent.
    case reset
}
