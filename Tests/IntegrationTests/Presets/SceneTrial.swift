import ShoalFaults
import ShoalJSON
import ShoalWire
import Testing

/// An app under a preset, and whether it does as it should.
struct SceneTrial: Sendable, CustomTestStringConvertible {
    typealias Values = KeyValuePairs<String, String>

    let preset: String
    let parameters: [(name: String, value: String)]
    /// What the verdict is told in place of them.
    let judged: [(name: String, value: String)]
    let isGood: Bool
    let what: String
    /// Whether it is played in a scope with a port of its own.
    private(set) var needsPort = false
    let act: @Sendable (Stage) throws -> Void

    var testDescription: String { "\(preset): \(what) is \(isGood ? "good" : "bad")" }

    /// What a trial acts on.
    struct Stage {
        let s3: S3Client
        let admin: AdminClient
        /// Puts the preset in force.
        let begin: () throws -> Void

        var server: TestServer { s3.server }

        func phone(_ policy: RetryPolicy) -> Phone { Phone(s3, admin, policy) }
    }

    init(
        _ preset: String, with parameters: Values = [:], judged: Values? = nil, _ isGood: Bool, _ what: String,
        _ act: @escaping @Sendable (Stage) throws -> Void
    ) {
        self.preset = preset
        self.parameters = parameters.map { ($0.key, $0.value) }
        self.judged = (judged ?? parameters).map { ($0.key, $0.value) }
        (self.isGood, self.what, self.act) = (isGood, what, act)
    }

    /// In a scope with a port of its own.
    var withPort: SceneTrial {
        var trial = self
        trial.needsPort = true
        return trial
    }

    static func good(
        _ preset: String, with parameters: Values = [:], judged: Values? = nil, _ what: String,
        _ act: @escaping @Sendable (Stage) throws -> Void
    ) -> SceneTrial {
        SceneTrial(preset, with: parameters, judged: judged, true, what, act)
    }

    static func bad(
        _ preset: String, with parameters: Values = [:], judged: Values? = nil, _ what: String,
        _ act: @escaping @Sendable (Stage) throws -> Void
    ) -> SceneTrial {
        SceneTrial(preset, with: parameters, judged: judged, false, what, act)
    }

    /// A good app and a bad one that each upload one photo and differ in their policy.
    static func uploads(
        _ preset: String, with parameters: Values = [:], good: RetryPolicy = .good, bad what: String,
        _ change: @escaping @Sendable (inout RetryPolicy) -> Void
    ) -> [SceneTrial] {
        [
            .good(preset, with: parameters, "an app that does as it should") { stage in
                try stage.begin()
                #expect(try stage.phone(good).upload("a.jpg"))
            },
            .bad(preset, with: parameters, what) { stage in
                try stage.begin()
                try stage.phone(good.with(change)).upload("a.jpg")
            },
        ]
    }

    /// Plays it on a server of its own; the verdict.
    func play() throws -> JSON {
        let server = try TestServer()
        let scope = needsPort ? try TestScope(server, port: true) : nil
        let admin = scope?.admin ?? AdminClient(server)
        let stage = Stage(s3: scope?.s3 ?? S3Client(server), admin: admin) {
            let applied = try admin.json("POST", "/presets/\(preset)", JSON.texts(parameters).text)
            #expect(applied["preset"]?.string == preset)
        }
        try act(stage)
        let asked: JSON = ["preset": .string(preset), "parameters": .texts(judged), "quiesceMs": 20_000]
        return try admin.json("POST", "/verify", asked.text)
    }
}
