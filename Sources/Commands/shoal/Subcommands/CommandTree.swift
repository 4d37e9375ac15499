/// Every subcommand, in the order of `shoal help`.
enum CommandTree {
    static let all: [any Subcommand.Type] = [
        Serve.self, Health.self, AuthorityPrint.self, Presign.self, Credentials.self, Explain.self, Seed.self,
        FaultAdd.self,
        FaultList.self, FaultExport.self, FaultRemove.self, FaultClear.self, PresetListing.self, PresetShow.self,
        PresetApply.self, GateRelease.self, ScopeNew.self, ScopeListing.self,
        ScopeRemove.self, Clock.self, Lifecycle.self, Journal.self, Timeline.self, Verify.self,
        Sweep.self, Notifications.self, Reset.self, Fsck.self, Completion.self, Help.self, Version.self,
    ]

    static var declarations: [CommandDeclaration] { all.map { $0.declaration } }

    static let about =
        "shoal: a local S3 that refuses what S3 refuses, keeps what it acknowledged, and breaks on request."

    /// What the lists of a group start with.
    static let groups: [(path: [String], about: String)] = [
        ([], about), (["fault"], "Rules that break requests on purpose, at a named point of their life."),
        (["preset"], "Scenes that a phone developer knows by name: rules, and what an app should do under them."),
        (["gate"], "Where the action `pause` makes requests wait."),
        (["scope"], "Isolated worlds: tests beside each other that see nothing of each other."),
    ]

    /// What the first words of a command line lead to.
    enum Match {
        case command(any Subcommand.Type, rest: ArraySlice<String>)
        /// A group of commands, without one of them.
        case group([String], about: String)
    }

    /// Throws a `UsageError` with the nearest name for a word that leads nowhere.
    static func find(_ words: ArraySlice<String>) throws(UsageError) -> Match {
        let named = words.prefix { !$0.hasPrefix("-") }
        for length in stride(from: min(2, named.count), to: 0, by: -1) {
            guard let type = all.first(where: { $0.declaration.path == Array(named.prefix(length)) }) else { continue }
            return .command(type, rest: words.dropFirst(length))
        }
        let group = groups.last { named.starts(with: $0.path) } ?? groups[0]
        guard let unknown = named.dropFirst(group.path.count).first else {
            return .group(group.path, about: group.about)
        }
        throw .unknown("command", unknown, among: members(of: group.path))
    }

    /// The words that may follow `path`.
    static func members(of path: [String]) -> [String] {
        var members: [String] = []
        for declaration in declarations where declaration.path.starts(with: path) {
            guard let member = declaration.path.dropFirst(path.count).first, !members.contains(member) else { continue }
            members.append(member)
        }
        return members
    }
}
