import Foundation
import ShoalFaults
import Testing

@Suite struct `The page of checks` {
    private static let page = {
        let root = #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
        return (try? String(contentsOfFile: "/\(root)/docs/verify.md", encoding: .utf8)) ?? ""
    }()

    /// The rows of its table, by the check's word.
    private static let rows = Dictionary(
        uniqueKeysWithValues: page.split(separator: "\n").filter { $0.hasPrefix("| `") }.map { row in
            (String(row.dropFirst(3).prefix { $0 != "`" }), String(row))
        })

    @Test func `has every check, and no other`() {
        #expect(Set(Self.rows.keys) == Set(CheckName.allCases.map(\.word)))
    }

    @Test(arguments: CheckName.allCases)
    func `tells each parameter`(check: CheckName) throws {
        let row = try #require(Self.rows[check.word])
        for parameter in check.parameters {
            let name = parameter.rawValue
            let isThere = row.contains("`\(name)`") || row.contains("`\(name)=")
            #expect(isThere, "\(name) in \(row)")
        }
    }
}
