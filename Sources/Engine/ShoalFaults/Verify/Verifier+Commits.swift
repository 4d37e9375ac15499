/// What was stored, and how often.
extension Verifier {
    func judgeOneCommit(_ check: Check) -> Judgement {
        let objects = objects(check).filter { $0.attempts.contains(where: \.writesContent) }
        guard !objects.isEmpty else {
            let isNamed = check.has(.op) || check.has(.key) || check.has(.bucket)
            let reason = nothing(for: check)
            return isNamed ? .fail(.init(reason: "nothing was committed: \(reason)")) : .notApplicable(reason)
        }
        return .all(objects.map { judgeOneCommit(of: $0, check) }, otherwise: nothing(for: check))
    }

    private func judgeOneCommit(of object: ObjectAttempts, _ check: Check) -> Judgement {
        let commits = object.attempts.filter(\.committedContent).sorted { $0.commitSeq < $1.commitSeq }
        guard let first = commits.first else {
            return failure(object, "\(object.title) was never committed", wouldPass: "the same with one commit")
        }
        var changes = [first]
        for (before, commit) in zip(commits, commits.dropFirst()) where !commit.repeatsContent(of: before) {
            changes.append(commit)
        }
        let repeats = commits.count - changes.count
        guard changes.count == 1 else {
            return failure(
                object, "\(changes.count) commits changed the content of \(object.title)",
                wouldPass: "the same without the commits of \(Self.marks(changes.dropFirst()))")
        }
        guard repeats == 0 || check.isOn(.allowIdenticalRewrite) else {
            return failure(
                object, "\(object.title) was committed \(commits.count) times with the same content",
                wouldPass: check.with(.allowIdenticalRewrite, .flag(true)).line)
        }
        let also = repeats == 0 ? "" : ", and \(repeats) with the same content"
        return .pass("\(object.title) has one commit\(also)")
    }

    private static func marks(_ attempts: some Sequence<Attempt>) -> String {
        attempts.map(\.mark).joined(separator: ", ")
    }

    func judgeNoCommit(_ check: Check) -> Judgement {
        each(check) { operation in
            let commits = operation.attempts.filter { $0.commit != nil }
            guard let first = commits.first else { return .pass("\(operation.title) left nothing") }
            return failure(
                operation, "\(first.mark) of \(operation.title) was committed",
                wouldPass: "the same without the commits of \(Self.marks(commits))")
        }
    }

    func judgeNotifiedAfterCommit(_ check: Check) -> Judgement {
        guard let pattern = check.pattern(.note) else { return .notApplicable("no note is named") }
        let notes = history.notes.filter { pattern.matches(Array($0.text.utf8)[...]) }
        guard let note = notes.first else {
            let nearest = NearestName.of(pattern.lineText, among: history.notes.map(\.text))
            return .fail(
                .init(reason: "no such note was written" + (nearest.map { "; the nearest is '\($0)'" } ?? "")))
        }
        let attempts =
            check.has(.op)
            ? operations(check).flatMap(\.attempts) : history.attempts.filter { isMeant($0, by: check) }
        let commits = attempts.filter(\.committedContent)
        guard let first = commits.min(by: { $0.commitSeq < $1.commitSeq }) else {
            return .fail(
                .init(
                    reason: "the note '\(note.text)' was written and nothing was committed", title: "attempts",
                    attempts: attempts.filter(\.sendsContent), notes: [note], wouldPass: "a commit before the note"))
        }
        guard first.commitSeq > note.seq else { return .pass("the note came after the commit of \(first.target)") }
        return .fail(
            .init(
                reason: "the note '\(note.text)' came before the commit of \(first.target)", title: first.target,
                attempts: attempts.filter { $0.target == first.target }, notes: [note],
                wouldPass: "the note behind the commit of \(first.mark)"))
    }

    // MARK: In the store

    func judgeOneVersion(_ check: Check) -> Judgement {
        judgeStored(check) { object in
            guard object.versionCount != 1 else { return nil }
            return ("\(object.bucket)/\(object.key) has \(object.versionCount) versions", "one version")
        }
    }

    func judgeContent(_ check: Check) -> Judgement {
        judgeStored(check) { object in
            var flaws: [String] = []
            var right = check
            if let size = check.count(.size), size != object.size {
                flaws.append("\(object.size) bytes, not \(size)")
                right = right.with(.size, .count(object.size))
            }
            if let type = check.text(.type), type != object.contentType {
                flaws.append("the type \(object.contentType ?? "of none"), not \(type)")
                right = right.with(.type, .text(object.contentType ?? ""))
            }
            if let digest = check.text(.sha256), digest != object.sha256 {
                flaws.append("the SHA-256 \(object.sha256 ?? "of none")")
                right = right.with(.sha256, .text(object.sha256 ?? ""))
            }
            guard !flaws.isEmpty else { return nil }
            return ("\(object.bucket)/\(object.key) has \(flaws.joined(separator: " and "))", right.line)
        }
    }

    /// `flaw`: what is wrong with an object, and what would be right; nil if nothing is.
    private func judgeStored(
        _ check: Check, _ flaw: (StoreFacts.Object) -> (reason: String, right: String)?
    ) -> Judgement {
        let key = check.text(.key) ?? ""
        let stored = facts.objects.filter { object in
            object.key == key && check.pattern(.bucket)?.matches(Array(object.bucket.utf8)[...]) ?? true
        }
        guard !stored.isEmpty else { return .fail(storedFailure("\(key) is not stored", key: key, wouldPass: nil)) }
        for object in stored {
            guard let (reason, right) = flaw(object) else { continue }
            return .fail(storedFailure(reason, key: key, wouldPass: right))
        }
        return .pass("\(key) is stored so")
    }

    private func storedFailure(_ reason: String, key: String, wouldPass: String?) -> Judgement.Failure {
        let attempts = history.attempts.filter { $0.key?.description == key && !$0.looks }
        return .init(reason: reason, title: key, attempts: attempts, wouldPass: wouldPass)
    }
}

extension Attempt {
    /// Where its commit stands in the journal; beyond everything without one.
    fileprivate var commitSeq: UInt64 { commit?.seq ?? .max }

    /// Whether its commit left what the commit of another had left.
    fileprivate func repeatsContent(of other: Attempt) -> Bool {
        guard let mine = commit?.store, let theirs = other.commit?.store, let etag = mine.etag else { return false }
        return etag == theirs.etag && mine.size == theirs.size
    }
}
