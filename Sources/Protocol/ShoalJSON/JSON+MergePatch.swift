extension JSON {
    /// The value with `patch` laid over it: members of objects one by one, `null` takes one away, and anything else
    /// stands in place of what was there.
    /// https://www.rfc-editor.org/rfc/rfc7396
    package func merging(_ patch: JSON) -> JSON {
        guard case .object(let changes) = patch else { return patch }
        var members: [Member] = if case .object(let present) = self { present } else { [] }
        for change in changes {
            let index = members.firstIndex { $0.name == change.name }
            guard change.value != .null else {
                if let index { members.remove(at: index) }
                continue
            }
            let merged = Member(change.name, (index.map { members[$0].value } ?? .null).merging(change.value))
            if let index { members[index] = merged } else { members.append(merged) }
        }
        return .object(members)
    }
}
