/// What became of a run. Raw values are the names in JSON and JUnit reports.
package enum SweepOutcome: String, CaseIterable, Sendable {
    /// Exit code 0, and stored is what has to be.
    case survived
    /// The same, and the same bytes were stored more often than without faults.
    case rewritten
    /// It failed and said so, where it had to.
    case gaveUp = "gave-up"
    /// It failed and said so, where a further attempt would have worked.
    case gaveUpEarly = "gave-up-early"
    /// It said that it failed, and had been told of success.
    case falseAlarm = "false-alarm"
    /// It said that it succeeded, and something is missing or has other bytes.
    case lied
    /// Objects are there twice, or content was changed more often than without faults.
    case duplicated
    /// It left an upload open, or a check failed.
    case brokeCheck = "broke-check"
    /// It had to be killed.
    case hung
    /// A signal ended it.
    case crashed
    /// It failed, and nothing had struck it.
    case unsteady
    /// The rule struck nothing: what it waits for did not come.
    case notStruck = "not-struck"

    package enum Colour: String, Sendable { case green, yellow, red, grey }

    /// `mustSurvive`: giving up is wrong wherever a further attempt would have worked.
    package func colour(mustSurvive: Bool) -> Colour {
        switch self {
        case .survived, .rewritten, .gaveUp: .green
        case .gaveUpEarly, .falseAlarm: mustSurvive ? .red : .yellow
        case .lied, .duplicated, .brokeCheck, .hung, .crashed, .unsteady: .red
        case .notStruck: .grey
        }
    }

    /// One column wide, and told apart without colours.
    package var symbol: Character {
        switch self {
        case .survived: "✓"
        case .rewritten: "2"
        case .gaveUp: "–"
        case .gaveUpEarly: "~"
        case .falseAlarm: "?"
        case .lied: "L"
        case .duplicated: "D"
        case .brokeCheck: "C"
        case .hung: "H"
        case .crashed: "X"
        case .unsteady: "U"
        case .notStruck: "·"
        }
    }

    package var meaning: String {
        switch self {
        case .survived: "survived: exit code 0, and what has to be stored is stored"
        case .rewritten: "survived, and sent again what was stored already: the same bytes were stored more than once"
        case .gaveUp: "gave up and said so: nothing else was possible"
        case .gaveUpEarly: "gave up and said so, although a further attempt would have worked"
        case .falseAlarm: "said that it failed, although it was told of success"
        case .lied: "said that it succeeded, and something is missing or wrong"
        case .duplicated: "stored more than without faults"
        case .brokeCheck: "left an upload open, or failed a check"
        case .hung: "went on past its time and was killed"
        case .crashed: "was ended by a signal"
        case .unsteady: "failed although nothing struck it"
        case .notStruck: "was never struck: the request that the rule waits for did not come"
        }
    }
}
