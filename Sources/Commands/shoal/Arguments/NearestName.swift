/// Finds what somebody probably meant.
enum NearestName {
    /// The name with the fewest edits from `text`; nil if more than a third of it would have to change.
    static func of(_ text: String, among names: [String]) -> String? {
        let bound = max(1, text.count / 3)
        let measured = names.map { (name: $0, distance: distance(Array(text.lowercased()), Array($0.lowercased()))) }
        guard let best = measured.min(by: { $0.distance < $1.distance }) else { return nil }
        if best.distance <= bound { return best.name }
        // A beginning is as good as a slip: `--access` for `--access-key`.
        return text.count >= 3 ? names.first { $0.lowercased().hasPrefix(text.lowercased()) } : nil
    }

    /// Insertions, deletions, replacements and swaps of neighbours between two words (optimal string alignment).
    static func distance(_ left: [Character], _ right: [Character]) -> Int {
        var beforeLast: [Int] = []
        var last = Array(0...right.count)
        for row in left.indices {
            var current = [row + 1]
            for column in right.indices {
                let replaced = last[column] + (left[row] == right[column] ? 0 : 1)
                var best = min(replaced, last[column + 1] + 1, current[column] + 1)
                if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
                    best = min(best, beforeLast[column - 1] + 1)
                }
                current.append(best)
            }
            (beforeLast, last) = (last, current)
        }
        return last[right.count]
    }
}
