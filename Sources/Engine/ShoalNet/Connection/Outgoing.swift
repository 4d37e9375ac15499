import CShoalSystem
import Glibc
import ShoalHTTP

/// An answer on its way out.
struct Outgoing {
    let response: HTTPResponse
    /// The head, or what is left of head and small body; empty before sending begins.
    var head: [UInt8] = []
    var headSent = 0
    var bodySent: UInt64 = 0
    var bodyByteCount: UInt64
    var announcesClose = false
    /// Bytes of head and body the kernel has taken.
    var sentByteCount: UInt64 = 0

    /// Bytes without a head of their own.
    init(raw bytes: [UInt8]) {
        response = HTTPResponse(.ok)
        head = bytes
        bodyByteCount = 0
    }

    init(_ response: HTTPResponse) {
        self.response = response
        bodyByteCount = response.status.forbidsBody ? 0 : response.body.byteCount
    }
}

extension Connection {
    /// Sends the answer; a small one with one system call.
    func send(closes: Bool) -> ConnectionMachine.Action {
        guard var out = outgoing else { return .none }
        out.announcesClose = closes
        loop.scratch.removeAll(keepingCapacity: true)
        out.response.writeHead(into: &loop.scratch, closes: closes)
        let isPaused = exchange?.responsePause != nil
        if isPaused { exchange?.responseHeadWritten(byteCount: loop.scratch.count) }
        guard !isPaused, outputPacer == nil, appendSmallBody(of: out) else {
            out.head = loop.scratch
            outgoing = out
            return pump()
        }
        let count = loop.scratch.withUnsafeBytes { give($0.baseAddress, $0.count) }
        let sent = max(count, 0)
        if sent == loop.scratch.count, tls?.session.hasUnsent != true {
            out.sentByteCount = UInt64(sent)
            outgoing = out
            return finishSending()
        }
        // The rest, small body included, is treated as a long head.
        out.head = loop.scratch
        out.headSent = sent
        out.sentByteCount = UInt64(sent)
        out.bodySent = out.bodyByteCount
        outgoing = out
        return count < 0 ? blockedOrDead() : pump()
    }

    private static let quiet = Int32(MSG_NOSIGNAL)

    /// Puts the body behind the head in the loop's scratch space if it is small; false if it goes its own way.
    private func appendSmallBody(of out: Outgoing) -> Bool {
        guard out.bodyByteCount > 0 else { return true }
        guard out.bodyByteCount <= UInt64(ConnectionBounds.inlineFileByteCountMax) else { return false }
        switch out.response.body {
        case .none: return true
        case .bytes(let bytes):
            loop.scratch.append(contentsOf: bytes)
            return true
        case .file(let slice):
            // Pipelined requests may still lie in the loop's buffer.
            input.keep()
            guard let run = try? slice.run(at: 0), run.byteCount == slice.byteCount else { return false }
            let count = pread(run.descriptor, loop.buffer.baseAddress, Int(run.byteCount), off_t(run.offset))
            guard count == Int(run.byteCount) else { return false }
            loop.scratch.append(
                contentsOf: UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(loop.buffer)[..<count]))
            return true
        }
    }

    /// Sends on until everything is sent, the socket is full, a pause is reached or the turn is used up.
    func pump() -> ConnectionMachine.Action {
        var budget = ConnectionBounds.sendTurnByteCountMax
        while let out = outgoing {
            // What counts as sent is the kernel's before anything follows from it.
            if let tls, !hasGivenAll(tls) { return blockedOrDead() }
            let pause = exchange?.responsePause
            if let exchange, pause == .afterHeadBytes(out.headSent) { return follow(exchange.reachedResponsePause()) }
            if out.headSent < out.head.count {
                guard let allowance = outputAllowance(of: out) else { return .none }
                guard sendHead(to: pause, atMost: allowance) else { return blockedOrDead() }
                continue
            }
            var limit = out.bodyByteCount
            if let exchange, let pause {
                if pause == .afterHead || pause == .afterBodyBytes(out.bodySent) {
                    return follow(exchange.reachedResponsePause())
                }
                if case .afterBodyBytes(let count) = pause { limit = min(limit, max(count, out.bodySent)) }
            }
            if out.bodySent == out.bodyByteCount { return finishSending() }
            guard budget > 0 else { return sendLater() }
            guard let allowance = outputAllowance(of: out) else { return .none }
            let count = sendBody(min(Int(limit - out.bodySent), budget, allowance))
            guard count > 0 else { return count == 0 ? machine.on(.reset) : blockedOrDead() }
            budget -= count
        }
        return .none
    }

    private func finishSending() -> ConnectionMachine.Action {
        setInterest(Self.readInterest)
        return machine.on(.responseSent)
    }

    private func sendHead(to pause: ResponsePause?, atMost allowance: Int) -> Bool {
        guard let out = outgoing else { return false }
        var end = out.head.count
        if case .afterHeadBytes(let count)? = pause { end = min(end, max(count, out.headSent)) }
        end = min(end - out.headSent, allowance) + out.headSent
        let isFollowed = pause == nil && outputPacer == nil && out.bodySent < out.bodyByteCount
        let flags = Self.quiet | (isFollowed ? Int32(MSG_MORE) : 0)
        let count = out.head.withUnsafeBytes {
            give($0.baseAddress! + out.headSent, end - out.headSent, flags)
        }
        guard count > 0 else { return false }
        outputPacer?.went(UInt64(count))
        outgoing?.headSent += count
        outgoing?.sentByteCount += UInt64(count)
        return true
    }

    /// The count the kernel took; 0 if the file is shorter than the answer promised, negative with `errno` otherwise.
    private func sendBody(_ byteCount: Int) -> Int {
        guard let out = outgoing else { return 0 }
        let count: Int
        switch out.response.body {
        case .none: count = 0
        case .bytes(let bytes):
            count = bytes.withUnsafeBytes {
                give($0.baseAddress! + Int(out.bodySent), tls == nil ? byteCount : min(byteCount, loop.buffer.count))
            }
        case .file(let slice):
            // A file that cannot be opened any more is too short for what was promised.
            guard let run = try? slice.run(at: out.bodySent) else { return 0 }
            let part = min(byteCount, Int(clamping: run.byteCount))
            var offset = off_t(run.offset)
            count =
                tls == nil
                ? sendfile(descriptor, run.descriptor, &offset, part)
                : giveFile(run.descriptor, at: run.offset, part)
        }
        if count > 0 {
            outputPacer?.went(UInt64(count))
            outgoing?.bodySent += UInt64(count)
            outgoing?.sentByteCount += UInt64(count)
        }
        return count
    }

    private func blockedOrDead() -> ConnectionMachine.Action {
        guard errno == EAGAIN || errno == EINTR else { return machine.on(.peerReset) }
        return sendLater()
    }

    private func sendLater() -> ConnectionMachine.Action {
        setInterest(EPOLLOUT.rawValue | EPOLLRDHUP.rawValue)
        setDeadline(loop.bounds.sendProgress)
        return .none
    }
}
