import ShoalS3

extension Quota {
    init(_ parameters: ActionParameters) throws(ActionParameters.Flaw) {
        let what = "so much in a time, such as 5/s, 20/minute or 10MiB/day"
        self.init(
            requests: try parameters.value("requests", what) { Allowance(text: $0) },
            bytes: try parameters.value("bytes", what) { Allowance(text: $0) })
        guard let word = parameters.text("then") else { return }
        guard let code = S3Error.Code(rawValue: word) else {
            throw parameters.flaw(
                "then", RuleError.unknown("S3 error code", word, among: S3Error.Code.allCases.map(\.rawValue)))
        }
        then = code
    }

    var parameterValues: [ActionValue?] {
        [
            requests.map { .text($0.text) }, bytes.map { .text($0.text) },
            then == Self.usualCode ? nil : .text(then.rawValue),
        ]
    }
}

extension Quota.Allowance {
    /// `5/s`, `20/minute`, `10MiB/day`, `3/30s`; nil for anything else.
    init?(text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, case .bytes(let amount)? = BytePosition(parts[0]),
            let per = parts[1] == "s" ? .seconds(1) : FaultCount.Budget.duration(parts[1])
        else { return nil }
        self.init(amount, per: per)
    }

    var text: String { "\(amount)/\(FaultCount.Budget(firings: 1, per: per).perText)" }
}
