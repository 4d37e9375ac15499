import ShoalFaults
import ShoalHTTP
import ShoalLog
import ShoalNet
import ShoalS3
import ShoalSigV4

extension S3Exchange {
    /// Sends an answer with the lines that every answer of S3 has, unless it is `foreign`.
    func respond(
        _ answer: HTTPResponse, code: S3Error.Code? = nil, retryAfter: UInt32? = nil, isExpired: Bool = false,
        isForeign: Bool = false
    ) -> Directive {
        var response = answer
        if isForeign {
            response.add("Date") { world.now.appendHTTPDate(to: &$0) }
        } else {
            response.addCommonFields(identifiers, now: world.now)
            addCORSFields(to: &response)
        }
        if head.method == .head { response.dropBody(isVersion1_0: head.isVersion1_0) }
        if case .length(let left) = head.framing, left > 0, !isBodyComplete { response.endsConnection = true }
        if head.framing == .none, let code, code == .missingContentLength { response.endsConnection = true }
        if ending == .close || prepared?.endsConnection == true { response.endsConnection = true }
        prepared?.edit(&response, to: head)
        responseByteCount = response.status.forbidsBody ? 0 : response.body.byteCount
        let stops = stops(in: response)
        trace.record(
            .responseHead(.init(response.status, code: code, retryAfter: retryAfter, isExpired: isExpired)))
        world.journal.publish(&trace)
        guard let prepared else {
            responseStops = stops
            return .respond(response)
        }
        return prepared.begin(response, to: head) { self.responseStops = stops }
    }

    /// The one place where anything thrown becomes an answer in S3's form.
    func refuse(_ thrown: any Error) -> Directive {
        discard()
        let failure = thrown as? WebsiteFailure
        let error = failure?.error ?? effects?.error(of: thrown) ?? S3Error(mapping: thrown)
        if error.status.code >= 500, error.code != .notImplemented {
            world.log.error(
                "a request failed",
                ["code": error.code.rawValue, "request": identifiers.requestID, "cause": "\(error.cause ?? thrown)"])
        }
        var response = errorAnswer(error, failure, status: effects?.status(of: thrown))
        for (name, value) in error.headers { response.add(name: name, value: value) }
        return respond(response, code: error.code, isExpired: error.isOfExpiredSignature)
    }

    /// Gives up what was received, and what was to follow it: that holds the exchange itself.
    func discard() {
        afterBody = nil
        guard let sink else { return }
        sink.abandon()
        self.sink = nil
        trace.record(.store(.init(.discarded, size: bodyTaken)))
    }

    // MARK: Sending

    func responseSent() -> Directive {
        if let piece = prepared?.nextPiece() { return piece }
        trace.record(.responseEnd(bytes: responseByteCount))
        return pass(.responseEnd, concludes: true) {
            self.ending == .reset ? .reset : self.prepared?.afterwards ?? .proceed
        }
    }

    func parked() -> Directive? {
        guard !isParked, faults != nil || world.plan.isArmed else { return nil }
        isParked = true
        return pass(.idle) { self.prepared?.afterwards ?? .proceed }
    }

    func lost(_ end: ConnectionEnd, sentByteCount: UInt64) {
        discard()
        if let gateTicket { world.gates.cancel(gateTicket) }
        if latecomer == nil { trace.finish() }
        trace.record(.connectionClosed(JournalEvent.Closing(end, sentBytes: sentByteCount)))
        world.journal.publish(&trace)
        sendOffLatecomer()
    }
}

// MARK: - Other origins

extension S3Exchange {
    func answerPreflight(_ route: Route) throws(S3Error) -> Directive {
        let request = try CORSRequest(preflight: head)
        let bucket: CORSRequest.Bucket
        if let name = route.bucket {
            bucket = world.store.bucket(name).map { .configured(BucketSettings($0).cors) } ?? .absent
        } else {
            bucket = .withoutConfiguration
        }
        var response = HTTPResponse(.ok)
        for (name, value) in try request.preflightFields(bucket, isObject: route.key != nil) {
            response.add(name: name, value: value)
        }
        return respond(response)
    }

    /// Errors carry them too: a page can read no other answer.
    private func addCORSFields(to response: inout HTTPResponse) {
        guard head.method != .options, let request = CORSRequest(actual: head),
            let bucket = route?.bucket.flatMap(world.store.bucket)
        else { return }
        for (name, value) in request.actualFields(BucketSettings(bucket).cors) {
            response.add(name: name, value: value)
        }
    }
}

extension HTTPResponse {
    /// Makes the answer of a HEAD of what a GET would get.
    mutating func dropBody(isVersion1_0: Bool) {
        guard !status.forbidsBody else { return }
        if case .declared = length { return }
        if status.code < 300 {
            length = .declared(body.byteCount)
        } else {
            // As S3 does: an error has no length it could announce.
            length = .omitted
            if !isVersion1_0 { add("Transfer-Encoding", "chunked") }
        }
        body = .none
    }
}
