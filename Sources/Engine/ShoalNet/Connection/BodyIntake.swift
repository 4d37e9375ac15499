import CShoalSystem
import Glibc
import ShoalHTTP

/// How far the body of the current exchange has come.
struct BodyIntake {
    /// Bytes the exchange has seen, without transfer coding.
    var taken: UInt64 = 0
    var chunks = ChunkedDecoder()
    /// Bytes at the start of the window that are known to be payload of a chunk.
    var chunkRun = 0
    /// When a `100 Continue` that was withheld is sent after all, in monotonic nanoseconds; nil for never.
    var continueTime: UInt64?
}

extension Connection {
    /// What the socket has while a body is awaited, bounded by the turn's budget.
    func receiveBody() {
        var budget = ConnectionBounds.turnByteCountMax
        while machine.state == .body, budget > 0 {
            guard let allowance = inputAllowance() else { return }
            let space = bodySpace()
            let wanted = min(budget, bodyReadLimit(), space.count, allowance)
            let count = take(into: space.baseAddress, wanted)
            guard count > 0 else { return receivedNothing(count) }
            budget -= count
            input.add(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(space)[..<count]))
            run(takeBody())
            input.keep()
            if count < wanted { return }
        }
    }

    /// The exchange's own memory, if it has some and the bytes need no decoding.
    private func bodySpace() -> UnsafeMutableRawBufferPointer {
        guard case .length = machine.bodyLeft, input.isEmpty, let space = exchange?.bodyBuffer, !space.isEmpty else {
            return loop.buffer
        }
        return space
    }

    /// Never past the body's end or the next pause, so that what is taken is exact and nothing must be kept.
    private func bodyReadLimit() -> Int {
        guard case .length(let left) = machine.bodyLeft else { return loop.buffer.count }
        var limit = left
        if let pause = exchange?.bodyPause, pause > body.taken { limit = min(limit, pause - body.taken) }
        return Int(min(limit, UInt64(loop.buffer.count)))
    }

    /// Hands body bytes of the window to the exchange, until it wants something else or the window is empty.
    func takeBody() -> ConnectionMachine.Action {
        setInterest(Self.readInterest)
        while machine.state == .body, let exchange {
            if let pause = exchange.bodyPause, pause == body.taken { return follow(exchange.reachedBodyPause()) }
            guard let allowance = inputAllowance() else { return .none }
            let run: Int
            do {
                guard let payload = try nextPayload() else { break }
                run = min(payload, allowance)
            } catch {
                clearDeadline()
                return follow(exchange.bodyCut(.malformed(error)))
            }
            guard run > 0 else { return machine.on(.lastChunk) }
            let directive = exchange.receive(UnsafeRawBufferPointer(rebasing: input.bytes[..<run]))
            input.consume(run)
            inputPacer?.went(UInt64(run))
            body.taken += UInt64(run)
            body.chunkRun = max(0, body.chunkRun - run)
            let action = machine.on(.bodyBytes(UInt64(run)))
            guard case .receiveBody = directive else { return follow(directive) }
            if exchange.bodyPause == body.taken { return follow(exchange.reachedBodyPause()) }
            if action != .none { return action }
        }
        if body.taken > 0 { body.continueTime = nil }
        if let time = body.continueTime {
            deadline = time
            loop.schedule(self)
        } else {
            setDeadline(loop.bounds.bodyProgress)
        }
        return .none
    }

    /// Sends the `100 Continue` that is overdue; false if none is.
    func sendWithheldContinue() -> Bool {
        guard body.continueTime != nil else { return false }
        body.continueTime = nil
        sendContinue()
        setDeadline(loop.bounds.bodyProgress)
        return true
    }

    /// The number of payload bytes at the start of the window that may be taken now; nil if more input is needed, 0 at the
    /// end of a chunked body.
    private func nextPayload() throws(HeadRefusal) -> Int? {
        guard !input.isEmpty else { return nil }
        var limit = UInt64(input.count)
        if let pause = exchange?.bodyPause { limit = min(limit, pause - min(pause, body.taken)) }
        if case .length(let left) = machine.bodyLeft { return Int(min(limit, left)) }
        if body.chunkRun == 0 {
            let bytes = input.bytes.bindMemory(to: UInt8.self)
            switch try body.chunks.next(bytes.span, from: 0) {
            case .needsMore:
                input.consume(bytes.count)
                return nil
            case .end(let consumed):
                input.consume(consumed)
                return 0
            case .payload(let range):
                input.consume(range.lowerBound)
                body.chunkRun = range.count
            }
        }
        return min(Int(limit), body.chunkRun)
    }

    func sendContinue() {
        let line: StaticString = "HTTP/1.1 100 Continue\r\n\r\n"
        // 25 bytes into an empty send buffer: if the kernel does not take them, the connection is dead and says so soon.
        line.withUTF8Buffer { _ = give($0.baseAddress, $0.count) }
    }
}
