extension FaultAction {
    /// The action that the parameters make; `delay` and both ways to `respond` have a notation of their own.
    init(_ parameters: ActionParameters) throws(ActionParameters.Flaw) {
        switch parameters.action {
        case .refuse: self = .refuse(try parameters.duration("ms"))
        case .connectHang: self = .connectHang(try parameters.duration("ms"))
        case .connectionLimit:
            let max = try parameters.needed(try parameters.number("max"))
            self = .connectionLimit(
                ConnectionLimit(max, then: try parameters.word("then", "end of 'connectionLimit'") ?? .reset))
        case .reset: self = .reset
        case .close: self = .close
        case .hang: self = .hang(try parameters.duration("ms"))
        case .blackhole: self = .blackhole
        case .halfClose: self = .halfClose(try parameters.word("direction", "direction of 'halfClose'") ?? .out)
        case .abandon: self = .abandon
        case .dropAll: self = .dropAll
        case .closeIdle:
            self = .closeIdle(
                after: try parameters.duration("afterMs") ?? .zero, announces: try parameters.flag("announce") ?? false)
        case .noContinue: self = .noContinue(try parameters.duration("forMs"))
        case .dropHeader, .setHeader, .wrongLength, .extraInformational, .missingTerminator, .truncateHead,
            .truncateBody, .garbage, .duplicateResponse, .wrongETag, .wrongChecksumHeader:
            self = .edit(try AnswerEdit(parameters))
        case .foreignPage:
            self = .foreignPage(ForeignPage(html: parameters.text("html"), location: parameters.text("location")))
        case .redirect:
            self = .redirect(
                InjectedRedirect(
                    try parameters.word("status", "status of 'redirect'") ?? .temporary,
                    region: parameters.text("region") ?? InjectedRedirect.usualRegion,
                    endpoint: parameters.text("endpoint")))
        case .throttle:
            self = .pace(
                .throttle(
                    in: try parameters.byteCount("in"), out: try parameters.byteCount("out"),
                    burst: try parameters.byteCount("burst")))
        case .dribble:
            let chunks = try parameters.needed(try parameters.number("chunks"))
            self = .pace(.dribble(chunks: chunks, over: try parameters.needed(try parameters.duration("overMs"))))
        case .stallBursts:
            let on = try parameters.needed(try parameters.duration("onMs"))
            self = .pace(.stallBursts(on: on, off: try parameters.needed(try parameters.duration("offMs"))))
        case .loseWrite, .tornWrite, .corruptStored, .corruptRead, .duplicate, .visibility, .staleRead, .diskFull,
            .ioError, .slowDisk:
            self = .store(try StoreFault(parameters))
        case .zombie: self = .zombie(after: try parameters.duration("afterMs"))
        case .crash:
            self = .crash(
                restart: try parameters.duration("restartMs") ?? Self.usualRestart,
                forgetsUnsynced: try parameters.flag("forgetUnsynced") ?? false)
        case .expire: self = .expire(try parameters.word("of", "reach of 'expire'") ?? .signature)
        case .revoke: self = .revoke
        case .pin:
            self = .pin(
                Pins(
                    contentType: parameters.text("contentType"), contentLength: try parameters.number("contentLength"),
                    checksum: parameters.text("checksum")))
        case .quota: self = .quota(try Quota(parameters))
        case .pause: self = .pause(gate: try parameters.needed(parameters.text("gate")))
        case .tlsHang: self = .tls(.hang)
        case .tlsClose: self = .tls(.close)
        case .tlsTruncate: self = .tls(.truncate)
        case .tlsAlert:
            self = .tls(
                .alert(
                    try parameters.needed(
                        try parameters.value("code", "the name of an alert, such as handshake_failure, or 0 to 255") {
                            TLSAlert($0)
                        })))
        case .tlsCert:
            self = .tls(.certificate(try parameters.needed(try parameters.word("fault", "fault of a certificate"))))
        case .delay, .respond, .respondEarly: preconditionFailure("'\(parameters.action)' is read elsewhere")
        }
    }

    /// As long as a small service takes to come back.
    private static let usualRestart = Duration.seconds(1)

    /// The values of `name.parameters`, in their order; nil for what need not be said.
    var parameterValues: [ActionValue?] {
        switch self {
        case .reset, .close, .blackhole, .abandon, .dropAll, .revoke: []
        case .pin(let pins):
            [
                pins.contentType.map { .text($0) }, pins.contentLength.map { .number($0) },
                pins.checksum.map { .text($0) },
            ]
        case .quota(let quota): quota.parameterValues
        case .store(let fault): fault.parameterValues
        case .crash(let wait, let forgets): [.duration(wait), forgets ? .flag(true) : nil]
        case .refuse(let wait), .connectHang(let wait), .hang(let wait), .noContinue(let wait), .zombie(let wait):
            [wait.map { .duration($0) }]
        case .delay(let wait): [.duration(wait)]
        case .connectionLimit(let limit):
            [.number(limit.max), limit.excess == .reset ? nil : .text(limit.excess.rawValue)]
        case .halfClose(let direction): [direction == .out ? nil : .text(direction.rawValue)]
        case .closeIdle(let wait, let announces):
            [wait == .zero ? nil : .duration(wait), announces ? .flag(true) : nil]
        case .expire(let reach): [reach == .signature ? nil : .text(reach.rawValue)]
        case .pause(let gate): [.text(gate)]
        case .edit(let edit): edit.parameterValues
        case .pace(.throttle(let input, let output, let burst)):
            [input, output, burst].map { $0.map { .number($0) } }
        case .pace(.dribble(let chunks, let time)): [.number(chunks), .duration(time)]
        case .pace(.stallBursts(let on, let off)): [.duration(on), .duration(off)]
        case .foreignPage(let page): [page.html.map { .text($0) }, page.location.map { .text($0) }]
        case .redirect(let redirect):
            [.text(redirect.kind.rawValue), .text(redirect.region), redirect.endpoint.map { .text($0) }]
        case .tls(.hang), .tls(.close), .tls(.truncate): []
        case .tls(.alert(let alert)): [.text(alert.text)]
        case .tls(.certificate(let fault)): [.text(fault.rawValue)]
        case .drawnDelay, .respond, .respondEarly: []
        }
    }

    /// An action of that name as people would write it.
    package static func example(of name: Name) -> FaultAction {
        switch name {
        case .refuse: .refuse(.seconds(5))
        case .connectHang: .connectHang(.seconds(5))
        case .connectionLimit: .connectionLimit(ConnectionLimit(2, then: .queue))
        case .reset: .reset
        case .close: .close
        case .hang: .hang(.seconds(8))
        case .blackhole: .blackhole
        case .halfClose: .halfClose(.out)
        case .abandon: .abandon
        case .dropAll: .dropAll
        case .closeIdle: .closeIdle(after: .seconds(5), announces: false)
        case .noContinue: .noContinue(.seconds(2))
        case .dropHeader: .edit(.dropHeader("ETag"))
        case .setHeader: .edit(.setHeader(.init(name: "ETag", value: "\"other\"")))
        case .wrongLength: .edit(.wrongLength(.by(10)))
        case .extraInformational: .edit(.extraInformational(status: 103, count: 2))
        case .missingTerminator: .edit(.missingTerminator)
        case .delay: .delay(.milliseconds(200))
        case .truncateHead: .edit(.truncateHead(bytes: 20, .close))
        case .truncateBody: .edit(.truncateBody(at: .percent(50), .reset))
        case .garbage: .edit(.garbage(.before))
        case .duplicateResponse: .edit(.duplicateResponse)
        case .wrongETag: .edit(.wrongETag)
        case .wrongChecksumHeader: .edit(.wrongChecksumHeader)
        case .zombie: .zombie(after: .seconds(5))
        case .crash: .crash(restart: .seconds(2), forgetsUnsynced: false)
        case .throttle: .pace(.throttle(in: 20_000, out: 20_000, burst: nil))
        case .dribble: .pace(.dribble(chunks: 5, over: .seconds(2)))
        case .stallBursts: .pace(.stallBursts(on: .seconds(20), off: .seconds(7)))
        case .respond: .respond(InjectedAnswer(code: .slowDown, retryAfter: 2))
        case .respondEarly: .respondEarly(InjectedAnswer(code: .accessDenied))
        case .foreignPage: .foreignPage(ForeignPage())
        case .redirect: .redirect(InjectedRedirect(.temporary, endpoint: "127.0.0.1:9000"))
        case .expire: .expire(.signature)
        case .revoke: .revoke
        case .pin: .pin(Pins(contentType: "image/png"))
        case .quota: .quota(Quota(requests: .init(5, per: .seconds(1))))
        case .pause: .pause(gate: "gate1")
        case .loseWrite, .tornWrite, .corruptStored, .corruptRead, .duplicate, .visibility, .staleRead, .diskFull,
            .ioError, .slowDisk:
            .store(.example(of: name))
        case .tlsHang: .tls(.hang)
        case .tlsClose: .tls(.close)
        case .tlsAlert: .tls(.alert(TLSAlert(40)))
        case .tlsCert: .tls(.certificate(.expired))
        case .tlsTruncate: .tls(.truncate)
        }
    }
}
