import ShoalAdminAPI
import ShoalFaults
import ShoalS3
import ShoalServer
import ShoalSigV4
import ShoalStore
import Testing

@testable import shoal

@Suite struct `shoal clock` {
    @Test(
        arguments: [
            ("+20m", nil, .offset(milliseconds: 1_200_000)),
            ("-90s", nil, .offset(milliseconds: -90_000)),
            ("reset", nil, .offset(milliseconds: 0)),
            ("resume", nil, .resume),
            ("freeze", nil, .freeze(at: nil)),
            ("freeze", "2026-03-14T15:09:26Z", .freeze(at: "2026-03-14T15:09:26Z")),
            ("advance", "1h", .advance(milliseconds: 3_600_000)),
            ("2026-03-14T15:09:26.500Z", nil, .now("2026-03-14T15:09:26.500Z")),
        ] as [(String, String?, ClockChange)])
    func `understands each change`(word: String, value: String?, change: ClockChange) throws {
        #expect(try Clock(arguments(Clock.self, [word] + (value.map { [$0] } ?? []))).changes == [change])
    }

    @Test(arguments: [
        (["freze"], "there is no change of the clock 'freze'; did you mean 'freeze'?"),
        (["advance"], "advance takes a length of time, such as `shoal clock advance 1h`"),
        (["+20x"], "'+20x' is no length of time; write +20m or -90s"),
        (["2026-03-14"], "'2026-03-14' is no instant; write it in UTC, as 2026-03-14T15:09:26Z"),
        (["reset", "now"], "reset takes nothing behind it"),
        (["+1h", "x"], "'x' is one argument too many"),
    ])
    func `refuses in words`(words: [String], text: String) {
        #expect(throws: UsageError(text)) { try Clock(arguments(Clock.self, words)) }
    }

    @Test(
        arguments: [
            (0, false, "T"), (1_200_000, false, "T (20m ahead of the machine)"),
            (-500, true, "T (frozen, 500ms behind the machine)"),
        ] as [(Int64, Bool, String)])
    func `says how the time stands`(offset: Int64, frozen: Bool, text: String) {
        let state = ClockState(now: "T", real: "", offset: "", offsetMs: offset, frozen: frozen)
        #expect(Clock.text(of: state) == text)
    }
}

@Suite struct `shoal scope` {
    private func request(_ words: [String]) throws -> CreateScopeRequest {
        try ScopeNew(arguments(ScopeNew.self, words)).request
    }

    @Test func `asks for a scope that lives an hour, or what it is told`() throws {
        #expect(try request([]) == CreateScopeRequest(ttl: 3_600))
        #expect(try request(["--port"]) == CreateScopeRequest(ttl: 3_600, port: true))
        #expect(
            try request(["t1", "--bucket", "photos", "--bucket", "films", "--ttl", "0s"])
                == CreateScopeRequest(name: "t1", buckets: ["photos", "films"], ttl: 0))
    }

    @Test(arguments: ["8d", "1500ms"])
    func `refuses a time to live that cannot be`(text: String) {
        #expect(throws: UsageError("--ttl takes whole seconds from 1s to 7d, or 0s; not '\(text)'")) {
            try request(["--ttl", text])
        }
    }

    @Test func `prints lines that a shell evaluates`() {
        let view = ScopeView(
            scope: "t1", accessKeyId: "SHOALAAA", secretAccessKey: "a/b+c", endpoint: "http://127.0.0.1:9000", ttl: 60)
        #expect(
            ScopeNew.lines(of: view) == """
                export AWS_ACCESS_KEY_ID=SHOALAAA
                export AWS_SECRET_ACCESS_KEY=a/b+c
                export AWS_ENDPOINT_URL=http://127.0.0.1:9000
                export SHOAL_ACCESS_KEY=SHOALAAA
                export SHOAL_SECRET_KEY=a/b+c
                export SHOAL_SCOPE=t1
                """)
    }

    @Test func `says in words what a scope left unfinished`() {
        let upload = UploadView(
            bucket: "photos", key: "film\n", uploadId: "u", initiated: "2026-03-14T15:09:26Z", parts: 1, size: 5)
        let report = ScopeReport(
            scope: "t1", buckets: 1, neverFired: ["r1"], openUploads: [upload], openConnections: 2)
        #expect(
            ScopeRemove.lines(of: report) == [
                "shoal: rule r1 of t1 never fired",
                "shoal: an upload of photos/film\\n in t1 was neither completed nor aborted",
                "shoal: connections of t1 still open: 2",
            ])
        let nothing = ScopeReport(scope: "t1", buckets: 1, neverFired: [], openUploads: [], openConnections: 0)
        #expect(ScopeRemove.lines(of: nothing).isEmpty)
    }
}

@Suite struct `shoal fault` {
    @Test func `adds a line with its counts`() throws {
        let command = try FaultAdd(
            arguments(
                FaultAdd.self,
                [
                    "PutObject photos/* @commit.after reset", "--times", "2", "--per", "key", "--id", "x", "--skip",
                    "1", "--note", "lost",
                ]))
        var rule = try FaultRule(line: "PutObject photos/* @commit.after reset")
        (rule.id, rule.note) = ("x", "lost")
        rule.count = FaultCount(skip: 1, times: 2, per: .key)
        #expect(command.source == .rule(rule))
    }

    @Test(arguments: [
        "PutObject photos/* @commit.after 3*reset",
        "write @auth 10%reset between=2-9 every=2 budget=1/hour expires=30s",
        "write @auth pass,reset then=last per=client",
    ])
    func `leaves what the line says where no flag says otherwise`(line: String) throws {
        #expect(try FaultAdd(arguments(FaultAdd.self, [line])).source == .rule(FaultRule(line: line)))
    }

    @Test func `adds or replaces from a file`() throws {
        #expect(try FaultAdd(arguments(FaultAdd.self, ["--file", "r.json"])).source == .file("r.json", replace: false))
        let replacing = try FaultAdd(arguments(FaultAdd.self, ["--file", "r.json", "--replace"]))
        #expect(replacing.source == .file("r.json", replace: true))
    }

    @Test(
        arguments: [
            ([], "RULE is missing; see `shoal fault add --help` for examples"),
            (["a", "--file", "b"], "give either a rule or --file"),
            (["a", "--replace"], "--replace goes with --file"),
            (
                ["write @auth pass,reset", "--times", "2"],
                "/count/times: a sequence says itself which matches are struck, so 'times' cannot go with it"
            ),
            (
                ["--file", "b", "--times", "2"],
                "--times belongs to a rule in one line; in a file each rule says it itself"
            ),
            (["write @auth close", "--times", "0"], "--times takes a whole number from 1 to 1000000000, not '0'"),
            (
                ["PutObject * @commit.aftr reset"],
                "column 14: no point is called 'commit.aftr'; the nearest is 'commit.after'"
            ),
            (
                ["a", "--per", "conection"],
                "there is no value of --per 'conection'; did you mean 'connection'?"
            ),
        ] as [([String], String)])
    func `refuses in words`(words: [String], text: String) {
        #expect(throws: UsageError(text)) { try FaultAdd(arguments(FaultAdd.self, words)) }
    }

    @Test func `lists what each rule did`() {
        let rules = [
            RuleView(
                id: "lost", line: "PutObject * @commit.after reset", note: nil, matched: 5, fired: 2, remaining: 0,
                rule: .object([])),
            RuleView(
                id: "slow", line: "any @auth delay(1s)", note: "Wi-Fi", matched: 0, fired: 0, remaining: nil,
                rule: .object([])),
        ]
        #expect(
            FaultList.table(rules).text(forTerminal: true) == """
                ID    MATCHED  FIRED  LEFT  RULE                             NOTE
                lost        5      2     0  PutObject * @commit.after reset
                slow        0      0     -  any @auth delay(1s)              Wi-Fi

                """)
    }
}

@Suite struct `shoal notifications` {
    @Test func `lists what waits for each webhook and what went wrong`() {
        let webhooks = [
            WebhookView(
                name: "thumbs", url: "http://127.0.0.1:8080/events", pending: 12, delivered: 3, failures: 5, expired: 0,
                lastError: "answered 503", lastErrorAt: "2026-03-14T15:09:26.000Z"),
            WebhookView(undeclared: "old", pending: 1),
        ]
        #expect(
            Notifications.table(webhooks).text(forTerminal: true) == """
                WEBHOOK  PENDING  DELIVERED  FAILURES  EXPIRED  URL                           LAST ERROR
                thumbs        12          3         5        0  http://127.0.0.1:8080/events  answered 503
                old            1          0         0        0  -

                """)
    }
}

@Suite struct `shoal journal` {
    @Test func `shows an event in columns, the rest as details`() throws {
        let event = try JournalEntry(
            decoding: Array(
                """
                {"seq":12,"t":"2026-03-14T15:09:26.123Z","mono":1,"scope":"default","conn":3,"exchange":2,"op":"obj-1f",
                "attempt":1,"ev":"fault","n":1,"list":["a"],"action":"reset","rule":"lost","version":null}
                """.utf8))
        #expect(
            JournalLine(event).text(forTerminal: false)
                == "12\t15:09:26.123\t3.2\tobj-1f\t1\tfault\trule=lost action=reset n=1 list=[\"a\"]")
        #expect(
            JournalLine(event).text(forTerminal: true)
                == "    12  15:09:26.123       3.2  obj-1f              1  fault           "
                + "rule=lost action=reset n=1 list=[\"a\"]")
    }

    @Test(arguments: [
        (["--follow", "--format", "har"], "an HTTP archive has an end; --follow goes with text and ndjson"),
        (["--follow", "--limit", "5"], "--limit does not go with --follow"),
        (["--limit", "0"], "--limit takes a whole number from 1 to 1000000, not '0'"),
    ])
    func `refuses in words`(words: [String], text: String) {
        #expect(throws: UsageError(text)) { try Journal(arguments(Journal.self, words)) }
    }
}

@Suite struct `shoal explain` {
    @Test func `prints verdict, S3's words, and what to change`() {
        let answer = ExplainResponse(
            verdict: .refused, summary: "content-type differs", status: 403, code: "SignatureDoesNotMatch",
            message: "The request signature …",
            findings: [.init(kind: "header-differs", text: "image/jpeg was signed", fix: "send image/jpeg")])
        #expect(
            Explain.text(of: answer) == """
                refused: content-type differs
                  S3 would say: 403 SignatureDoesNotMatch: The request signature …
                  - image/jpeg was signed
                    fix: send image/jpeg

                """)
    }

    @Test func `refuses a header given twice`() {
        #expect(throws: UsageError("the header 'A' is given twice")) {
            try Explain(arguments(Explain.self, ["http://h/", "-H", "A: 1", "-H", "A: 2"]))
        }
    }
}

@Suite struct `shoal fsck` {
    @Test func `lists what is wrong and counts it`() {
        let report = FsckReport(
            objectCount: 3, byteCount: 2_048, missingCount: 1, alteredCount: 0, unknownCount: 3,
            items: [.init(kind: "missing", name: "photos/a\nb"), .init(kind: "unknown", name: "blobs/ab/1")])
        #expect(!report.isClean)
        #expect(
            Fsck.text(of: report, contentChecked: false) == """
                missing\tphotos/a\\nb
                unknown\tblobs/ab/1
                … and 2 more
                3 objects of 2.0 KiB: 1 acknowledged but missing, 3 stored but unknown

                """)
    }

    @Test(
        arguments: [
            (.missing(bucket: "photos", key: "a/b", path: "blobs/1"), "missing", "photos/a/b (blobs/1)"),
            (.altered(bucket: "photos", key: "a", path: "segments/1"), "altered", "photos/a (segments/1)"),
            (.unknown(path: "staging/7"), "unknown", "staging/7"),
        ] as [(StoreCheck.Finding, String, String)])
    func `names each finding of the store`(finding: StoreCheck.Finding, kind: String, name: String) {
        #expect(FsckReport.item(finding) == FsckReport.Item(kind: kind, name: name))
    }

    @Test func `says with --content that the bytes were compared`() {
        let report = FsckReport(objectCount: 1, byteCount: 5)
        #expect(report.isClean)
        #expect(
            Fsck.text(of: report, contentChecked: true)
                == "1 objects of 5 B: 0 acknowledged but missing, 0 stored but unknown, 0 altered\n")
    }
}

@Suite struct `shoal seed` {
    @Test func `finds buckets and keys in a folder`() throws {
        let folder = try TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        try folder.folder("photos")
        try folder.folder("photos/trip")
        try folder.folder("empty-one")
        try folder.file("readme.txt", "stays outside")
        try folder.file("photos/b.jpg", "bb")
        try folder.file("photos/trip/a.png", "a")
        try folder.file("photos/.hidden", "x")
        let seed = try SeedFolder(folder.path)
        #expect(seed.buckets.map(\.text) == ["empty-one", "photos"])
        #expect(seed.files.map(\.key.description) == ["b.jpg", "trip/a.png"])
        #expect(seed.files.map { ContentTypes.type(ofKey: $0.key) } == ["image/jpeg", "image/png"])
        #expect(seed.byteCount == 3)
    }

    @Test func `refuses a sub-folder that can be no bucket`() throws {
        let folder = try TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        try folder.folder("No_Bucket")
        let text = "\(folder.path)/No_Bucket: 'No_Bucket' is no bucket name: 3 to 63 of a-z, 0-9, '-' and '.'"
        #expect(throws: SeedFolder.Failure(text)) { try SeedFolder(folder.path) }
    }

    @Test(arguments: [("a.JPG", "image/jpeg"), ("d.x/noextension", nil), (".jpg", nil), ("a.unheard", nil)])
    func `takes the type from the extension`(key: String, type: String?) throws {
        #expect(ContentTypes.type(ofKey: try #require(ObjectKey(Array(key.utf8)))) == type)
    }
}
