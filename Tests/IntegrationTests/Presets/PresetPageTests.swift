import Glibc
import ShoalFaults
import Testing

/// The table of `docs/presets.md`, made of the presets themselves.
/// `SHOAL_WRITE_DOCS=1 swift test --filter PresetPageTests` writes it anew.
@Suite struct `The page of presets` {
    private static let root = "/" + #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
    private static let path = root + "/docs/presets.md"
    private static let head = "| preset | what happens | the app should | parameters | what is asked |"

    @Test func `has every preset as it is`() throws {
        let page = TestServer.read(Self.path)
        let start = try #require(page.firstRange(of: Self.head)?.lowerBound, "docs/presets.md has no table")
        let text = page[..<start] + Self.table
        if getenv("SHOAL_WRITE_DOCS") != nil { try Self.write(String(text)) }
        #expect(TestServer.read(Self.path) == text, "SHOAL_WRITE_DOCS=1 with this test writes it anew")
    }

    @Test func `has a part in the README, whose list is right`() throws {
        let readme = TestServer.read(Self.root + "/README.md")
        for preset in Preset.all where readme.contains("    \(preset.name)  ") {
            #expect(readme.contains(preset.advice), "the README has another advice for \(preset.name)")
        }
        #expect(Preset.all.count { readme.contains("    \($0.name)  ") } >= 5)
    }

    private static var table: String {
        let rows = Preset.all.map { preset in
            let parameters = preset.parameters.map { "`\($0.name)=\($0.usual)`" }.joined(separator: " ")
            let scene = try? preset.filled()  // That each can be filled is another test's.
            let checks = (scene?.checks ?? []).map { "`\($0.line)`" }.joined(separator: " ")
            return "| `\(preset.name)` | \(preset.summary) | \(preset.advice) | \(parameters) | \(checks) |"
        }
        return ([head, "| --- | --- | --- | --- | --- |"] + rows).joined(separator: "\n") + "\n"
    }

    private static func write(_ text: String) throws {
        let file = try #require(fopen(path, "w"), "\(path) cannot be written")
        fputs(text, file)
        fclose(file)
    }
}
