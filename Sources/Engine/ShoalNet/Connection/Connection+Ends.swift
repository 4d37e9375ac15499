import CShoalSystem
import Glibc

/// The ways in which a connection ends.
extension Connection {
    func linger() -> ConnectionMachine.Action {
        shutOutput()
        input.free()
        setInterest(Self.readInterest)
        lingerEnd = loop.now + loop.bounds.linger.nanoseconds
        setDeadline(loop.bounds.lingerProgress)
        return .none
    }

    /// FIN, behind the close_notify of TLS.
    func shutOutput() {
        tls?.session.sendCloseNotify()
        shutdown(descriptor, Int32(SHUT_WR))
    }

    /// What comes is of no interest any more, under TLS either: it is not decrypted.
    func dropInput() {
        let count = recv(descriptor, loop.buffer.baseAddress, loop.buffer.count, 0)
        guard count > 0 else { return receivedNothing(count) }
        lingerByteCount += UInt64(count)
        guard lingerByteCount < loop.bounds.lingerByteCountMax else { return run(machine.on(.deadline)) }
        deadline = min(loop.now + loop.bounds.lingerProgress.nanoseconds, lingerEnd)
        loop.schedule(self)
    }

    func absorb() -> ConnectionMachine.Action {
        clearDeadline()
        input.free()
        setInterest(Self.readInterest)
        return .none
    }

    func absorbInput() {
        let count = recv(descriptor, loop.buffer.baseAddress, loop.buffer.count, 0)
        if count <= 0 { receivedNothing(count) }
    }

    func drainAndReset() -> ConnectionMachine.Action {
        guard shoal_unsent_bytes(descriptor) > 0 else { return machine.on(.deadline) }
        setInterest(0)
        resetEnd = loop.now + loop.bounds.resetDrain.nanoseconds
        setDeadline(.milliseconds(1))
        return .none
    }

    /// The client is told; so is the service, of a client that went too early.
    private func endTLS(_ tls: TLSLayer, _ how: ConnectionEnd) {
        if tls.session.isEstablished, how != .resetByPeer { tls.session.sendCloseNotify() }
        // Whoever lingers was answered already, by an alert or by a rule.
        let leaves = how == .finByPeer || how == .resetByPeer || how == .timeout
        guard leaves, !tls.session.isEstablished, lingerEnd == .max else { return }
        loop.service.handshakeFailed(.ended(how), on: handle)
    }

    func end(_ how: ConnectionEnd) {
        if let tls, how != .reset { endTLS(tls, how) }
        if how == .reset {
            var option = Glibc.linger(l_onoff: 1, l_linger: 0)
            setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<Glibc.linger>.size))
        }
        Glibc.close(descriptor)
        input.free()
        continuation = nil
        let sent = outgoing?.sentByteCount ?? 0
        let unfinished = exchange
        (exchange, outgoing) = (nil, nil)
        unfinished?.lost(how, sentByteCount: sent)
        loop.remove(
            self, how, after: ConnectionHistory(exchangeCount: exchangeCount, lostExchange: unfinished != nil))
    }
}
