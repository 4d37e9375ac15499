import ShoalFaults
import ShoalHTTP
import ShoalNet

/// What rules have prepared for an answer that is still to come. Made only when one of them strikes.
final class PreparedAnswer {
    private var edits: [AnswerEdit] = []
    /// The first that was said of the body's framing and of the answer's end; others do not count.
    private var framing: AnswerEdit?
    private var idleTime: Duration?
    private var announcesClose = false
    private var closesBehind = false
    private var withheldContinue: Duration??
    /// The rule and the point of the first edit, which the answer tells.
    private var mark: String?
    /// What follows the bytes that are being sent, in order.
    private var pieces: [() -> Directive] = []

    func add(_ step: Strike.Step, at point: FaultPoint) {
        switch step.action {
        case .closeIdle(let wait, let announces): (idleTime, announcesClose) = (wait, announces)
        case .noContinue(let wait): withheldContinue = .some(wait)
        case .edit(let edit):
            if edit.decidesFraming { framing = framing ?? edit } else { edits.append(edit) }
            mark = mark ?? "\(step.rule) at \(point.rawValue)"
        default: preconditionFailure("'\(step.action.name)' is played at its point")
        }
    }

    var endsConnection: Bool { announcesClose }

    /// How the body is taken, if not as usual.
    var bodyDirective: Directive? { withheldContinue.map { .receiveBodyUnasked(continueAfter: $0) } }
}

// MARK: - The answer

extension PreparedAnswer {
    /// Changes the answer to `request`, which is otherwise complete.
    func edit(_ response: inout HTTPResponse, to request: RequestHead) {
        for edit in edits {
            switch edit {
            case .dropHeader(let name): response.removeLines(named: name)
            case .setHeader(let field):
                response.removeLines(named: field.name)
                response.add(name: field.name, value: field.value)
            case .wrongETag: response.changeValues(of: { $0 == "etag" }, Self.falsified)
            case .wrongChecksumHeader:
                response.changeValues(
                    of: { $0.hasPrefix("x-amz-checksum-") && $0 != "x-amz-checksum-type" }, Self.falsified)
            default: break
            }
        }
        frame(&response, to: request)
        guard let mark else { return }
        response.removeLines(named: "x-shoal-fault")
        response.add("x-shoal-fault", mark)
    }

    /// The value with another one in place of its first letter or digit, so that it is as plausible as before.
    private static func falsified(_ value: String) -> String {
        guard let index = value.firstIndex(where: { $0.isLetter || $0.isNumber }) else { return value }
        var changed = value
        changed.replaceSubrange(index...index, with: value[index] == "0" ? "1" : "0")
        return changed
    }

    private func frame(_ response: inout HTTPResponse, to request: RequestHead) {
        switch framing {
        case .wrongLength(.absent)?:
            response.length = .omitted
            // Nothing else ends a body without a length.
            response.endsConnection = true
        case .wrongLength(.by(let error))?:
            let right: UInt64? =
                switch response.length {
                case .declared(let count): count
                case .ofBody: response.status.forbidsBody ? nil : response.body.byteCount
                case .omitted, .unterminated: nil
                }
            guard let right else { return }
            let wrong = right.addingReportingOverflow(UInt64(bitPattern: error)).partialValue
            response.length = .declared(error < 0 && right < error.magnitude ? 0 : wrong)
        case .missingTerminator? where request.method != .head && !response.status.forbidsBody:
            response.length = .unterminated
        default: break
        }
    }

    /// Sends the answer to `request`, and what goes before it; `whenDue` is called when the answer itself begins.
    func begin(_ response: HTTPResponse, to request: RequestHead, whenDue: @escaping () -> Void) -> Directive {
        let informational = request.isVersion1_0 ? [] : informationalAnswers
        if response.length == .unterminated {
            if response.body.byteCount > 0 { pieces.append { .send(Array("\r\n".utf8)) } }
            closesBehind = true
        }
        if framing == .duplicateResponse { pieces.append { .respond(response) } }
        if putsGarbageBehindHead { pieces.append { .close } }
        let answer: () -> Directive
        if framing == .garbage(.before) {
            pieces = [{ .close }]
            answer = { .send(Self.garbage) }
        } else {
            answer = {
                whenDue()
                return .respond(response)
            }
        }
        guard !informational.isEmpty else { return answer() }
        pieces.insert(answer, at: 0)
        return .send(informational)
    }

    /// No HTTP in any reading: neither a status line nor anything that ends a line.
    static let garbage: [UInt8] = (0..<64).map { [0x00, 0xFF, 0x7F, 0x80][$0 % 4] }

    var putsGarbageBehindHead: Bool { framing == .garbage(.after) }

    /// Bytes of the head that are sent of it, and what follows them.
    var headCut: (end: UInt64, ending: AnswerEdit.CutEnding)? {
        if case .truncateHead(let count, let ending)? = framing { (count, ending) } else { nil }
    }

    /// Bytes that are sent of a body of `length`, and what follows them; nil if it is not cut.
    func bodyCut(in length: UInt64) -> (end: UInt64, ending: AnswerEdit.CutEnding)? {
        guard case .truncateBody(let position, let ending)? = framing, length > 0 else { return nil }
        // No cut is left to chance.
        return position.offset(in: length, u: 0).map { ($0, ending) }
    }

    private var informationalAnswers: [UInt8] {
        var bytes: [UInt8] = []
        for case .extraInformational(let status, let count) in edits {
            for _ in 0..<count { HTTPResponse(HTTPStatus(Int(status))).writeHead(into: &bytes, closes: false) }
        }
        return bytes
    }

    /// What follows the bytes that were sent; nil once the answer is over.
    func nextPiece() -> Directive? { pieces.isEmpty ? nil : pieces.removeFirst()() }

    /// What follows the last byte of the answer.
    var afterwards: Directive {
        if closesBehind { return .close }
        return switch idleTime {
        case nil: .proceed
        case .zero: .close
        case let wait?: announcesClose ? .wait(wait) { .close } : .park(wait)
        }
    }
}
