/// S3 as one says it in a page: the versions of each key, latest first, and the rules that change them.
struct S3Model {
    enum State { case never, enabled, suspended }

    struct Version: Equatable {
        /// `null`, or what the server called it.
        var id: String
        /// Nil for a delete marker.
        var bytes: [UInt8]?
        var etag = ""
        var tags: [String] = []
    }

    var state = State.never
    private(set) var versions: [String: [Version]] = [:]

    /// The object that a GET finds.
    func current(_ key: String) -> Version? {
        guard let latest = versions[key]?.first, latest.bytes != nil else { return nil }
        return latest
    }

    /// A write, or a deletion if it has no bytes; `id` is what the server called it, nil if it did not say.
    mutating func put(_ key: String, _ version: Version) {
        if state == .never, version.bytes == nil {
            versions[key] = nil
            return
        }
        if version.id == "null" { versions[key]?.removeAll { $0.id == "null" } }
        versions[key, default: []].insert(version, at: 0)
    }

    mutating func delete(_ key: String, id: String) {
        versions[key]?.removeAll { $0.id == id }
        if versions[key]?.isEmpty == true { versions[key] = nil }
    }

    mutating func setTags(_ tags: [String], of key: String) { versions[key]?[0].tags = tags }

    var isEmpty: Bool { versions.isEmpty }

    /// Keys in the order of a listing.
    var keys: [String] { versions.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) } }

    /// What a listing with these parameters holds, all pages together.
    func listing(prefix: String, delimiter: String) -> (keys: [String], prefixes: [String]) {
        var found: [String] = []
        var prefixes: [String] = []
        for key in keys where current(key) != nil && key.utf8.starts(with: prefix.utf8) {
            let rest = key.utf8.dropFirst(prefix.utf8.count)
            guard !delimiter.isEmpty, let end = Self.firstEnd(of: delimiter, in: rest) else {
                found.append(key)
                continue
            }
            let common = String(decoding: Array(prefix.utf8) + Array(rest[..<end]), as: UTF8.self)
            if prefixes.last != common { prefixes.append(common) }
        }
        return (found, prefixes)
    }

    private static func firstEnd(of delimiter: String, in text: Substring.UTF8View) -> Substring.UTF8View.Index? {
        var start = text.startIndex
        while start < text.endIndex {
            if text[start...].starts(with: delimiter.utf8) {
                return text.index(start, offsetBy: delimiter.utf8.count)
            }
            start = text.index(after: start)
        }
        return nil
    }
}
