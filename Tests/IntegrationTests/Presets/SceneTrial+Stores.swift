import ShoalJSON
import ShoalWire
import Testing

extension SceneTrial {
    private static let quick: Values = ["first": "10ms", "rate": "2000000", "sync": "10ms"]

    /// Where the store itself does wrong.
    static let stores: [SceneTrial] =
        uploads("ghost-upload", good: .good.with { $0.looksAfterwards = true }, bad: "one that believes the store") {
            $0.looksAfterwards = false
        }
        + uploads("full-disk", with: ["status": "507"], bad: "one that takes it for final") {
            $0.triesAgainAfterServerErrors = false
        }
        + [
            .good("late-twin", "an app that only makes new objects") { stage in
                try stage.begin()
                let phone = stage.phone(.good.with { $0.keepsBytes = false })
                #expect(try phone.upload("a.jpg", headers: [("If-None-Match", "*")]))
            },
            .bad("late-twin", "one that overwrites") { stage in
                try stage.begin()
                #expect(try stage.phone(.good.with { $0.keepsBytes = false }).upload("a.jpg"))
                // The late one comes behind the answer.
                _ = try stage.admin.journal { events in events.count { $0.ev == "store" } == 2 }
            },
            .good("slow-mirror", "an app that asks again") { stage in
                try stage.begin()
                #expect(try stage.phone(.good).upload("a.jpg"))
                #expect(try stage.s3.get("a.jpg").status == 404)
                try stage.admin.json("PUT", "/clock", #"{"advance":"3s"}"#)
                #expect(try stage.s3.get("a.jpg").body == Phone.body())
            },
            .bad("slow-mirror", "one that gives up") { stage in
                try stage.begin()
                #expect(try stage.phone(.good).upload("a.jpg"))
                #expect(try stage.s3.get("a.jpg").status == 404)
            },
            .bad("slow-mirror", "one that uploads it again") { stage in
                try stage.begin()
                #expect(try stage.phone(.good.with { $0.looksAfterwards = true }).upload("a.jpg") == false)
            },
            .good("flipped-bit", "an app that compares") { stage in
                let seen = try download(stage)
                #expect(seen != Phone.body())
                #expect(try stage.s3.get("a.jpg").body == Phone.body())
            },
            .bad("flipped-bit", "one that does not") { stage in
                let seen = try download(stage)
                #expect(seen != Phone.body())
            },
            .good("slow-disk", with: quick, "an app that waits") { stage in
                try stage.begin()
                #expect(try stage.phone(.good).upload("a.jpg"))
            },
            .bad("slow-disk", with: quick, "one that begins again") { stage in
                try stage.begin()
                try beginTwice(stage)
            },
        ]

    /// The first download under the preset.
    private static func download(_ stage: Stage) throws -> [UInt8] {
        #expect(try stage.phone(.good).upload("a.jpg"))
        try stage.begin()
        return try stage.s3.get("a.jpg").body
    }
}
