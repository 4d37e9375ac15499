import ShoalAdminAPI
import ShoalFaults
import ShoalS3
import ShoalServer
import ShoalSigV4
import ShoalStore
import Testing

@testable import shoal

@Suite struct `shoal presign` {
    private func presign(_ words: [String], _ environment: [String: String] = [:]) throws -> Presign {
        try Presign(arguments(Presign.self, words, environment: environment))
    }

    private static let moment = Timestamp(seconds: 1_369_353_600)  // 2013-05-24T00:00:00Z

    /// The parameters of a URL by name, percent-encoded as they stand.
    private func query(of url: String) -> [String: String] {
        let pairs = (url.split(separator: "?").last ?? "").split(separator: "&").map { $0.split(separator: "=") }
        return Dictionary(uniqueKeysWithValues: pairs.map { (String($0[0]), $0.count > 1 ? String($0[1]) : "") })
    }

    /// https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-query-string-auth.html (the example of that page)
    @Test func `makes the URL of AWS's example`() throws {
        let url = try presign([
            "get", "examplebucket/test.txt", "--endpoint", "https://s3.amazonaws.com", "--virtual-host", "--expires",
            "1d", "--access-key", "AKIAIOSFODNN7EXAMPLE", "--secret-key", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
        ]).text(at: Self.moment)
        #expect(url.hasPrefix("https://examplebucket.s3.amazonaws.com/test.txt?"))
        let signature = "aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404"
        #expect(query(of: url)["X-Amz-Signature"] == signature)
    }

    @Test func `signs with the server's defaults`() throws {
        let url = try presign(["get", "photos/a b/é.jpg"]).text(at: Self.moment)
        #expect(url.hasPrefix("http://127.0.0.1:9000/photos/a%20b/%C3%A9.jpg?"))
        let query = query(of: url)
        #expect(query["X-Amz-Credential"] == "shoal%2F20130524%2Fus-east-1%2Fs3%2Faws4_request")
        #expect(query["X-Amz-Expires"] == "900")
        #expect(query["X-Amz-SignedHeaders"] == "host")
    }

    @Test(arguments: [("1s", 1), ("60", 60), ("1h30m", 5_400), ("7d", 604_800)] as [(String, Int64)])
    func `is good for as long as it is told to`(text: String, seconds: Int64) throws {
        let url = try presign(["get", "photos/a", "--expires", text]).text(at: Self.moment)
        #expect(query(of: url)["X-Amz-Expires"] == String(seconds))
    }

    @Test func `pins what it is told to`() throws {
        let command = try presign([
            "put", "photos/a", "--content-type", "image/jpeg", "--content-length", "12", "-H", "X-Amz-Meta-A: b",
            "--query", "partNumber=1", "--query", "uploads", "--defect", "wrong-host", "--session-token", "t",
        ])
        #expect(command.request.headers.map(\.name) == ["content-type", "content-length", "x-amz-meta-a"])
        #expect(command.request.headers.map(\.value) == ["image/jpeg", "12", "b"])
        #expect(command.badOnPurpose == .wrongHost)
        let query = query(of: try command.text(at: Self.moment))
        #expect(query["X-Amz-SignedHeaders"] == "content-length%3Bcontent-type%3Bhost%3Bx-amz-meta-a")
        #expect(query["partNumber"] == "1")
        #expect(query["uploads"] == "")
        #expect(query["X-Amz-Security-Token"] == "t")
    }

    @Test(arguments: [
        (["got", "photos/a"], "there is no method 'got'; did you mean 'get'?"),
        (["get", "photos"], "'photos' names no object: after the bucket comes a key of 1 to 1,024 bytes"),
        (["get", "photos/"], "'photos/' names no object: after the bucket comes a key of 1 to 1,024 bytes"),
        (["get", "B/a"], "'B/a' does not start with a bucket name; write BUCKET/KEY"),
        (["get", "photos/a", "--expires", "0"], "--expires takes whole seconds from 1s to 7d, not '0'"),
        (["get", "photos/a", "--expires", "8d"], "--expires takes whole seconds from 1s to 7d, not '8d'"),
        (["get", "photos/a", "--expires", ""], "--expires takes a length of time such as 90s, 20m or 1h30m, not ''"),
        (["get", "photos/a", "--expires", "1500ms"], "--expires takes whole seconds from 1s to 7d, not '1500ms'"),
        (
            ["get", "photos/a", "--expires", "soon"],
            "--expires takes a length of time such as 90s, 20m or 1h30m, not 'soon'"
        ),
        (["get", "photos/a", "b.jpg"], "'b.jpg' is one argument too many; a file goes with --curl"),
        (["get", "photos/a", "-H", "Host: x"], "the header 'Host' would be pinned twice"),
        (
            ["get", "photos/a", "--virtual-host"],
            "--virtual-host needs a host name: --endpoint http://s3.localhost:9000"
        ),
        (
            ["put", "photos/a", "--content-length", "-1"],
            "--content-length takes a whole number from 0 to 9223372036854775807, not '-1'"
        ),
    ])
    func `refuses in words`(words: [String], text: String) {
        #expect(throws: UsageError(text)) { try presign(words) }
    }

    @Test(arguments: [
        (["get", "photos/a", "--curl"], "curl '<URL>'"),
        (["get", "photos/a", "--curl", "it's.jpg"], #"curl --output 'it'\''s.jpg' '<URL>'"#),
        (["head", "photos/a", "--curl"], "curl --head '<URL>'"),
        (["delete", "photos/a", "--curl"], "curl --request DELETE '<URL>'"),
        (
            ["put", "photos/a", "--content-type", "image/jpeg", "--content-length", "5", "--curl", "a.jpg"],
            "curl --upload-file a.jpg --header 'content-type: image/jpeg' '<URL>'"
        ),
        (["put", "photos/a", "--curl"], "curl --upload-file FILE '<URL>'"),
    ])
    func `prints the curl command that goes with the URL`(words: [String], text: String) throws {
        let command = try presign(words).text(at: Self.moment)
        let url = try presign(Array(words.prefix { $0 != "--curl" })).text(at: Self.moment)
        #expect(command == text.split(separator: "<URL>").joined(separator: url))
    }
}

@Suite struct `shoal credentials` {
    private static let keys = TemporaryKeys(
        accessKeyId: "ASIAAAAAAAAAAAAAAAAA", secretAccessKey: "a/b+c", sessionToken: "dG9r/+==",
        expiration: "2026-03-14T15:09:26Z")

    private func credentials(_ words: [String]) throws -> Credentials {
        try Credentials(arguments(Credentials.self, words))
    }

    @Test func `asks for an hour, or what it is told`() throws {
        #expect(try credentials([]).request == TemporaryKeysRequest(expiresIn: 3_600))
        let wanted = try credentials(["--expires", "15m", "--access-key", "guest"])
        #expect(wanted.request == TemporaryKeysRequest(expiresIn: 900, accessKey: "guest"))
    }

    @Test func `prints lines that a shell evaluates, or what credential_process wants`() {
        #expect(
            Credentials.lines(of: Self.keys) == """
                export AWS_ACCESS_KEY_ID=ASIAAAAAAAAAAAAAAAAA
                export AWS_SECRET_ACCESS_KEY=a/b+c
                export AWS_SESSION_TOKEN='dG9r/+=='
                """)
        #expect(
            Credentials.json(of: Self.keys) == #"{"Version":1,"AccessKeyId":"ASIAAAAAAAAAAAAAAAAA","#
                + #""SecretAccessKey":"a/b+c","SessionToken":"dG9r/+==","Expiration":"2026-03-14T15:09:26Z"}"#)
    }

    @Test(arguments: [
        (["--expires", "0s"], "--expires takes whole seconds from 1s to 36h, not '0s'"),
        (["--expires", "37h"], "--expires takes whole seconds from 1s to 36h, not '37h'"),
        (["--expires", "1500ms"], "--expires takes whole seconds from 1s to 36h, not '1500ms'"),
        (["--env", "--json"], "give either --env or --json"),
    ])
    func `refuses in words`(words: [String], text: String) {
        #expect(throws: UsageError(text)) { try credentials(words) }
    }
}

@Suite struct `The environment of AWS's tools` {
    private static let made = TemporaryCredentials(
        TemporarySession(issuer: Array("shoal".utf8), expiry: Timestamp(seconds: 1_369_360_000)),
        issuerSecret: Array("s".utf8), nonce: [UInt8](repeating: 1, count: TemporaryCredentials.nonceByteCount))

    private func url(_ words: [String] = [], token: String = made.sessionToken, _ more: [String: String] = [:]) throws
        -> String
    {
        var environment = [
            "AWS_ACCESS_KEY_ID": Self.made.accessKeyId, "AWS_SECRET_ACCESS_KEY": Self.made.secret,
            "AWS_SESSION_TOKEN": token,
        ]
        environment.merge(more) { _, given in given }
        return try Presign(arguments(Presign.self, ["get", "photos/a"] + words, environment: environment))
            .text(at: Timestamp(seconds: 1_369_353_600))
    }

    @Test func `gives shoal presign its temporary credentials where it has no others`() throws {
        #expect(try url().contains("X-Amz-Credential=\(Self.made.accessKeyId)%2F"))
        #expect(try url().contains("&X-Amz-Security-Token="))
        // Whatever is said to Shoal itself counts more, and credentials for AWS mean nothing here.
        for text in [
            try url(["--access-key", "guest", "--secret-key", "s"]), try url([], ["SHOAL_ACCESS_KEY": "guest"]),
            try url(token: "IQoJb3JpZ2luX2VjEXAMPLE"),
        ] {
            #expect(!text.contains("Security-Token") && !text.contains(Self.made.accessKeyId))
        }
        #expect(try url(["--session-token", "t"]).contains("X-Amz-Security-Token=t&"))
    }
}

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

    @Test func `leaves what the line says where no flag says otherwise`() throws {
        let line = "PutObject photos/* @commit.after 3*reset"
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
