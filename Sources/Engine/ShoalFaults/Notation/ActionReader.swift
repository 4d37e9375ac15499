import ShoalS3

/// Reads the action word of a one-line rule: `10%3*hang(8s)->reset`, `pass,reset,SlowDown` or `1.3:reset,2.1:close`.
struct ActionReader {
    private let line: [UInt8]
    private var index: Int
    private let end: Int

    /// `(name, offset of the name)`, such as `("retryAfter", 40)`; name nil for a parameter without one.
    struct Argument {
        let name: String?
        let value: String
        let offset: Int
    }

    struct Step {
        let action: FaultAction
        let offset: Int
    }

    struct Reading {
        var probability: DecimalFraction?
        var times: Int?
        /// One list of actions, or those of the script in its order; an empty one is `pass`.
        var branches: [[Step]] = []
        var script: FaultScript?
    }

    init(_ word: LineTokens.Word, of line: [UInt8]) {
        self.line = line
        index = word.bytes.startIndex
        end = word.bytes.endIndex
    }

    mutating func read() throws(LineTokens.Flaw) -> Reading {
        var reading = Reading()
        reading.probability = try prefix("%", "share, such as 10 or 2.5", DecimalFraction.init(percent:))
        reading.times = try prefix("*", "number of times") { BytePosition.digits($0).flatMap { Int(exactly: $0) } }
        let start = index
        var places: [FaultSchedule.Place] = []
        repeat {
            let offset = index
            if let place = try place() {
                guard !places.contains(place) else { throw flaw("the place is given twice", at: offset) }
                places.append(place)
            }
            reading.branches.append(try branch())
        } while skip(",")
        guard index == end else { throw flaw("'->' and another action are due here, or the end") }
        reading.script = try script(of: reading.branches, at: places, start)
        return reading
    }

    private mutating func branch() throws(LineTokens.Flaw) -> [Step] {
        if isPass { index += 4; return [] }
        var steps: [Step] = []
        repeat {
            let start = index
            steps.append(Step(action: try action(), offset: start))
        } while skip("->")
        return steps
    }

    /// Whether `pass` stands here as a step of its own.
    private var isPass: Bool {
        let rest = line[index..<end]
        return rest.starts(with: "pass".utf8) && (rest.count == 4 || rest[index + 4] == UInt8(ascii: ","))
    }

    private func script(
        of branches: [[Step]], at places: [FaultSchedule.Place], _ start: Int
    ) throws(LineTokens.Flaw) -> FaultScript? {
        let actions = branches.map { $0.map(\.action) }
        if places.isEmpty {
            guard branches.count > 1 || branches[0].isEmpty else { return nil }
            return .sequence(FaultSequence(actions))
        }
        guard places.count == branches.count else {
            throw flaw("each step of a schedule has its place in front of it, as in 1.3:reset", at: start)
        }
        return .schedule(FaultSchedule(Dictionary(uniqueKeysWithValues: zip(places, actions))))
    }

    /// `1.3:`, the third match of the first counter; nil if no place stands here.
    private mutating func place() throws(LineTokens.Flaw) -> FaultSchedule.Place? {
        let stop = line[index..<end].firstIndex { !FaultRule.isNameByte($0) } ?? end
        guard stop < end, line[stop] == UInt8(ascii: ":") else { return nil }
        let numbers = text(index..<stop).split(separator: ".", omittingEmptySubsequences: false)
            .map { BytePosition.digits($0).flatMap { Int(exactly: $0) } }
        guard numbers.count == 2, let counter = numbers[0], let arrival = numbers[1], counter > 0, arrival > 0 else {
            throw flaw("'\(text(index..<stop))' is no place, such as 1.3 for the third match of the first counter")
        }
        index = stop + 1
        return .init(counter: counter, arrival: arrival)
    }

    private func flaw(_ message: String, at offset: Int? = nil) -> LineTokens.Flaw {
        LineTokens.Flaw(offset: offset ?? index, message: message)
    }

    private mutating func skip(_ mark: String) -> Bool {
        guard line[index..<end].starts(with: mark.utf8) else { return false }
        index += mark.utf8.count
        return true
    }

    private func text(_ range: Range<Int>) -> String { String(decoding: line[range], as: UTF8.self) }

    /// What stands before `mark`, if that comes before any parameter.
    private mutating func prefix<Value>(
        _ mark: Unicode.Scalar, _ what: String, _ value: (String) -> Value?
    ) throws(LineTokens.Flaw) -> Value? {
        let stops = [UInt8(ascii: mark), UInt8(ascii: "("), UInt8(ascii: ",")]
        let stop = line[index..<end].firstIndex { stops.contains($0) } ?? end
        guard stop < end, line[stop] == UInt8(ascii: mark) else { return nil }
        guard let read = value(text(index..<stop)) else { throw flaw("'\(text(index..<stop))' is no \(what)") }
        index = stop + 1
        return read
    }

    private mutating func action() throws(LineTokens.Flaw) -> FaultAction {
        let start = index
        while index < end, FaultRule.isNameByte(line[index]), !line[index..<end].starts(with: "->".utf8) { index += 1 }
        let word = text(start..<index)
        guard !word.isEmpty else { throw flaw("an action is due here, such as reset or SlowDown") }
        let name = FaultAction.Name(rawValue: word)
        let code = S3Error.Code(rawValue: word)
        guard name != nil || code != nil else { throw flaw(ActionNotation.unknownAction(word), at: start) }
        let arguments = try arguments()
        if let code { return .respond(try answer(InjectedAnswer(code: code), word, arguments, start)) }
        switch name {
        case .respond: return .respond(try answer(InjectedAnswer(), word, arguments, start))
        case .respondEarly: return .respondEarly(try answer(InjectedAnswer(), word, arguments, start))
        case .delay: return try delay(arguments, at: start)
        case let name?: return try action(name, arguments, start)
        case nil: preconditionFailure("a word that is neither was refused")
        }
    }

    private func action(
        _ name: FaultAction.Name, _ arguments: [Argument], _ start: Int
    ) throws(LineTokens.Flaw) -> FaultAction {
        do throws(ActionParameters.Flaw) {
            return try FaultAction(
                ActionParameters(name, arguments.map { .init(name: $0.name, text: $0.value) }))
        } catch {
            switch error {
            case .parameter(let place, let message): throw flaw(message, at: arguments[place].offset)
            case .action(let message): throw flaw(message, at: start)
            case .missing: throw flaw(Self.missing(name), at: start)
            }
        }
    }

    private static func missing(_ name: FaultAction.Name) -> String {
        "'\(name.rawValue)' needs its parameter, as in \(FaultAction.example(of: name).text)"
    }
}

// MARK: - Arguments

extension ActionReader {
    private mutating func arguments() throws(LineTokens.Flaw) -> [Argument] {
        guard skip("(") else { return [] }
        var arguments: [Argument] = []
        while true {
            skipBlanks()
            if arguments.isEmpty && skip(")") { return [] }
            arguments.append(try argument())
            skipBlanks()
            if skip(")") { return arguments }
            guard skip(",") else { throw flaw("',' or ')' is due here") }
        }
    }

    private mutating func skipBlanks() {
        while index < end && (line[index] == UInt8(ascii: " ") || line[index] == 0x09) { index += 1 }
    }

    private mutating func argument() throws(LineTokens.Flaw) -> Argument {
        let start = index
        var name: String?
        let nameEnd = line[index..<end].firstIndex { !FaultRule.isNameByte($0) } ?? end
        if nameEnd > start, nameEnd < end, line[nameEnd] == UInt8(ascii: "=") {
            name = text(start..<nameEnd)
            index = nameEnd + 1
        }
        let valueStart = index
        if index < end, line[index] == UInt8(ascii: "\"") {
            index = try LineTokens.closingQuote(ofQuoteAt: index, in: line) + 1
        } else {
            while index < end, line[index] != UInt8(ascii: ","), line[index] != UInt8(ascii: ")") { index += 1 }
        }
        var valueEnd = index
        while valueEnd > valueStart, line[valueEnd - 1] == UInt8(ascii: " ") { valueEnd -= 1 }
        guard valueEnd > valueStart else { throw flaw("a value is due here", at: valueStart) }
        guard let value = QuotedText.value(line[valueStart..<valueEnd]) else {
            throw flaw("the value holds an unknown escape", at: valueStart)
        }
        return Argument(name: name, value: value, offset: start)
    }

    /// The one parameter of an action that has one, with or without its name.
    private func single(
        _ arguments: [Argument], _ name: String, of action: String, at start: Int
    ) throws(LineTokens.Flaw) -> Argument {
        guard let argument = arguments.first else { throw flaw(Self.missing(.delay), at: start) }
        if let given = argument.name, given != name {
            throw flaw(ActionNotation.unknownParameter(given, of: action, among: [name]), at: argument.offset)
        }
        if arguments.count > 1 { throw flaw("'\(action)' takes one parameter", at: arguments[1].offset) }
        return argument
    }

    /// `delay(200ms)`, or `delay(lognormal,median=400ms,sigma=0.8)`.
    private func delay(_ arguments: [Argument], at start: Int) throws(LineTokens.Flaw) -> FaultAction {
        guard let first = arguments.first, first.name == nil,
            let name = DelayDistribution.Name(rawValue: first.value)
        else {
            return .delay(try wait(try single(arguments, "ms", of: "delay", at: start)))
        }
        var reading = DelayReading(name)
        for argument in arguments.dropFirst() {
            guard let given = argument.name else {
                throw flaw("a name is due here, as in \(reading.example)", at: argument.offset)
            }
            if let message = reading.set(given, argument.value) { throw flaw(message, at: argument.offset) }
        }
        guard let distribution = reading.distribution else {
            throw flaw("'\(name.rawValue)' needs its parameters, as in \(reading.example)", at: first.offset)
        }
        return .drawnDelay(distribution)
    }

    private func wait(_ argument: Argument) throws(LineTokens.Flaw) -> Duration {
        let text = argument.name == nil ? argument.value : argument.value + "ms"
        guard let milliseconds = DurationText.milliseconds(text) else {
            throw flaw("'\(argument.value)' is no duration, such as 200ms, 8s or 1m30s", at: argument.offset)
        }
        return .milliseconds(milliseconds)
    }

    /// `respond(503,SlowDown,retryAfter=2)`: a number without a name is the status, a word the code.
    private func answer(
        _ usual: InjectedAnswer, _ action: String, _ arguments: [Argument], _ start: Int
    ) throws(LineTokens.Flaw) -> InjectedAnswer {
        var answer = usual
        var given: Set<String> = usual.code == nil ? [] : [InjectedAnswer.Parameter.code.rawValue]
        for argument in arguments {
            let name = argument.name ?? (BytePosition.digits(argument.value) == nil ? "code" : "status")
            guard given.insert(name.lowercased()).inserted else {
                throw flaw("'\(name)' is given twice", at: argument.offset)
            }
            if name.hasPrefix("header.") {
                answer.fields.append(.init(name: String(name.dropFirst(7)), value: argument.value))
                continue
            }
            guard let parameter = InjectedAnswer.Parameter(rawValue: name), parameter != .headers else {
                let names =
                    InjectedAnswer.Parameter.allCases.filter { $0 != .headers }.map(\.rawValue) + ["header.NAME"]
                throw flaw(ActionNotation.unknownParameter(name, of: action, among: names), at: argument.offset)
            }
            if let reason = answer.set(parameter, argument.value) { throw flaw(reason, at: argument.offset) }
        }
        return answer
    }
}
