import ShoalHTTP

/// The life of one connection as a value: an event goes in, what to do next comes out. It opens no socket and knows no
/// time; the loop carries out its actions and reports what came of them.
package struct ConnectionMachine: Sendable, Equatable {
    package enum State: Equatable, Sendable {
        /// Accepted; the service has not said yet what to do.
        case opening
        /// TLS is being agreed on. Edges: `.opening` (a hello has come, or it is finished), `.sending` (plain HTTP came),
        /// `.lingering` (failed), `.closed`.
        case handshaking
        /// Between two exchanges. Edges: `.head`, `.lingering` (parked for long enough), `.closed`.
        case idle
        /// Part of a head has come. Edges: `.deciding` (from its first line back here by `.idle`), `.sending` (refused),
        /// `.closed`.
        case head
        /// The exchange owes a directive. Edges: every state but `.idle` and `.head`.
        case deciding
        /// Taking the body. Edges: `.deciding`.
        case body
        /// Sending the answer. Edges: `.deciding` (paused), `.idle`, `.lingering`, `.closed`.
        case sending
        /// FIN was sent; input is dropped so that the peer can read the answer. Edge: `.closed`.
        case lingering
        /// Nothing moves until the peer leaves. Edge: `.closed`.
        case hanging
        /// Nothing is sent, and input is dropped until the peer leaves. Edge: `.closed`.
        case absorbing
        /// What was sent drains before the reset. Edge: `.closed`.
        case resetting
        case closed
    }

    package enum Event: Equatable, Sendable {
        case accepted
        /// A ClientHello has come. Comes once.
        case hello
        /// The handshake is finished.
        case secured
        case handshakeFailed
        /// Bytes came while idle.
        case input
        /// The service wants to hear of the request line, which has come.
        case lineComplete
        case headComplete(BodyFraming, expectsContinue: Bool, keepsAlive: Bool)
        case headRefused
        case proceed
        /// The exchange wants the body; `hasInput` if bytes of it are here already.
        case receiveBody(hasInput: Bool)
        /// `100 Continue` is not due any more.
        case withholdContinue
        case bodyBytes(UInt64)
        /// The last chunk of a chunked body was taken.
        case lastChunk
        /// `ends`: nothing may follow this answer on the connection.
        case respond(ends: Bool)
        case sendOn
        case suspend
        case hang
        case blackhole
        case halfClose
        /// Nothing more is taken of the request.
        case closeInput
        /// As `.proceed`, but the connection closes in order if it stays idle until its deadline.
        case park
        case close
        case reset
        /// Close without a look at what is unread.
        case leave
        /// Reset at once, whatever the connection does.
        case drop
        case responseSent
        /// The peer's side is closed.
        case peerFinished
        /// The socket is dead.
        case peerReset
        case deadline
        /// The server stops: what is in flight may finish.
        case stop
        /// The server ends now.
        case abandon
    }

    package enum Action: Equatable, Sendable {
        case none
        /// Ask the service what to do with the new connection.
        case askOpened
        /// Begin, or go on, with the handshake.
        case handshake
        /// Ask the service what to do about the hello.
        case askHello
        /// Ask the service what to do now that the handshake is finished.
        case askSecured
        /// Look for a head: in what is here already, then on the socket.
        case readHead
        /// Ask the exchange to begin.
        case askBegin
        /// Take body bytes: what is here already, then from the socket.
        case readBody
        /// The same after `100 Continue`.
        case sendContinueAndReadBody
        /// `100 Continue` for a body of no bytes: a client that asked waits for it, or for something it takes for it.
        case sendContinueAndAskBodyEnded
        case askBodyEnded
        case askBodyCut(BodyCut)
        /// Send the answer; `closes` tells whether it announces the end of the connection.
        case send(closes: Bool)
        case sendOn
        case askResponseSent
        /// Send FIN and drop input.
        case linger
        /// Drop input.
        case absorb
        /// Send FIN and drop input, without a limit.
        case shutOutputAndAbsorb
        /// Wait until the peer's kernel has everything, then reset.
        case drainAndReset
        /// Close; whether that is a FIN or a RST is the kernel's affair.
        case leave
        case close(ConnectionEnd)
        /// A `wait` is over: run its continuation.
        case wake
    }

    package private(set) var state = State.opening
    /// What the peer still owes of the body.
    package private(set) var bodyLeft = BodyFraming.none
    /// Of a port of TLS, until it is agreed on.
    private var awaitsHandshake: Bool
    private var continueIsDue = false
    private var keepsAlive = true
    private var peerIsFinished = false
    private var inputIsClosed = false
    private var outputIsClosed = false
    /// The next deadline of an idle connection is that of `.park`.
    private var isParked = false
    private var isStopping = false
    /// After a `.respond` that came before the body's end, or on a connection that ends with it.
    private var closesAfterResponse = false

    /// `isSecure`: a handshake comes before the first head.
    package init(isSecure: Bool = false) { awaitsHandshake = isSecure }

    package mutating func on(_ event: Event) -> Action {
        switch event {
        case .accepted: return .askOpened
        case .hello:
            state = .opening
            return .askHello
        case .secured:
            (state, awaitsHandshake) = (.opening, false)
            return .askSecured
        case .handshakeFailed: return linger()
        case .peerReset: return end(.resetByPeer)
        case .peerFinished: return peerFinished()
        case .deadline: return deadlinePassed()
        case .stop: return stop()
        case .abandon: return end(.stopped)
        case .proceed: return proceed()
        case .input:
            if state == .idle { state = .head }
            isParked = false
            return .none
        case .lineComplete:
            state = .deciding
            return .none
        case .headComplete(let framing, let expectsContinue, let keepsAlive):
            state = .deciding
            bodyLeft = framing == .length(0) ? .none : framing
            continueIsDue = expectsContinue && framing != .none
            self.keepsAlive = keepsAlive
            return .askBegin
        case .headRefused:
            return respond(ends: true)
        case .receiveBody(let hasInput): return receiveBody(hasInput: hasInput)
        case .withholdContinue:
            continueIsDue = false
            return .none
        case .bodyBytes(let count): return took(count)
        case .lastChunk:
            bodyLeft = .none
            state = .deciding
            return .askBodyEnded
        case .respond(let ends): return respond(ends: ends)
        case .sendOn:
            state = .sending
            return .sendOn
        case .suspend:
            state = .deciding
            return .none
        case .hang:
            state = .hanging
            return peerIsFinished ? end(.finByPeer) : .none
        case .blackhole: return absorb(.absorb)
        case .halfClose:
            outputIsClosed = true
            return absorb(.shutOutputAndAbsorb)
        case .closeInput:
            (inputIsClosed, peerIsFinished) = (true, true)
            return .none
        case .park:
            let action = proceed()
            isParked = state == .idle
            return action
        case .close: return linger()
        case .reset:
            state = .resetting
            return .drainAndReset
        case .leave:
            state = .closed
            return .leave
        case .drop: return end(.reset)
        case .responseSent:
            state = .deciding
            return .askResponseSent
        }
    }
}

// MARK: - Edges

extension ConnectionMachine {
    private mutating func proceed() -> Action {
        // Without unread input a plain close is a FIN: a server that stops need not wait for the peer's.
        if isStopping && bodyLeft == .none { return end(.stopped) }
        if closesAfterResponse || inputIsClosed { return linger() }
        if awaitsHandshake {
            state = .handshaking
            return .handshake
        }
        state = .idle
        return .readHead
    }

    private mutating func receiveBody(hasInput: Bool) -> Action {
        guard bodyLeft != .none else {
            state = .deciding
            defer { continueIsDue = false }
            return continueIsDue && !hasInput ? .sendContinueAndAskBodyEnded : .askBodyEnded
        }
        guard !inputIsClosed else {
            state = .deciding
            return .askBodyCut(.closedByPeer)
        }
        state = .body
        // A 100 after the client has begun to send would only be noise (RFC 9110 §10.1.1).
        let sendsContinue = continueIsDue && !hasInput
        continueIsDue = false
        return sendsContinue ? .sendContinueAndReadBody : .readBody
    }

    private mutating func took(_ count: UInt64) -> Action {
        guard case .length(let left) = bodyLeft else { return .none }
        precondition(count <= left, "more body bytes were taken than the head announced")
        bodyLeft = left == count ? .none : .length(left - count)
        guard bodyLeft == .none else { return .none }
        state = .deciding
        return .askBodyEnded
    }

    private mutating func respond(ends: Bool) -> Action {
        state = .sending
        closesAfterResponse = ends || !keepsAlive || bodyLeft != .none || isStopping || peerIsFinished
        return .send(closes: closesAfterResponse)
    }

    private mutating func absorb(_ action: Action) -> Action {
        state = .absorbing
        return action
    }

    private mutating func linger() -> Action {
        // Also behind a FIN of the peer: bytes it sent before may be unread, and closing on top of them is a RST.
        state = .lingering
        return .linger
    }

    private mutating func peerFinished() -> Action {
        peerIsFinished = true
        switch state {
        case .opening, .handshaking, .idle, .head, .hanging: return end(.finByPeer)
        case .body:
            state = .deciding
            return .askBodyCut(.closedByPeer)
        case .lingering: return end(.fin)
        case .absorbing: return end(outputIsClosed ? .fin : .finByPeer)
        // The client may have closed only its own side and wait for the answer.
        case .deciding, .sending, .resetting, .closed: return .none
        }
    }

    private mutating func deadlinePassed() -> Action {
        switch state {
        case .idle where isParked: return linger()
        case .handshaking, .idle, .head, .lingering, .hanging: return end(.timeout)
        case .body:
            state = .deciding
            return .askBodyCut(.stalled)
        case .sending: return reset()
        case .resetting: return end(.reset)
        case .deciding, .opening: return .wake
        case .absorbing, .closed: return .none
        }
    }

    private mutating func reset() -> Action {
        state = .closed
        return .close(.reset)
    }

    private mutating func stop() -> Action {
        isStopping = true
        switch state {
        case .handshaking, .idle, .head, .opening, .lingering, .hanging, .absorbing: return end(.stopped)
        default: return .none
        }
    }

    private mutating func end(_ how: ConnectionEnd) -> Action {
        guard state != .closed else { return .none }
        state = .closed
        return .close(how)
    }
}
