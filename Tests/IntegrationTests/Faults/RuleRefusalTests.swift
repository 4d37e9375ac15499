import ShoalFaults
import ShoalJSON
import Testing

@Suite struct `A rule sent to the admin API` {
    /// One rule as a line and in JSON; both must mean the same.
    @Test(arguments: [
        (
            "PutObject photos/* @commit.after 2*reset",
            #"{"match":{"op":"PutObject","key":"photos/*"},"at":"commit.after","do":[{"reset":{}}],"#
                + #""count":{"per":"operation","times":2}}"#
        ),
        (
            "UploadPart *#2 @body.at(50%) hang(8s)->reset",
            #"{"match":{"op":"UploadPart","partNumber":2},"at":{"body.at":"50%"},"do":[{"hang":{"ms":8000}},{"reset":{}}]}"#
        ),
        (
            "write @auth 3*SlowDown(retryAfter=2)",
            #"{"match":{"op":"write"},"at":"auth","do":[{"respond":{"code":"SlowDown","retryAfter":2}}],"count":{"times":3}}"#
        ),
    ])
    func `means the same in one line and in JSON`(line: String, json: String) throws {
        let server = try TestServer()
        let admin = AdminClient(server)
        let asLine = try admin.json("POST", "/rules", JSON.array([.string(line)]).text)
        let asJSON = try admin.json("POST", "/rules", json)
        let asText = try admin.json("POST", "/rules", "# a file of lines\n\(line)\n")
        let lines = try [asLine, asJSON, asText].map { try #require($0["rules"]?.first?["line"]?.string) }
        // Ids differ: r1, r2, r3.
        #expect(Set(lines.map { $0.replacing(#/ id=r\d/#, with: "") }).count == 1, "\(lines)")
        let list = try admin.json("GET", "/rules")["rules"]?.elements ?? []
        #expect(list.compactMap { $0["id"]?.string } == ["r1", "r2", "r3"])
    }

    @Test(
        arguments: [
            ("PutObject @commit.aftr reset", "the nearest is 'commit.after'", nil),
            ("PutObjet @commit.after reset", "the nearest is 'PutObject'", nil),
            ("PutObject @commit.after rest", "the nearest is 'reset'", nil),
            ("GetObject @body.at(50%) reset", "has no request body, so 'body.at' is never reached", nil),
            ("GetObject @commit.after reset", "stores nothing", nil),
            ("PutObject @commit.after", "an action is due", nil),
            ("PutObject @body.at reset", "needs a position", nil),
            ("PutObject @auth reset->close", "nothing can follow 'reset'", nil),
            ("PutObject @auth reset per=moon", "no counter is called 'moon'", nil),
            (#"["PutObject @auth reset", "PutObject @oath reset"]"#, "no point is called 'oath'", "/1"),
            (#"{"at":"commit.aftr","do":[{"reset":{}}]}"#, "the nearest is 'commit.after'", "/at"),
            (#"{"at":"auth","do":[{"resett":{}}]}"#, "the nearest is 'reset'", "/do/0/resett"),
            (
                #"{"rules":[{"at":"auth","do":[{"reset":{}}]},{"at":"auth","do":[]}]}"#, "at least one action",
                "/rules/1/do"
            ),
            (#"{"at":"auth","do":[{"reset":{}}],"colour":"red"}"#, "'colour'", "/colour"),
            (#"{"at":"auth""#, "at byte", nil), ("", "the body holds no rule", nil),
            ("GetObject @auth reset header.authorization=x", "holds a secret", nil),
        ] as [(String, String, String?)])
    func `that is none is refused with the place and the nearest name`(
        body: String, detail: String, pointer: String?
    ) throws {
        let server = try TestServer()
        let admin = AdminClient(server)
        let answer = try admin.send("POST", "/rules", body)
        #expect(answer.status == 400)
        #expect(answer["Content-Type"] == "application/problem+json")
        let problem = try JSONParser.parse(answer.body)
        #expect(problem["status"]?.integer == 400)
        #expect(problem["title"]?.string?.isEmpty == false)
        #expect(problem["detail"]?.string?.contains(detail) == true, "\(answer.text)")
        if let pointer { #expect(problem["pointer"]?.string == pointer) }
        #expect(try admin.json("GET", "/rules")["rules"]?.elements.isEmpty == true)
    }

    @Test func `is listed, replaced, found and removed`() throws {
        let server = try TestServer()
        let admin = AdminClient(server)
        let added = try admin.send("POST", "/rules", "PutObject @auth 3*reset per=rule id=busy note=n")
        #expect(added.status == 201)
        #expect(added["Location"] == "/_shoal/v1/scopes/default/rules/busy")
        let rule = try admin.json("GET", "/rules/busy")
        #expect(rule["note"]?.string == "n")
        #expect(rule["remaining"]?.integer == 3)
        #expect(rule["rule"]?["at"]?.string == "auth")
        #expect(try admin.send("POST", "/rules", "PutObject @auth reset id=busy").status == 409)
        let missing = try admin.send("GET", "/rules/bussy")
        #expect(missing.status == 404)
        #expect(try JSONParser.parse(missing.body)["nearest"]?.string == "busy")
        #expect(try admin.send("DELETE", "/rules/other").status == 404)
        let replaced = try admin.send("PUT", "/rules", "GetObject @auth reset id=one\nHeadObject @auth reset id=two")
        #expect(replaced.status == 200)
        let ids = try admin.json("GET", "/rules")["rules"]?.elements.compactMap { $0["id"]?.string }
        #expect(ids == ["one", "two"])
        #expect(try admin.send("DELETE", "/rules/one").status == 204)
        #expect(try admin.send("DELETE", "/rules").status == 204)
        #expect(try admin.json("GET", "/rules")["rules"]?.elements.isEmpty == true)
    }

    @Test func `all or none: a document with one bad rule adds nothing`() throws {
        let server = try TestServer()
        let admin = AdminClient(server)
        #expect(try admin.send("POST", "/rules", "PutObject @auth reset\nPutObject @oath reset").status == 400)
        #expect(try admin.json("GET", "/rules")["rules"]?.elements.isEmpty == true)
    }
}
