import ShoalJSON
import ShoalWire
import Testing

extension SceneTrial {
    /// What happens to connections, and two uploads at once.
    static let connections: [SceneTrial] = [
        .good("airplane-mode", with: ["wait": "50ms"], "an app that waits") { stage in
            try stage.begin()
            _ = try stage.admin.journal { $0.contains { $0.ev == "fault.end" } }
            #expect(try stage.phone(.good).upload("a.jpg"))
        }.withPort,
        .bad("airplane-mode", "one that gives up") { stage in
            let kept = stage.s3.connection
            let request = try stage.s3.request(S3Call("PUT", "photos", "a.jpg", body: "x"))
            try stage.begin()
            kept.send(request.bytes)
            #expect(kept.receive().end == .reset)
            #expect(ConnectionAttempt.outcome(port: stage.s3.port) == .refused)
        }.withPort,
        .good("lost-answer-reused", "an app that sends the same bytes again") { stage in
            let phone = stage.phone(.good.with { $0.afterSilence = .sendsAgain })
            try warmUp(phone)
            try stage.begin()
            #expect(try phone.upload("a.jpg"))
        },
        .bad("lost-answer-reused", "one that compresses it anew for each attempt") { stage in
            let phone = stage.phone(.good.with { ($0.afterSilence, $0.keepsBytes) = (.sendsAgain, false) })
            try warmUp(phone)
            try stage.begin()
            #expect(try phone.upload("a.jpg"))
        },
        .good("stale-keepalive", judged: ["key": "b.jpg"], "an app that sends again") { stage in
            try stage.begin()
            let phone = stage.phone(.good)
            #expect(try phone.upload("a.jpg"))
            #expect(try phone.upload("b.jpg"))
        },
        .bad("stale-keepalive", judged: ["key": "b.jpg"], "one that tells the user of a network error") { stage in
            try stage.begin()
            let phone = stage.phone(.good.with { $0.afterSilence = .givesUp })
            #expect(try phone.upload("a.jpg"))
            #expect(try !phone.upload("b.jpg"))
        },
        .good("double-tap", "an app whose button works once") { stage in
            try stage.begin()
            #expect(try tap(stage, [("one", [])]) == [200])
        },
        .good("double-tap", "an app that lets the store refuse the second") { stage in
            try stage.begin()
            let onlyNew = [WireRequest.Field("If-None-Match", "*")]
            #expect(try tap(stage, [("one", onlyNew), ("two", onlyNew)]).sorted() == [200, 412])
        },
        .bad("double-tap", "one that uploads twice") { stage in
            try stage.begin()
            #expect(try tap(stage, [("one", []), ("two", [])]) == [200, 200])
        },
    ]

    /// Uses the phone's connection once.
    private static func warmUp(_ phone: Phone) throws {
        guard case .answer = try phone.send(try phone.s3.request(S3Call("GET", "photos"))) else {
            Issue.record("no answer to the first request")
            return
        }
    }

    /// Sends uploads of one key, lets them go together once all of them wait, and gives the statuses.
    private static func tap(_ stage: Stage, _ bodies: [(String, [WireRequest.Field])]) throws -> [Int] {
        let waiting = try bodies.map { body, headers in
            let connection = stage.server.connection
            let call = S3Call("PUT", "photos", "a.jpg", headers: headers, body: body)
            connection.send(try stage.s3.request(call, .presigned(seconds: 60)).bytes)
            return connection
        }
        _ = try stage.admin.journal { events in events.count { $0.ev == "fault" } == bodies.count }
        #expect(try stage.admin.json("POST", "/gates/double-tap/release")["released"]?.integer == Int64(bodies.count))
        return try waiting.map { try #require($0.receiveResponse()).status }
    }

    // MARK: Uploads in parts

    static let parts: [SceneTrial] = [
        .good("wifi-to-cellular", "an app that goes on with the part it lost") { stage in
            let (upload, first) = try begin(stage)
            let phone = stage.phone(.good)
            let second = try part(stage, 2, of: upload)
            guard case .broken = try phone.send(second), case .answer(let answer) = try phone.send(second) else {
                Issue.record("the part was not struck once")
                return
            }
            let tags = [(1, first), (2, try #require(answer["ETag"]))]
            #expect(try stage.s3.complete(upload, "a.mp4", tags).status == 200)
        },
        .bad("wifi-to-cellular", "one that begins all over") { stage in
            let (upload, _) = try begin(stage)
            guard case .broken = try stage.phone(.good).send(try part(stage, 2, of: upload)) else {
                Issue.record("the part was not struck")
                return
            }
            #expect(try stage.s3.abort(upload, "a.mp4").status == 204)
            let (again, first) = try begin(stage, applying: false)
            #expect(try stage.s3.complete(again, "a.mp4", [(1, first)]).status == 200)
        },
        .good("lying-200", "an app that reads the body") { stage in
            let (upload, tag) = try small(stage)
            let answer = try stage.s3.complete(upload, "a.mp4", [(1, tag)])
            #expect(answer.status == 200 && answer.code == "InternalError")
            #expect(try stage.s3.complete(upload, "a.mp4", [(1, tag)]).element("ETag") != nil)
        },
        .bad("lying-200", "one that reads the status only") { stage in
            let (upload, tag) = try small(stage)
            #expect(try stage.s3.complete(upload, "a.mp4", [(1, tag)]).status == 200)
        },
        .good("complete-twice", "an app that completes again") { stage in
            let (upload, tag) = try small(stage)
            try loseCompletion(stage, upload, tag)
            #expect(try stage.s3.complete(upload, "a.mp4", [(1, tag)]).element("ETag") != nil)
        },
        .bad("complete-twice", "one that uploads it again") { stage in
            let (upload, tag) = try small(stage)
            try loseCompletion(stage, upload, tag)
            let (again, other) = try small(stage, applying: false)
            #expect(try stage.s3.complete(again, "a.mp4", [(1, other)]).status == 200)
        },
        .good("complete-twice-forgotten", "an app that looks behind NoSuchUpload") { stage in
            let (upload, tag) = try small(stage)
            try loseCompletion(stage, upload, tag)
            #expect(try stage.s3.complete(upload, "a.mp4", [(1, tag)]).code == "NoSuchUpload")
            #expect(try stage.s3.has("a.mp4"))
        },
        .bad("complete-twice-forgotten", "one that uploads it again") { stage in
            let (upload, tag) = try small(stage)
            try loseCompletion(stage, upload, tag)
            #expect(try stage.s3.complete(upload, "a.mp4", [(1, tag)]).code == "NoSuchUpload")
            let (again, other) = try small(stage, applying: false)
            #expect(try stage.s3.complete(again, "a.mp4", [(1, other)]).code == "NoSuchUpload")
        },
    ]

    /// An upload with a first part of 5 MiB; then the preset is applied.
    private static func begin(_ stage: Stage, applying: Bool = true) throws -> (upload: String, etag: String) {
        let upload = try stage.s3.begin("a.mp4")
        let tag = try stage.s3.part(1, pattern(5 * S3Client.mebibyte), of: upload, "a.mp4")
        if applying { try stage.begin() }
        return (upload, tag)
    }

    private static func part(_ stage: Stage, _ number: Int, of upload: String) throws -> WireRequest {
        let query = [("partNumber", "\(number)"), ("uploadId", upload)]
        return try stage.s3.request(S3Call("PUT", "photos", "a.mp4", query: query, body: Phone.body()))
    }

    /// An upload with one small part, ready to be completed.
    private static func small(_ stage: Stage, applying: Bool = true) throws -> (upload: String, etag: String) {
        if applying { try stage.begin() }
        let upload = try stage.s3.begin("a.mp4")
        return (upload, try stage.s3.part(1, Array("film".utf8), of: upload, "a.mp4"))
    }

    private static func loseCompletion(_ stage: Stage, _ upload: String, _ tag: String) throws {
        let request = try stage.s3.request(stage.s3.completion(upload, "a.mp4", [(1, tag)]))
        guard case .broken(let bytes, .reset) = try stage.phone(.good).send(request), bytes.isEmpty else {
            Issue.record("the answer was not lost")
            return
        }
    }

    // MARK: Downloads

    static let reads: [SceneTrial] = ["close", "reset"].flatMap { end -> [SceneTrial] in
        [
            .good("half-a-photo", with: ["end": end], "an app that asks for the rest") { stage in
                let half = try readHalf(stage)
                let rest = try stage.s3.get("a.jpg", headers: [("Range", "bytes=\(half.count)-")])
                #expect(rest.status == 206 && half + rest.body == Phone.body())
            },
            .bad("half-a-photo", with: ["end": end], "one that takes it for the whole") { stage in
                let half = try readHalf(stage)
                #expect(half.count == Phone.body().count / 2)
            },
        ]
    }

    private static func readHalf(_ stage: Stage) throws -> [UInt8] {
        #expect(try stage.phone(.good).upload("a.jpg"))
        try stage.begin()
        let connection = stage.server.connection
        connection.send(try stage.s3.request(S3Call("GET", "photos", "a.jpg")).bytes)
        let bytes = connection.receive().bytes
        let headEnd = try #require(String(decoding: bytes.prefix(4_096), as: UTF8.self).firstRange(of: "\r\n\r\n"))
        let head = String(decoding: bytes.prefix(4_096), as: UTF8.self)[..<headEnd.upperBound].utf8.count
        return Array(bytes.dropFirst(head))
    }
}
