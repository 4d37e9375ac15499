import ShoalFaults
import ShoalHTTP
import ShoalNet
import ShoalS3

/// The fault seam: operations do not know that it exists.
extension S3Exchange {
    /// Looks whether any rule concerns this request.
    func meetFaults() {
        guard world.plan.isArmed || carried != nil else { return }
        faults = world.plan.begin(subject, carrying: carried)
        if isStoreSettled { faults?.settleStore() }
    }

    var subject: RequestSubject {
        RequestSubject(
            head: head, route: route, now: now, connection: connection.id, exchange: UInt64(ordinal),
            isSecure: connection.isSecure, hello: connection.hello, peer: connection.peer,
            attempt: UInt64(trace.number.attempt), form: form)
    }

    /// Writes down what is asked for, once it is known.
    func recordHead() {
        let subject = subject
        let identity = subject.operationIdentity
        trace.begin()
        trace.identify(identity)
        let operation = subject.operation
        trace.record(
            .requestHead(
                .init(
                    method: String(decoding: head.methodText, as: UTF8.self), operation: operation,
                    bucket: route?.bucket?.text, key: route?.key, contentLength: subject.contentLength,
                    isPresigned: subject.isPresigned, isConnectionReused: ordinal > 1,
                    expectsContinue: head.expectsContinue,
                    sdkAttempt: identity.source == .invocation ? subject.sdkAttempt.map(UInt32.init(clamping:)) : nil,
                    partNumber: subject.partNumber.map(UInt32.init(clamping:)),
                    uploadID: subject.uploadID.map(Array.init),
                    signatureHash: subject.signatureHash(beside: identity),
                    isConditional: operation.isWrite
                        && (head.first("if-none-match") != nil || head.first("if-match") != nil),
                    asksForChecksum: operation.isRead && head.first("x-amz-checksum-mode") != nil)))
    }

    /// Goes on with `next` unless a rule strikes at `point`. With no rule loaded this costs one load.
    ///
    /// At the last point of an exchange it `concludes`: only once what strikes there is recorded, a verdict finds it over.
    func pass(
        _ point: FaultPoint, offset: UInt64? = nil, concludes: Bool = false, then next: @escaping () -> Directive
    ) -> Directive {
        guard let strike = decide(at: point, offset: offset) else {
            if concludes { conclude() }
            return next()
        }
        if strike.endsProcess { world.journal.publish(&trace) }
        let directive = StrikePlayer(
            strike, connection: connection, in: world, exchange: self, onWait: { self.gateTicket = $0 }
        ).play(then: next)
        // Only now: whoever reads of a pause finds the exchange at its gate.
        if concludes { conclude() } else { world.journal.publish(&trace) }
        return directive
    }

    private func conclude() {
        trace.finish()
        world.journal.publish(&trace)
    }

    /// What strikes at `point`, recorded; nil if nothing does.
    private func decide(at point: FaultPoint, offset: UInt64?) -> Strike? {
        if faults == nil {
            guard world.plan.isArmed || carried != nil else { return nil }
            meetFaults()
        }
        guard let strike = faults?.strike(at: point, offset: offset) else { return nil }
        trace.record(strike, bodyBytesTaken: bodyTaken)
        world.log.info(
            "fault",
            ["rule": strike.steps[0].rule, "at": point.rawValue, "operation": "\(route?.operation.rawValue ?? "?")"])
        return strike
    }

    /// Goes on with the read of an object by way of `read.open`, whatever comes of looking it up.
    func open(_ look: @escaping () -> Result<Step, any Error>) -> Directive {
        lookUp = look
        return open(look())
    }

    private func open(_ result: Result<Step, any Error>) -> Directive {
        if case .success(.look(let work)) = result {
            return offLoop(work) { result in self.open(result.map { .answer($0) }) }
        }
        return pass(.readOpen) {
            // What a rule has just changed has to be looked up once more.
            let again = self.effects?.changesReads == true ? self.lookUp : nil
            self.lookUp = nil
            switch again?() ?? result {
            case .success(let step): return self.follow(step)
            case .failure(let error): return self.refuse(error)
            }
        }
    }

    /// Answers in place of the store.
    func answer(_ step: Strike.Step, at point: FaultPoint) -> Directive {
        let mark = "\(step.rule) at \(point.rawValue)"
        switch step.action {
        case .respond(let injected): return drain(injected.drain) { self.send(injected, mark) }
        case .respondEarly(let injected):
            discard()
            return send(injected, mark)
        case .revoke: return refuse(unknownKey)
        case .pin(let pins): return refuse(pins, by: step.rule)
        case .quota(let quota): return drain(.all) { self.send(InjectedAnswer(code: quota.then), mark) }
        case .connectionLimit:
            return send(InjectedAnswer(code: .serviceUnavailable, then: .close), mark)
        case .foreignPage(let page): return drain(.all) { self.send(page, mark) }
        case .redirect(let redirect): return drain(.all) { self.send(redirect, mark) }
        case .expire:
            return refuse(form == nil ? .expired(at: now, route?.query ?? QueryParameters()) : S3Error.policyExpired)
        default: preconditionFailure("only answers come here")
        }
    }

    /// What a request gets whose access key was revoked.
    var unknownKey: S3Error {
        let key = subject.accessKeyID.map { [S3Error.Element("AWSAccessKeyId", String(decoding: $0, as: UTF8.self))] }
        return S3Error(.invalidAccessKeyId, elements: key ?? [])
    }

    /// As though other values had been signed than the request brings.
    private func refuse(_ pins: Pins, by rule: String) -> Directive {
        let error = world.mismatch(of: head, route, at: now)
        trace.record(
            .auth(
                .init(
                    .refused, code: error.code,
                    diagnosis: "The rule '\(rule)' takes the signature for one of \(pins.text).",
                    scopeTime: now.milliseconds)))
        return refuse(error)
    }

    /// Remembers what becomes of the answer that is to come.
    func prepare(_ step: Strike.Step, at point: FaultPoint) {
        let prepared = prepared ?? PreparedAnswer()
        prepared.add(step, at: point)
        self.prepared = prepared
    }

    /// Answers with `next` in place of the store, when as much of the request body is read as `drain` says.
    private func drain(_ drain: InjectedAnswer.Drain, then next: @escaping () -> Directive) -> Directive {
        discard()
        let limit: UInt64 =
            switch drain {
            case .none: 0
            case .bytes(let count): count
            case .all: .max
            }
        // A client that waits for 100 Continue has sent nothing that could be read.
        let waits = head.expectsContinue && bodyTaken == 0
        guard !isBodyComplete, head.framing != .none, bodyTaken < limit, !waits else { return next() }
        drainLimit = limit
        (bodyStops, storeStops) = ([], [])
        afterBody = next
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
        return respond(response, code: injected.code, retryAfter: injected.retryAfter)
    }

    private func send(_ page: ForeignPage, _ mark: String) -> Directive {
        var response = HTTPResponse(page.location == nil ? .ok : HTTPStatus(302))
        response.body = .bytes(Array((page.html ?? ForeignPage.usualHTML).utf8))
        response.add("Content-Type", "text/html; charset=utf-8")
        if let location = page.location { response.add("Location", location) }
        response.add("x-shoal-fault", mark)
        return respond(response, isForeign: true)
    }

    /// S3 keeps the way in which the request names its bucket.
    private func send(_ redirect: InjectedRedirect, _ mark: String) -> Directive {
        var endpoint = redirect.endpoint ?? "s3.\(redirect.region).amazonaws.com"
        let isInHost = head.first("host").flatMap(world.domains.bucket(inHost:)) != nil
        if let bucket = route?.bucket, isInHost { endpoint = "\(bucket.text).\(endpoint)" }
        let elements =
            [S3Error.Element("Endpoint", endpoint)] + (route?.bucket.map { [.init("Bucket", $0.text)] } ?? [])
        let code: S3Error.Code = redirect.kind == .permanent ? .permanentRedirect : .temporaryRedirect
        var response = errorAnswer(S3Error(code, elements: elements))
        response.add("x-amz-bucket-region", redirect.region)
        if redirect.kind == .temporary {
            response.add("Location") { line in
                line += "\(connection.isSecure ? "https" : "http")://\(endpoint)".utf8
                line += head.path
                if !head.query.isEmpty { line += [UInt8(ascii: "?")] + head.query }
            }
        }
        response.add("x-shoal-fault", mark)
        return respond(response, code: code)
    }
}

extension RequestSubject {
    /// Which presigned URL it is, where the operation has another name; nil for every other request.
    fileprivate func signatureHash(beside identity: OperationIdentity) -> UInt64? {
        guard identity.source != .signature, isPresigned, let signature else { return nil }
        return OperationIdentity(signature: signature).hash
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
        return S3Error(.accessDenied, expiredMessage, elements: elements)
    }

    fileprivate static let expiredMessage = "Request has expired"

    /// Whether a new URL, or a new form, would be let pass where this one is not.
    var isOfExpiredSignature: Bool {
        code == .accessDenied && (message == Self.expiredMessage || message == Self.policyExpired.message)
    }
}
