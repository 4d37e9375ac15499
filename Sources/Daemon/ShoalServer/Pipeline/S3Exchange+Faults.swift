import ShoalFaults
import ShoalHTTP
import ShoalNet
import ShoalS3

/// The fault seam: operations do not know that it exists.
extension S3Exchange {
    /// Looks whether any rule concerns this request.
    func meetFaults() {
        guard world.plan.isArmed else { return }
        faults = world.plan.begin(subject)
    }

    var subject: RequestSubject {
        RequestSubject(
            head: head, route: route, now: now, connection: connection.id, exchange: UInt64(ordinal), form: form)
    }

    /// Writes down what is asked for, once it is known.
    func recordHead() {
        let subject = subject
        trace.identify(subject.operationIdentity)
        trace.record(
            .requestHead(
                .init(
                    method: String(decoding: head.methodText, as: UTF8.self), operation: subject.operation,
                    bucket: route?.bucket?.text, key: route?.key, contentLength: subject.contentLength,
                    isPresigned: subject.isPresigned, isConnectionReused: ordinal > 1,
                    expectsContinue: head.expectsContinue)))
    }

    /// Goes on with `next` unless a rule strikes at `point`. With no rule loaded this costs one load.
    func pass(_ point: FaultPoint, offset: UInt64? = nil, then next: @escaping () -> Directive) -> Directive {
        if faults == nil {
            guard world.plan.isArmed else { return next() }
            meetFaults()
        }
        guard let strike = faults?.strike(at: point, offset: offset) else { return next() }
        trace.record(strike, bodyBytesTaken: bodyTaken)
        world.journal.publish(&trace)
        world.log.info(
            "fault",
            ["rule": strike.steps[0].rule, "at": point.rawValue, "operation": "\(route?.operation.rawValue ?? "?")"])
        return StrikePlayer(
            strike, connection: connection, in: world, exchange: self, onWait: { self.gateTicket = $0 }
        ).play(then: next)
    }

    /// Answers in place of the store.
    func answer(_ step: Strike.Step, at point: FaultPoint) -> Directive {
        switch step.action {
        case .respond(let injected): return inject(injected, mark: "\(step.rule) at \(point.rawValue)")
        case .expire:
            return refuse(form == nil ? .expired(at: now, route?.query ?? QueryParameters()) : S3Error.policyExpired)
        default: preconditionFailure("only answers come here")
        }
    }

    /// Remembers what becomes of the answer that is to come.
    func prepare(_ step: Strike.Step, at point: FaultPoint) {
        let prepared = prepared ?? PreparedAnswer()
        prepared.add(step, at: point)
        self.prepared = prepared
    }

    /// Answers in place of the real answer; the request body is read first as far as the rule says.
    private func inject(_ injected: InjectedAnswer, mark: String) -> Directive {
        discard()
        let limit: UInt64 =
            switch injected.drain {
            case .none: 0
            case .bytes(let count): count
            case .all: .max
            }
        // A client that waits for 100 Continue has sent nothing that could be read.
        let waits = head.expectsContinue && bodyTaken == 0
        guard !isBodyComplete, head.framing != .none, bodyTaken < limit, !waits else { return send(injected, mark) }
        drainLimit = limit
        bodyStops = []
        afterBody = { self.send(injected, mark) }
        return .receiveBody
    }

    private func send(_ injected: InjectedAnswer, _ mark: String) -> Directive {
        // Closing with unread bytes is a RST, which may overtake the answer: that is what `drain: none` is for.
        let abandons = injected.drain == .none && !isBodyComplete && head.framing != .none
        ending = abandons ? .reset : injected.then
        var response = HTTPResponse(injected.status)
        if let code = injected.code {
            response = errorAnswer(S3Error(code, injected.message), status: injected.status)
        } else if let body = injected.body {
            response.body = .bytes(Array(body.utf8))
            response.add("Content-Type", injected.contentType ?? "text/plain")
        }
        if let seconds = injected.retryAfter { response.add("Retry-After", String(seconds)) }
        for field in injected.fields { response.add(name: field.name, value: field.value) }
        response.add("x-shoal-fault", mark)
        return respond(response, code: injected.code)
    }
}

extension S3Error {
    /// What an expired presigned URL gets, whatever its date says.
    static func expired(at now: Timestamp, _ query: QueryParameters) -> S3Error {
        var elements: [Element] = []
        if let lifetime = query.first("X-Amz-Expires") {
            elements.append(Element("X-Amz-Expires", String(decoding: lifetime, as: UTF8.self)))
        }
        elements.append(Element("Expires", now.adding(seconds: -1).iso8601Seconds))
        elements.append(Element("ServerTime", now.iso8601Seconds))
        return S3Error(.accessDenied, "Request has expired", elements: elements)
    }
}
