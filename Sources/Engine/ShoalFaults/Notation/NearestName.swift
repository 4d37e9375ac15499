/// The valid name a mistyped one was meant to be.
package enum NearestName {
    /// The candidate with the fewest edits from `name` (a swap of neighbours is one, case is free); the first of equals.
    /// Nil only if there are no candidates: a rule's error always names a valid one.
    package static func of(_ name: String, among candidates: some Sequence<String>) -> String? {
        // A name longer than any candidate can be is cut: its distance says nothing any more.
        let wanted = lowercased(String(name.prefix(64)))
        var best: (name: String, distance: Int)?
        for candidate in candidates {
            let distance = editDistance(wanted, lowercased(candidate))
            if best.map({ distance < $0.distance }) ?? true { best = (candidate, distance) }
        }
        return best?.name
    }

    private static func lowercased(_ text: String) -> [UInt8] {
        text.utf8.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
    }

    /// Insertions, deletions, replacements and swaps of neighbours that turn one into the other.
    private static func editDistance(_ left: [UInt8], _ right: [UInt8]) -> Int {
        var beforeLast: [Int] = []
        var last = Array(0...right.count)
        for row in left.indices {
            var current = [row + 1]
            for column in right.indices {
                let isSame = left[row] == right[column]
                var cost = min(last[column] + (isSame ? 0 : 1), last[column + 1] + 1, current[column] + 1)
                if row > 0 && column > 0 && left[row] == right[column - 1] && left[row - 1] == right[column] {
                    cost = min(cost, beforeLast[column - 1] + 1)
                }
                current.append(cost)
            }
            (beforeLast, last) = (last, current)
        }
        return last[right.count]
    }
}
