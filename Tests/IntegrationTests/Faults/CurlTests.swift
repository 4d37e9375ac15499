import ShoalWire
import Testing

/// A second opinion on the wire: what curl makes of each fault, by its exit code.
@Suite(.enabled(if: ChildProcess.exists("curl"), "curl is not installed: apt-get install curl"))
struct `curl at a struck server` {
    /// Its arguments for a presigned request.
    static func arguments(_ server: TestServer, _ request: WireRequest, _ more: [String]) -> [String] {
        ["curl", "--silent", "--show-error", "--noproxy", "*", "--stderr", "/dev/null", "--output", "/dev/null"]
            + ["--request", request.method, "http://\(request.host)\(request.target)"] + more
    }

    @Test(
        arguments: [
            ("PutObject @request.head 1*reset", true, 56, false), ("PutObject @body.at(50%) 1*reset", true, 56, false),
            ("PutObject @body.end 1*reset", true, 56, false), ("PutObject @commit.after 1*reset", true, 56, true),
            ("PutObject @commit.after 1*close", true, 52, true), ("PutObject @commit.before 1*close", true, 52, false),
            ("@accept 1*close", true, 52, false), ("PutObject @commit.after 1*hang", true, 28, true),
            ("PutObject @body.at(50%) 1*hang", true, 28, false),
            ("GetObject @response.at(50%) 1*close", false, 18, true),
            ("GetObject @response.at(50%) 1*reset", false, 56, true),
            ("GetObject @response.head 1*close", false, 18, true),
            ("PutObject @commit.after 1*halfClose", true, 52, true),
            ("PutObject @commit.after 1*dropAll", true, 56, true),
            ("PutObject @body.at(50%) 1*blackhole", true, 28, false),
            ("GetObject @request.head 1*truncateBody(50%)", false, 18, true),
            ("GetObject @request.head 1*truncateBody(50%,reset)", false, 56, true),
            ("GetObject @auth 1*missingTerminator", false, 18, true),
            ("GetObject @read.at(50%) 1*reset", false, 56, true),
            ("GetObject @auth 1*wrongLength(absent)", false, 0, true), ("PutObject @auth 1*garbage", true, 1, true),
            ("PutObject @auth 1*extraInformational(103,3)", true, 0, true),
            ("GetObject @auth 1*dribble(5,100ms)", false, 0, true),
        ] as [(String, Bool, Int32, Bool)])
    func `ends with the code of the fault model's laboratory`(line: String, isUpload: Bool, code: Int32, stored: Bool)
        throws
    {
        let server = try TestServer()
        let (s3, admin) = (S3Client(server), AdminClient(server))
        let text = String(repeating: "shoal ", count: 20_000)
        if !isUpload { try s3.put("a", text) }
        let rule = try admin.arm(line)
        let call = S3Call(isUpload ? "PUT" : "GET", "photos", "a")
        let request = try s3.request(call, .presigned(seconds: 60))
        var more = isUpload ? ["--header", "Expect:", "--data-binary", text] : []
        if line.hasSuffix("hang") || line.hasSuffix("blackhole") { more += ["--max-time", "2"] }
        #expect(ChildProcess.run(Self.arguments(server, request, more)).code == code)
        #expect(try admin.firings(of: rule) == 1)
        #expect(try s3.has("a") == stored)
    }

    @Test func `sees the injected error, its mark and its Retry-After`() throws {
        let server = try TestServer()
        let (s3, admin) = (S3Client(server), AdminClient(server))
        try admin.arm("PutObject @auth 1*SlowDown(retryAfter=2)")
        let request = try s3.request(S3Call("PUT", "photos", "a"), .presigned(seconds: 60))
        let written = "%{http_code} %header{retry-after} %header{x-shoal-fault}"
        let (code, output) = ChildProcess.run(
            Self.arguments(server, request, ["--data-binary", "x", "--write-out", written]))
        #expect(code == 0)
        #expect(output == "503 2 r1 at auth")
    }

    /// What makes a lost answer invisible: curl resends by itself when the connection had been used before.
    @Test func `resends silently on a connection that was used, so that the store has two commits (OkHttp#4963)`()
        throws
    {
        let server = try TestServer()
        let (s3, admin) = (S3Client(server), AdminClient(server))
        try admin.arm("PutObject @commit.after 1*close connection=reused")
        let request = try s3.request(S3Call("PUT", "photos", "a"), .presigned(seconds: 60))
        let url = "http://\(request.host)\(request.target)"
        let one = ["--silent", "--noproxy", "*", "--output", "/dev/null", "--request", "PUT", "--data-binary", "x"]
        let (code, output) = ChildProcess.run(
            ["curl"] + one + ["--write-out", "%{http_code} ", url, "--next"] + one + [
                "--write-out", "%{http_code}", url,
            ])
        #expect(code == 0)
        #expect(output == "200 200")
        let events = try admin.journal { events in events.count { $0["change"]?.string == "committed" } == 3 }
        #expect(events.filter { $0.ev == "request.head" }.compactMap { $0["attempt"]?.integer } == [1, 2, 3])
    }
}
