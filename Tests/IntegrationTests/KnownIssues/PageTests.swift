import Testing

/// `docs/known-issues.md` and the tests it names, held together.
@Suite struct `The page of known issues` {
    private let page: KnownIssuesPage
    private let tests: [NamedTest]

    init() {
        let root = "/" + #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
        page = KnownIssuesPage(TestServer.read(root + "/docs/known-issues.md"))
        tests = TestServer.files(at: root + "/Tests").filter { $0.hasSuffix("Tests.swift") }
            .flatMap { NamedTest.all(in: TestServer.read($0)) }
    }

    @Test func `names tests that exist and name its issues`() throws {
        try #require(page.rows.count > 100 && tests.count > 400, "this page or these sources were not read")
        for row in page.rows {
            #expect(!row.tests.isEmpty, "\(row.issue.text) has no test")
            for name in row.tests {
                let named = tests.filter { $0.title == name }
                #expect(named.contains { $0.names(row.issue) }, "no test called '\(name)' names \(row.issue.text)")
            }
        }
    }

    @Test func `has a row for every issue in a test's name, with that test`() {
        for test in tests {
            for issue in test.issues {
                let row = page.rows.first { issue.isMeant(by: $0.issue) }
                #expect(row?.tests.contains(test.title) == true, "'\(test.title)' is not on the page for \(issue.text)")
            }
        }
    }

    @Test func `has a row for every report about fault tools`() {
        #expect(FaultReports.all.count == 40)
        for issue in FaultReports.all.flatMap({ $0 }) {
            #expect(page.rows.contains { $0.issue.text == issue }, "\(issue) is not on the page")
        }
    }

    @Test func `has each issue once, in its table or with the reason why not`() {
        let all = page.rows.map(\.issue.text) + page.others.map(\.text)
        #expect(Set(all).count == all.count)
        for issue in page.others {
            #expect(!tests.contains { $0.names(issue) }, "\(issue.text) has a test, and the page says it has none")
        }
    }
}
