import ShoalFaults
import ShoalHTTP
import ShoalNet
import ShoalS3

/// What an operation wants next, done.
extension S3Exchange {
    private static let longBodyByteCountMin: UInt64 = 64 * 1024

    func follow(_ step: Step) -> Directive {
        switch step {
        case .answer(let response): return answer(response)
        case .receive(let sink, let then): return receive(into: sink, then: then)
        case .commit(let start):
            return pass(.commitBefore) {
                // The body is the store's from here on: a client that leaves now takes nothing back.
                self.sink = nil
                return self.synchronizing {
                    start(self.whenChanged)
                    return .suspend
                }
            }
        case .change(let work): return change(on: world.pool) { Changed(try work()) }
        case .write(let work): return change(on: world.pool, work)
        case .longWrite(let work): return change(on: world.copies, work)
        case .look(let work):
            return offLoop(work) { result in
                switch result {
                case .success(let response): self.answer(response)
                case .failure(let error): self.refuse(error)
                }
            }
        }
    }

    private func change(on pool: WorkerPool, _ work: @escaping @Sendable () throws -> Changed) -> Directive {
        pass(.commitBefore) {
            self.sink = nil
            return self.synchronizing {
                pool.run { self.whenChanged(Result { try work() }) }
                return .suspend
            }
        }
    }

    func offLoop(
        _ work: @escaping @Sendable () throws -> HTTPResponse,
        then: @escaping @Sendable (Result<HTTPResponse, any Error>) -> Directive
    ) -> Directive {
        let connection = connection
        world.pool.run {
            let result = Result { try work() }
            connection.resume { then(result) }
        }
        return .suspend
    }

    /// A change is made or refused, whether or not its client is still there. Called on any thread.
    @Sendable private func whenChanged(_ result: Result<Changed, any Error>) {
        connection.resume {
            self.committed(result)
        } orElse: {
            // For a late twin: an exchange that was lost is over already.
            self.trace.finish()
            guard case .success(let changed) = result else {
                // Said too: who waits for the end of it is woken by nothing else.
                self.record(.discarded, nil)
                return self.world.journal.publish(&self.trace)
            }
            self.record(changed)
            self.world.plan.noteCommit(of: self.route?.operation ?? .unknown)
            self.world.journal.publish(&self.trace)
            self.releaseLatecomers()
        }
    }

    private func record(_ changed: Changed) {
        let change: JournalEvent.Store.Change =
            switch route?.operation {
            case .deleteObject, .deleteObjects, .abortMultipartUpload: .deleted
            default: changed.isRepeated ? .repeated : .committed
            }
        record(effects?.wasLost == true ? .lost : change, changed.written)
        for twin in effects?.twins ?? [] { record(change, twin) }
    }

    private func record(_ change: JournalEvent.Store.Change, _ written: Changed.Written?) {
        trace.record(
            .store(.init(change, size: written?.size, etag: written?.etag.text, versionID: written?.versionID)))
    }

    private func committed(_ result: Result<Changed, any Error>) -> Directive {
        switch result {
        case .failure(let error): return refuse(error)
        case .success(let changed):
            record(changed)
            releaseLatecomers()
            return pass(.commitAfter) { self.answer(changed.response) }
        }
    }

    private func receive(into sink: any BodySink, then: @escaping () throws -> Step) -> Directive {
        self.sink = sink
        afterBody = {
            do {
                return self.follow(try then())
            } catch {
                return self.refuse(error)
            }
        }
        bodyStops = faults?.bodyPositions[...] ?? []
        if let faults, let intake = sink as? ObjectIntake {
            storeStops = faults.storePositions(length: intake.byteCount)[...]
        }
        // A form says first what it is about.
        if route?.operation != .postObject { publishIfLong() }
        guard head.expectsContinue else { return .receiveBody }
        return pass(.continueDue) { self.prepared?.bodyDirective ?? .receiveBody }
    }

    /// Whoever looks at the journal while a long body is under way should find it there.
    func publishIfLong() {
        if case .length(let count) = head.framing, count > Self.longBodyByteCountMin { world.journal.publish(&trace) }
    }

    /// An answer before the body was taken: what is left of a short one is read first, so that the connection can go on.
    private func answer(_ response: HTTPResponse) -> Directive {
        guard !isBodyComplete, sink == nil, case .length(let count) = head.framing, count > 0,
            count <= Discard.byteCountMax, !head.expectsContinue
        else { return respond(response) }
        return receive(into: Discard()) { .answer(response) }
    }
}

/// Drops the body of a request that should have none; S3 ignores it.
private final class Discard: BodySink {
    static let byteCountMax: UInt64 = 1 << 20

    func take(_ bytes: UnsafeRawBufferPointer) {}

    func abandon() {}
}
