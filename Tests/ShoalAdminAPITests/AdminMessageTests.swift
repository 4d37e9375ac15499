import ShoalAdminAPI
import Testing

@Suite struct `An admin message` {
    @Test(
        arguments: [
            (.offset(milliseconds: -1_200_000), #"{"offset":-1200000}"#),
            (.now("2026-03-14T15:09:26Z"), #"{"now":"2026-03-14T15:09:26Z"}"#),
            (.freeze(at: nil), #"{"freeze":true}"#),
            (.freeze(at: "2026-03-14T15:09:26Z"), #"{"freeze":"2026-03-14T15:09:26Z"}"#),
            (.resume, #"{"freeze":false}"#),
            (.advance(milliseconds: 3_600_000), #"{"advance":3600000}"#),
        ] as [(ClockChange, String)])
    func `about the clock has one member in either direction`(change: ClockChange, json: String) throws {
        #expect(try String(decoding: AdminJSON.encode(change), as: UTF8.self) == json)
        #expect(try AdminJSON.decode(ClockChange.self, from: json.utf8) == change)
    }

    @Test(arguments: [#"{}"#, #"{"offset":1,"now":"2026-03-14T15:09:26Z"}"#, #"{"freeze":3}"#, #"{"rate":2}"#])
    func `about the clock is refused with none or two changes`(json: String) {
        #expect(throws: MalformedMessage.self) { try AdminJSON.decode(ClockChange.self, from: json.utf8) }
    }

    @Test func `to mint a URL has the names of the contract`() throws {
        let json =
            #"{"method":"PUT","bucket":"photos","key":"a/b.jpg","expires":300,"defect":"wrong-host","#
            + #""headers":{"content-type":"image/jpeg"},"baseURL":"http://10.0.2.2:9000"}"#
        let request = try AdminJSON.decode(MintURLRequest.self, from: json.utf8)
        let expected = MintURLRequest(
            method: "PUT", bucket: "photos", key: "a/b.jpg", expires: 300, headers: ["content-type": "image/jpeg"],
            baseURL: "http://10.0.2.2:9000", defect: .wrongHost)
        #expect(request == expected)
    }

    @Test(arguments: [
        (#"{"method":"PUT","bucket":"photos","key":"a"}"#, "the member \"expires\" is missing"),
        (#"{"method":1,"bucket":"photos","key":"a","expires":1}"#, "/method: should be a string"),
        (
            #"{"method":"GET","bucket":"b","key":"a","expires":1,"headers":{"a/b":2}}"#,
            "/headers/a~1b: should be a string"
        ),
        ("nonsense", "this is not JSON"), ("", "this is not JSON"),
    ])
    func `that is malformed is refused with the place`(json: String, text: String) {
        let error = #expect(throws: MalformedMessage.self) {
            try AdminJSON.decode(MintURLRequest.self, from: json.utf8)
        }
        #expect(error?.description == text)
    }

    @Test(arguments: [
        #"null"#, #"[1,-2,"three",[],{}]"#, #"{"a":true,"b":1.5,"c":null,"d":{"e":"f/g"}}"#, #"9223372036854775807"#,
    ])
    func `carries any JSON through unchanged`(json: String) throws {
        let value = try AdminJSON.decode(JSONValue.self, from: json.utf8)
        #expect(try String(decoding: AdminJSON.encode(value), as: UTF8.self) == json)
    }

    @Test func `of the journal keeps members that nobody here knows`() throws {
        let json = #"{"dropped":0,"events":[{"ev":"fault","rule":"r1","seq":7}],"last":7}"#
        let page = try AdminJSON.decode(JournalPage.self, from: json.utf8)
        #expect(page.events.map(\.sequence) == [7])
        #expect(page.events.map(\.kind) == ["fault"])
        #expect(page.events[0].members["rule"] == .string("r1"))
        #expect(try String(decoding: AdminJSON.encode(page), as: UTF8.self) == json)
    }
}

@Suite struct `An admin path` {
    @Test(arguments: [
        (AdminPath.health, "/_shoal/health"),
        (AdminPath.explain, "/_shoal/v1/explain"),
        (AdminPath.rules("default"), "/_shoal/v1/scopes/default/rules"),
        (AdminPath.rule("a b", id: "x/y"), "/_shoal/v1/scopes/a%20b/rules/x%2Fy"),
        (AdminPath.journalStream("default"), "/_shoal/v1/scopes/default/journal/stream"),
        (AdminPath.gateRelease("default", gate: "é"), "/_shoal/v1/scopes/default/gates/%C3%A9/release"),
        (AdminPath.scopeReset("s1"), "/_shoal/v1/scopes/s1/reset"),
    ])
    func `is the contract's, with names encoded`(path: String, expected: String) {
        #expect(path == expected)
    }
}
