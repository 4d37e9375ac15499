extension StoreFault {
    /// The fault that the parameters make.
    init(_ parameters: ActionParameters) throws(ActionParameters.Flaw) {
        switch parameters.action {
        case .loseWrite: self = .loseWrite
        case .tornWrite: self = .tornWrite(at: try parameters.position("at") ?? .percent(50))
        case .corruptStored: self = .corruptStored(try Corruption(parameters))
        case .corruptRead: self = .corruptRead(try Corruption(parameters))
        case .duplicate:
            self = .duplicate(
                times: try parameters.number("times") ?? 2, every: try parameters.duration("everyMs") ?? .zero)
        case .visibility:
            self = .visibility(
                Invisibility(
                    time: try parameters.duration("forMs"), reads: try parameters.number("reads"),
                    kind: try parameters.word("of", "kind of reading")))
        case .staleRead: self = .staleRead(versions: try parameters.number("versions") ?? 1)
        case .diskFull:
            self = .diskFull(
                after: try parameters.byteCount("after") ?? 0,
                try parameters.word("status", "status of a full disk") ?? .unavailable)
        case .ioError:
            self = .ioError(
                IOFailure(
                    error: try parameters.word("error", "error of 'ioError'") ?? .EIO,
                    step: try parameters.word("step", "step of 'ioError'"),
                    after: try parameters.byteCount("after") ?? 0))
        case .slowDisk:
            self = .slowDisk(
                SlowDisk(
                    operation: try parameters.duration("opMs"), rate: try parameters.byteCount("rate"),
                    sync: try parameters.duration("syncMs")))
        default: preconditionFailure("'\(parameters.action)' is no fault of the store")
        }
    }

    /// The values of `name.parameters`, in their order; nil for what need not be said.
    var parameterValues: [ActionValue?] {
        switch self {
        case .loseWrite: []
        case .tornWrite(let position): [.text(position.text)]
        case .corruptStored(let corruption), .corruptRead(let corruption):
            [
                .text(corruption.at.text), corruption.xor == 1 ? nil : .number(UInt64(corruption.xor)),
                corruption.count == 1 ? nil : .number(corruption.count),
            ]
        case .duplicate(let times, let wait): [.number(times), wait == .zero ? nil : .duration(wait)]
        case .visibility(let invisibility):
            [
                invisibility.time.map { .duration($0) }, invisibility.reads.map { .number($0) },
                invisibility.kind.map { .text($0.rawValue) },
            ]
        case .staleRead(let count): [.number(count)]
        case .diskFull(let count, let status):
            [count == 0 ? nil : .number(count), status == .unavailable ? nil : .text(status.rawValue)]
        case .ioError(let failure):
            [
                .text(failure.error.rawValue), failure.step.map { .text($0.rawValue) },
                failure.after == 0 ? nil : .number(failure.after),
            ]
        case .slowDisk(let slowness):
            [
                slowness.operation.map { .duration($0) }, slowness.rate.map { .number($0) },
                slowness.sync.map { .duration($0) },
            ]
        }
    }

    /// A fault of that name as people would write it.
    static func example(of name: FaultAction.Name) -> StoreFault {
        switch name {
        case .loseWrite: .loseWrite
        case .tornWrite: .tornWrite(at: .percent(50))
        case .corruptStored: .corruptStored(Corruption(at: .percent(50), xor: 1, count: 1))
        case .corruptRead: .corruptRead(Corruption(at: .percent(50), xor: 1, count: 1))
        case .duplicate: .duplicate(times: 2, every: .zero)
        case .visibility: .visibility(Invisibility(time: .seconds(3), reads: nil, kind: nil))
        case .staleRead: .staleRead(versions: 1)
        case .diskFull: .diskFull(after: 0, .unavailable)
        case .ioError: .ioError(IOFailure(error: .EIO, step: nil, after: 0))
        case .slowDisk: .slowDisk(SlowDisk(operation: .milliseconds(50), rate: nil, sync: nil))
        default: preconditionFailure("'\(name)' is no fault of the store")
        }
    }
}

extension StoreFault.Corruption {
    fileprivate init(_ parameters: ActionParameters) throws(ActionParameters.Flaw) {
        self.init(
            at: try parameters.position("at") ?? .percent(50),
            xor: try parameters.value("xor", "a number from 1 to 255") {
                BytePosition.digits($0).flatMap(UInt8.init(exactly:))
            } ?? 1,
            count: try parameters.number("count") ?? 1)
    }
}
