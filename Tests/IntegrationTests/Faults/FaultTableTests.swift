import Glibc
import ShoalFaults
import Testing

/// `docs/fault-table.md`, which action is possible at which point: made of the rules' own validation.
/// `SHOAL_WRITE_DOCS=1 swift test --filter FaultTableTests` writes it anew.
@Suite struct `The table of points and actions` {
    private static let path =
        "/" + #filePath.split(separator: "/").dropLast(4).joined(separator: "/") + "/docs/fault-table.md"

    @Test func `is what the rules allow`() throws {
        if getenv("SHOAL_WRITE_DOCS") != nil { try Self.write(Self.text) }
        #expect(TestServer.read(Self.path) == Self.text, "SHOAL_WRITE_DOCS=1 with this test writes it anew")
    }

    @Test(arguments: FaultAction.Name.allCases)
    func `is what the tests on the wire go by`(action: FaultAction.Name) {
        for point in FaultPoint.allCases {
            let strike = WireStrike(point: point, action: action, isUpload: true)
            #expect(strike.isPossible == (Self.refusal(of: action, at: point) == nil), "\(action) at \(point)")
        }
    }

    /// Nil if it is possible.
    private static func refusal(of name: FaultAction.Name, at point: FaultPoint) -> String? {
        let site = FaultSite(point, point.takesPosition ? .percent(50) : nil)
        do throws(FaultRule.Flaw) {
            try FaultRule(at: site, do: [.example(of: name)]).validate()
            return nil
        } catch {
            return error.message
        }
    }

    private static var text: String {
        let points = FaultPoint.allCases
        var lines = [
            "# Which action at which point", "",
            "Made by a test from what rules are checked by; [faults.md](faults.md) says what the words mean. Each pair that is",
            "possible (●) is proven on the wire, by a raw socket. What an operation never reaches, such as `commit.after` by a",
            "GetObject, is refused as well.", "",
            "| | " + points.map { "`\($0.rawValue)`" }.joined(separator: " | ") + " |",
            "| --- |" + points.map { _ in " :-: |" }.joined(),
        ]
        var reasons: [String] = []
        for name in FaultAction.Name.allCases {
            let cells = points.map { refusal(of: name, at: $0) == nil ? "●" : "" }
            lines.append("| `\(name.rawValue)` | " + cells.joined(separator: " | ") + " |")
            reasons += Self.reasons(of: name)
        }
        return (lines + ["", "## Why not", ""] + reasons).joined(separator: "\n") + "\n"
    }

    /// One line for the points that an action is refused at for one reason.
    private static func reasons(of name: FaultAction.Name) -> [String] {
        var groups: [(reason: String, points: [String])] = []
        for point in FaultPoint.allCases {
            guard let refusal = refusal(of: name, at: point) else { continue }
            let reason = refusal.replacing("'\(point.rawValue)'", with: "…")
            if let index = groups.firstIndex(where: { $0.reason == reason }) {
                groups[index].points.append("`\(point.rawValue)`")
            } else {
                groups.append((reason, ["`\(point.rawValue)`"]))
            }
        }
        return groups.map { "* \($0.points.joined(separator: ", ")): \($0.reason)" }
    }

    private static func write(_ text: String) throws {
        let file = try #require(fopen(path, "w"), "\(path) cannot be written")
        fputs(text, file)
        fclose(file)
    }
}
