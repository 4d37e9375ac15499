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
