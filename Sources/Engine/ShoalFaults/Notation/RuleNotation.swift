/// What both forms of a rule say about names they do not know.
enum RuleNotation {
    /// Named by other fault tools or by an earlier plan of ours; refused in words.
    static let withoutGrant =
        "presigned URLs carry no 'grant' of their own: 'per: operation' counts each URL by its signature, and the "
        + "header 'x-shoal-op' names an operation"

    static let withoutRegex =
        "'regex' is not offered, because its time has no bound; a glob says it with '*' and '?', as in "
        + "{\"glob\":\"photos/*.jpg\"}"

    static func unknownCounter(_ name: String) -> String {
        guard name != "grant" else { return withoutGrant }
        return RuleError.unknown("counter", name, among: FaultCount.Key.allCases.map(\.rawValue))
    }

    static func unknownOption(_ name: String) -> String {
        guard name != "grant" else { return withoutGrant }
        let names =
            MatcherLineReader.options.map(\.rawValue) + RuleLineReader.Option.allCases.map(\.rawValue) + [
                "header.NAME", "query.NAME",
            ]
        return RuleError.unknown("option", name, among: names)
    }
}
