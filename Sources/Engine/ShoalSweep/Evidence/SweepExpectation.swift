/// What has to be stored when the command says that it succeeded: what two runs without faults left, as far as they agree.
package struct SweepExpectation: Equatable, Sendable {
    package enum Precision: String, Sendable {
        /// The same keys with the same bytes.
        case objects
        /// The same bytes, under keys that differ from run to run.
        case contents
        /// So many objects in each bucket, of bytes that differ from run to run.
        case counts
    }

    package let precision: Precision
    private let objects: [SweepEvidence.StoredObject]
    /// Commits of content in a run without faults, and those of them that changed something.
    let commits: (all: Int, changes: Int)
    /// Uploads in parts that such a run leaves open.
    let orphanCount: Int

    package init(_ first: SweepEvidence, _ second: SweepEvidence) {
        objects = first.objects.sorted()
        commits = (
            max(first.commits.all, second.commits.all), max(first.commits.changes, second.commits.changes)
        )
        orphanCount = max(first.orphanCount, second.orphanCount)
        if objects == second.objects.sorted() {
            precision = .objects
        } else if Self.contents(first.objects) == Self.contents(second.objects) {
            precision = .contents
        } else {
            precision = .counts
        }
    }

    package var objectCount: Int { objects.count }

    /// In words, for reports.
    package var words: String {
        let number = objects.count == 1 ? "1 object" : "\(objects.count) objects"
        switch precision {
        case .objects: return "\(number), the same keys and bytes in each run"
        case .contents: return "\(number), the same bytes under other keys in each run"
        case .counts: return "\(number), other bytes in each run, so that only their number is compared"
        }
    }

    /// What is wrong with what a run left.
    package struct Difference: Equatable, Sendable {
        /// Names of objects that are not there, or how many.
        package var missing: [String] = []
        package var wrong: [String] = []
        package var surplus: [String] = []

        package var isEmpty: Bool { missing.isEmpty && wrong.isEmpty && surplus.isEmpty }

        /// `photos/a is missing`
        package var words: String {
            let parts = [(missing, "missing"), (wrong, "stored with other bytes"), (surplus, "there in addition")]
            return parts.filter { !$0.0.isEmpty }.map { names, state in
                let shown = names.prefix(3).joined(separator: ", ") + (names.count > 3 ? " and others" : "")
                return "\(shown) \(names.count == 1 ? "is" : "are") \(state)"
            }.joined(separator: "; ")
        }
    }

    /// Whether the right bytes are there, under keys that a run without faults did not choose: a client may take a new key for
    /// each attempt.
    func isMoved(_ found: [SweepEvidence.StoredObject]) -> Bool {
        precision == .objects && found.sorted() != objects && Self.contents(found) == Self.contents(objects)
    }

    package func difference(_ found: [SweepEvidence.StoredObject]) -> Difference {
        switch precision {
        case .objects: isMoved(found) ? Difference() : differenceByKey(found)
        case .contents:
            difference(Self.contents(found), Self.contents(objects)) { content in
                found.first { Self.content($0) == content }?.name
            }
        case .counts: difference(Self.counts(found), Self.counts(objects)) { _ in nil }
        }
    }

    private func differenceByKey(_ found: [SweepEvidence.StoredObject]) -> Difference {
        var difference = Difference()
        let byName = Dictionary(found.map { ($0.name, $0) }) { first, _ in first }
        for object in objects {
            switch byName[object.name] {
            case nil: difference.missing.append(object.name)
            case let other? where other != object: difference.wrong.append(object.name)
            default: break
            }
        }
        let names = Set(objects.map(\.name))
        difference.surplus = found.sorted().map(\.name).filter { !names.contains($0) }
        return difference
    }

    private func difference(
        _ found: [String: Int], _ wanted: [String: Int], name: (String) -> String?
    ) -> Difference {
        var difference = Difference()
        for key in Set(found.keys).union(wanted.keys).sorted() {
            let count = (found[key] ?? 0) - (wanted[key] ?? 0)
            if count < 0 { difference.missing.append("\(-count) of \(key)") }
            if count > 0 { difference.surplus.append(name(key) ?? "\(count) of \(key)") }
        }
        return difference
    }

    private static func content(_ object: SweepEvidence.StoredObject) -> String {
        "\(object.size) bytes \(object.sha256.prefix(12)) in \(object.bucket)"
    }

    private static func contents(_ objects: [SweepEvidence.StoredObject]) -> [String: Int] {
        objects.reduce(into: [:]) { $0[content($1), default: 0] += 1 }
    }

    private static func counts(_ objects: [SweepEvidence.StoredObject]) -> [String: Int] {
        objects.reduce(into: [:]) { $0["the objects in \($1.bucket)", default: 0] += 1 }
    }

    package static func == (left: SweepExpectation, right: SweepExpectation) -> Bool {
        left.precision == right.precision && left.objects == right.objects && left.commits == right.commits
            && left.orphanCount == right.orphanCount
    }
}
