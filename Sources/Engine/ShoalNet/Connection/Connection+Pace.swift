import CShoalSystem
import Glibc

/// Connections whose bytes go slowly.
extension Connection {
    /// What the kernel may hold of a body that is taken slowly, so that its sender feels it. Linux doubles it.
    private static let slowReceiveByteCount: Int32 = 16 * 1_024

    /// Paces what is left of the exchange; nil leaves a direction as it is.
    func pace(input: Pacer.Rhythm?, output: Pacer.Rhythm?) {
        if let output { outputPacer = Pacer(output, at: loop.now) }
        guard let input else { return }
        inputPacer = Pacer(input, at: loop.now)
        var size = Self.slowReceiveByteCount
        setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
    }

    /// Bytes of the body that may be taken now; nil if the pace wants a wait, which has begun then.
    func inputAllowance() -> Int? {
        // What is left of a body is of no interest to the rhythms of this direction.
        guard let allowance = inputPacer?.allowance(at: loop.now, remaining: 1) else { return .max }
        return granted(allowance)
    }

    /// Bytes that may be sent now; nil if the pace wants a wait, which has begun then.
    func outputAllowance(of out: Outgoing) -> Int? {
        let remaining = UInt64(out.head.count - out.headSent) + out.bodyByteCount - out.bodySent
        guard let allowance = outputPacer?.allowance(at: loop.now, remaining: max(1, remaining)) else { return .max }
        return granted(allowance)
    }

    private func granted(_ allowance: Pacer.Allowance) -> Int? {
        switch allowance {
        case .bytes(let count): return Int(clamping: count)
        case .wait(let end):
            isHeldBack = true
            // A FIN that came early would be told again and again.
            setInterest(0)
            deadline = end
            loop.schedule(self)
            return nil
        }
    }

    /// The wait is over.
    func goOn() {
        isHeldBack = false
        switch machine.state {
        case .body: run(takeBody())
        case .sending: run(pump())
        default: break
        }
        endTurn()
    }
}
