import ShoalAdminAPI

extension Shoal {
    /// A fault rule in force, with what it did so far.
    public struct Rule: Sendable, Equatable {
        public let id: String
        /// The one-line form, such as `PutObject @commit.after 1*reset id=r1`.
        public let line: String
        /// Requests that it was about, whether or not it struck them.
        public let matched: Int
        public let fired: Int

        init(_ view: RuleView) {
            id = view.id
            line = view.line
            matched = view.matched
            fired = view.fired
        }
    }
}

extension Shoal.Scope {
    /// Puts rules in force: a one-line rule such as `PutObject photos/* @commit.after 2*reset`, several on lines of their
    /// own, or JSON. They strike from now on, on open connections too. Throws with the place of the first thing that is
    /// wrong, and then none of them is in force.
    @discardableResult
    public func fault(_ text: String) throws -> [Shoal.Rule] {
        let list: RuleList = try shoal.ask(.post, path("rules"), Array(text.utf8))
        return list.rules.map(Shoal.Rule.init)
    }

    /// Puts the rules of a scene in force that has a name, such as `lost-answer` or `captive-portal`, in place of its own if
    /// it was applied before; `shoal preset ls` lists them all, and `verify(preset:)` asks for what the app should do then.
    ///
    /// ```swift
    /// try scope.preset("lost-answer", ["times": "2", "key": "photos/*"])
    /// ```
    ///
    /// Throws for a preset or a parameter that is none, with the nearest name, and then nothing is in force.
    @discardableResult
    public func preset(_ name: String, _ parameters: [String: String] = [:]) throws -> [Shoal.Rule] {
        let wanted = PresetParameters(parameters.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
        let applied: AppliedPreset = try shoal.ask(.post, path("presets", name), wanted.bytes)
        return applied.rules.map(Shoal.Rule.init)
    }

    public func rules() throws -> [Shoal.Rule] {
        let list: RuleList = try shoal.ask(.get, path("rules"))
        return list.rules.map(Shoal.Rule.init)
    }

    public func removeRule(_ id: String) throws { try shoal.send(.delete, path("rules", id)) }

    /// Removes every rule, and lets go what `expire` has taken.
    public func clearFaults() throws { try shoal.send(.delete, path("rules")) }

    /// Lets everybody go on who waits at a gate of `pause`; how many that were.
    @discardableResult
    public func release(gate: String) throws -> Int {
        let answer = try JSONAnswer(try shoal.send(.post, path("gates", gate, "release")))
        return answer.integer("released") ?? 0
    }
}
