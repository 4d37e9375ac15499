/// How many attempts of an operation a run strikes.
package enum SweepAttempts: String, CaseIterable, Sendable {
    /// One, on a fresh connection or on a reused one: most clients have an answer to that.
    case first
    /// Two, so that a client which tries twice only is found out.
    case two
    /// Every one: nobody can succeed, and what counts is what the client says.
    case all

    /// In front of the action in a rule's one-line form.
    var prefix: String {
        switch self {
        case .first: "1*"
        case .two: "2*"
        case .all: ""
        }
    }
}
