import ShoalFaults
import ShoalNet
import ShoalS3

extension S3Exchange {
    var bodyPause: UInt64? {
        guard let written = storeStops.first, intake?.isFramed == false else { return bodyStops.first }
        return min(bodyStops.first ?? written, written)
    }

    private var intake: ObjectIntake? { sink as? ObjectIntake }

    var bodyBuffer: UnsafeMutableRawBufferPointer? { sink?.space }

    func reachedBodyPause() -> Directive {
        guard let offset = bodyStops.first, offset <= storeStops.first ?? offset || intake?.isFramed != false else {
            return passStoreStops()
        }
        bodyStops.removeFirst()
        return pass(.bodyAt, offset: offset) { self.passStoreStops() }
    }

    /// The points behind what is written by now.
    private func passStoreStops() -> Directive {
        guard let next = storeStops.first, let intake, intake.writtenByteCount >= next else { return .receiveBody }
        storeStops.removeFirst()
        return pass(.storeWrite, offset: next) { self.passStoreStops() }
    }

    func receive(_ bytes: UnsafeRawBufferPointer) -> Directive {
        if bodyTaken == 0 { firstBodyAt = monotonicNanoseconds() }
        bodyTaken += UInt64(bytes.count)
        guard let sink else { return bodyTaken < drainLimit ?? .max ? .receiveBody : proceedAfterBody() }
        do {
            try sink.take(bytes)
        } catch {
            return refuse(error)
        }
        if let proof = sink.proof { return judge(proof) }
        let connection = connection
        if sink.waits(for: .room, then: { connection.resume { self.passFramedStops() } }) { return .suspend }
        return passFramedStops()
    }

    /// Within framing no place of the body is known beforehand: rules strike once it is passed.
    private func passFramedStops() -> Directive {
        storeStops.isEmpty || intake?.isFramed == false ? .receiveBody : passStoreStops()
    }

    func bodyEnded() -> Directive {
        isBodyComplete = true
        let connection = connection
        guard let sink else { return proceedAfterBody() }
        if sink.waits(for: .end, then: { connection.resume { self.bodyDigested() } }) { return .suspend }
        return bodyDigested()
    }

    private func bodyDigested() -> Directive {
        if bodyTaken > 0 {
            let last = monotonicNanoseconds()
            trace.record(.body(.init(bytes: bodyTaken, firstAt: firstBodyAt, lastAt: last)), at: last)
        }
        return pass(.bodyEnd) { self.proceedAfterBody() }
    }

    private func proceedAfterBody() -> Directive {
        guard let next = afterBody else { return .close }
        afterBody = nil
        return next()
    }

    func bodyCut(_ cut: BodyCut) -> Directive {
        trace.record(.body(.init(bytes: bodyTaken, firstAt: firstBodyAt, lastAt: monotonicNanoseconds(), isCut: true)))
        // What was only read to be thrown away need not come whole.
        if drainLimit != nil { return proceedAfterBody() }
        let error =
            switch cut {
            case .closedByPeer: S3Error(.incompleteBody)
            case .stalled: S3Error(.requestTimeout)
            case .malformed(let refusal):
                S3Error(.incompleteBody, "The request body terminated unexpectedly", cause: refusal)
            }
        return refuse(error)
    }
}
