import ShoalFaults
import ShoalHTTP
import ShoalNet

/// A place in an answer at which its sending stops.
struct ResponseStop {
    enum Reason {
        /// A point at which rules may strike.
        case point
        /// The same, before this byte of the object.
        case reading(UInt64)
        /// The answer ends there.
        case cut(AnswerEdit.CutEnding)
        /// Garbage follows there.
        case garbage
    }

    let pause: ResponsePause
    let reason: Reason

    init(_ pause: ResponsePause, _ reason: Reason = .point) {
        self.pause = pause
        self.reason = reason
    }
}

/// Where the sending of an answer stops, and what happens there.
extension S3Exchange {
    var responsePause: ResponsePause? { responseStops.first?.pause }

    /// Behind the head. At one place points come first: what strikes there finds the answer whole.
    func stops(in response: HTTPResponse) -> ArraySlice<ResponseStop> {
        guard let faults else { return [] }
        let head = ResponseStop(.afterHead)
        if prepared?.putsGarbageBehindHead == true { return [head, ResponseStop(.afterHead, .garbage)] }
        let offsets = faults.responsePositions(length: responseByteCount)
        let cut = prepared?.bodyCut(in: responseByteCount)
        let points = reads(of: response, faults) + offsets.map { ($0, ResponseStop(.afterBodyBytes($0))) }
        let stops = points.filter { $0.0 <= cut?.end ?? .max }.sorted { $0.0 < $1.0 }.map(\.1)
        return [head] + stops + (cut.map { [ResponseStop(.afterBodyBytes($0.end), .cut($0.ending))] } ?? [])
    }

    /// Where bytes of an object are due before which a rule may strike, by their place in the body.
    private func reads(of response: HTTPResponse, _ faults: ExchangeFaults) -> [(UInt64, ResponseStop)] {
        guard route?.operation == .getObject, case .file(let slice) = response.body else { return [] }
        let (start, whole) = slice.place
        return faults.readPositions(length: whole).filter { $0 >= start && $0 - start <= slice.byteCount }.map {
            ($0 - start, ResponseStop(.afterBodyBytes($0 - start), .reading($0)))
        }
    }

    func responseHeadWritten(byteCount: Int) {
        guard let faults else { return }
        var offsets = faults.responseHeadPositions(length: UInt64(byteCount)).map { Int(clamping: $0) }
        var cuts: [ResponseStop] = []
        if let (end, ending) = prepared?.headCut {
            let end = Int(clamping: min(end, UInt64(byteCount)))
            offsets.removeAll { $0 > end }
            cuts = [ResponseStop(.afterHeadBytes(end), .cut(ending))]
        }
        responseStops = offsets.map { ResponseStop(.afterHeadBytes($0)) } + cuts + responseStops
    }

    func reachedResponsePause() -> Directive {
        let stop = responseStops.removeFirst()
        switch stop.reason {
        case .cut(.close): return .close
        case .cut(.reset): return .reset
        case .cut(.hang): return .hang
        case .garbage:
            responseStops = []
            return .send(PreparedAnswer.garbage)
        case .reading(let offset): return pass(.readAt, offset: offset) { .sendOn }
        case .point: break
        }
        switch stop.pause {
        case .afterHeadBytes(let count): return pass(.responseHeadAt, offset: UInt64(count)) { .sendOn }
        case .afterHead: return pass(.responseHead) { .sendOn }
        case .afterBodyBytes(let offset): return pass(.responseAt, offset: offset) { .sendOn }
        }
    }
}
