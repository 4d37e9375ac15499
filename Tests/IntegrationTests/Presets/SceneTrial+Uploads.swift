import ShoalS3
import ShoalWire
import Testing

extension SceneTrial {
    static let all: [SceneTrial] = [
        uploads, badNight, earlyNo, wrongPins, wrongClock, slowLines, connections, parts, reads, stores,
    ].flatMap { $0 }

    /// One photo through a presigned URL.
    private static let uploads: [SceneTrial] = [
        uploads("tunnel-before-send", bad: "one that gives up") { $0.afterSilence = .givesUp },
        uploads("tunnel-mid-upload", with: ["wait": "10ms"], bad: "one that gives up") { $0.afterSilence = .givesUp },
        uploads("lost-answer", with: ["key": "*.jpg"], bad: "one that sends again blindly") {
            $0.afterSilence = .sendsAgain
        },
        uploads("silent-store", good: .good.with { $0.leavesWhenStruck = true }, bad: "one that sends again blindly") {
            $0.afterSilence = .sendsAgain
        },
        uploads("twin-of-lost-answer", bad: "one that takes it for stored") { $0.afterSilence = .believes },
        uploads("cut-head", bad: "one that is content with a status line") { $0.afterSilence = .believes },
        uploads("busy-store", with: ["times": "1", "retryAfter": "1"], bad: "one that comes back at once") {
            $0.honoursRetryAfter = false
        },
        uploads("store-hiccup", bad: "one that takes 500 for final") { $0.triesAgainAfterServerErrors = false },
        uploads("upload-timeout", bad: "one that takes every 4xx for final") { $0.takesEvery4xxForFinal = true },
        uploads("captive-portal", with: ["times": "1"], bad: "one that takes any 200") { $0.takesAny200 = true },
        uploads("expired-link", bad: "one that uses the old link again") { $0.renewsLinks = false },
        uploads("link-expires-in-tunnel", with: ["wait": "10ms"], bad: "one that uses the old link again") {
            $0.renewsLinks = false
        },
        uploads("train-ride", with: ["ride": "10ms", "tunnel": "5ms", "share": "100%"], bad: "one that gives up") {
            $0.afterSilence = .givesUp
        },
    ].flatMap { $0 }

    private static let badNight: [SceneTrial] = [
        .good("bad-night", with: ["share": "30%"], "an app that does not give up") { stage in
            try stage.begin()
            let phone = stage.phone(.good.with { $0.attemptMax = 60 })
            for number in 1...8 { #expect(try phone.upload("\(number).jpg")) }
        },
        .bad("bad-night", with: ["share": "30%"], "one that does") { stage in
            try stage.begin()
            let phone = stage.phone(
                .good.with { ($0.afterSilence, $0.triesAgainAfterServerErrors) = (.givesUp, false) })
            for number in 1...8 { try phone.upload("\(number).jpg") }
        },
    ]

    private static let earlyNo: [SceneTrial] = [
        .good("early-no", "an app that stops") { stage in
            try stage.begin()
            #expect(try !stage.phone(.good).upload("a.jpg"))
        },
        .bad("early-no", "one that tries again") { stage in
            try stage.begin()
            try stage.phone(stubborn).upload("a.jpg")
        },
        .bad("early-no", with: ["drain": "none"], "one that takes a broken connection for no answer") { stage in
            try stage.begin()
            try stage.phone(stubborn).upload("a.jpg")
        },
    ]

    private static let wrongPins: [SceneTrial] = ["wrong-type", "wrong-size"].flatMap { preset -> [SceneTrial] in
        [
            .good(preset, "an app that stops") { stage in
                try stage.begin()
                #expect(try !stage.phone(.good).upload("a.jpg"))
            },
            .bad(preset, "one that tries again") { stage in
                try stage.begin()
                #expect(try !stage.phone(stubborn).upload("a.jpg"))
            },
        ]
    }

    private static let stubborn = RetryPolicy.good.with { ($0.isStubborn, $0.renewsLinks) = (true, false) }

    private static let wrongClock: [SceneTrial] = [
        .good("wrong-clock-phone", "an app that sets its time by Date") { stage in
            try stage.begin()
            let call = S3Call("PUT", "photos", "a.jpg", body: "x")
            let refusal = try stage.s3.send(call)
            #expect(refusal.code == "RequestTimeTooSkewed")
            let date = try #require(refusal["Date"].flatMap { Timestamp(httpDate: $0) })
            #expect(try stage.s3.send(call, at: date).status == 200)
        },
        .bad("wrong-clock-phone", with: ["offset": "-20m"], "one that sends the same again") { stage in
            try stage.begin()
            let request = try stage.s3.request(S3Call("PUT", "photos", "a.jpg", body: "x"))
            for _ in 1...3 { #expect(try stage.s3.send(request).code == "RequestTimeTooSkewed") }
        },
    ]

    // MARK: Slow lines

    private static let oneBar: Values = ["rate": "600000", "latency": "1ms", "most": "5ms"]

    private static let slowLines: [SceneTrial] = [
        .good("elevator", with: ["wait": "20ms"], "an app that waits") { stage in
            try stage.begin()
            #expect(try stage.phone(.good).upload("a.jpg"))
        },
        .bad("elevator", with: ["at": "50%"], "one that begins again") { stage in
            try stage.begin()
            try stage.phone(.good.with { $0.leavesWhenStruck = true }).upload("a.jpg")
        },
        .good("one-bar", with: oneBar, "an app that waits") { stage in
            try stage.begin()
            #expect(try stage.phone(.good).upload("a.jpg"))
        },
        .bad("one-bar", with: oneBar, "one that begins again") { stage in
            try stage.begin()
            try beginTwice(stage)
        },
    ]

    /// Breaks off in the middle, and sends everything again.
    static func beginTwice(_ stage: Stage) throws {
        let request = try stage.s3.request(S3Call("PUT", "photos", "a.jpg", body: Phone.body()))
        let connection = stage.server.connection
        connection.send(request.head + request.body.prefix(30_000))
        connection.finishSending()
        _ = connection.receive()
        #expect(try stage.s3.send(request).status == 200)
    }
}
