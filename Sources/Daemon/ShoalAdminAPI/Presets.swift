import ShoalFaults
import ShoalJSON

/// A preset as `GET /_shoal/v1/presets` tells it.
package struct PresetView: AdminMessage, Equatable {
    package struct Parameter: AdminMessage, Equatable {
        package let name: String
        package let usual: String
        package let meaning: String

        init(_ parameter: PresetParameter) {
            (name, usual, meaning) = (parameter.name, parameter.usual, parameter.meaning)
        }

        package init(_ reader: MessageReader) throws(MalformedMessage) {
            name = try reader.required("name").string()
            usual = try reader.required("usual").string()
            meaning = try reader.required("meaning").string()
        }

        package var json: JSON {
            ["name": .string(name), "usual": .string(usual), "meaning": .string(meaning)]
        }
    }

    package let name: String
    package let summary: String
    /// What stands behind "The app should".
    package let advice: String
    package let parameters: [Parameter]
    /// The file, with the usual values in place.
    package let text: String

    package init(_ preset: Preset) throws(PresetError) {
        (name, summary, advice) = (preset.name, preset.summary, preset.advice)
        parameters = preset.parameters.map(Parameter.init)
        text = try preset.filled().text
    }

    package init(_ reader: MessageReader) throws(MalformedMessage) {
        name = try reader.required("name").string()
        summary = try reader.required("summary").string()
        advice = try reader.required("advice").string()
        parameters = try reader.required("parameters").list()
        text = try reader.required("text").string()
    }

    package var json: JSON {
        [
            "name": .string(name), "summary": .string(summary), "advice": .string(advice),
            "parameters": .list(parameters), "text": .string(text),
        ]
    }
}

/// `GET /_shoal/v1/presets`
package struct PresetList: AdminMessage, Equatable {
    package let presets: [PresetView]

    package init(_ presets: [Preset]) throws(PresetError) {
        var views: [PresetView] = []
        for preset in presets { views.append(try PresetView(preset)) }
        self.presets = views
    }

    package init(_ reader: MessageReader) throws(MalformedMessage) {
        presets = try reader.required("presets").list()
    }

    package var json: JSON { ["presets": .list(presets)] }
}

/// The parameters of a preset: an object of texts, numbers and truth values.
package struct PresetParameters: AdminMessage, Equatable {
    package let values: [(name: String, value: String)]

    package init(_ values: [(name: String, value: String)] = []) { self.values = values }

    package init(_ reader: MessageReader) throws(MalformedMessage) {
        var values: [(name: String, value: String)] = []
        for (name, member) in try reader.members() {
            let text =
                switch member.value {
                case .integer(let number): String(number)
                case .bool(let isOn): isOn ? "true" : "false"
                default: try member.string()
                }
            values.append((name, text))
        }
        self.values = values
    }

    package var json: JSON { .texts(values) }

    package static func == (left: PresetParameters, right: PresetParameters) -> Bool { left.json == right.json }
}

/// The answer to `POST …/scopes/{s}/presets/{name}`: what is in force now, and what to ask afterwards.
package struct AppliedPreset: AdminMessage, Equatable {
    package let preset: String
    package let advice: String
    /// All of them, with the usual values of those that were not given.
    package let parameters: PresetParameters
    package let rules: [RuleView]
    /// If the preset changed it.
    package let clock: ClockState?
    /// In their one-line form.
    package let checks: [String]
    /// Commands to give while the app is at work, and when all is done.
    package let meanwhile: [String]
    package let afterwards: [String]

    package init(_ scene: PresetScene, rules: [RuleView], clock: ClockState?) {
        (preset, advice) = (scene.preset.name, scene.preset.advice)
        parameters = PresetParameters(scene.values)
        (self.rules, self.clock) = (rules, clock)
        checks = scene.checks.map(\.line)
        (meanwhile, afterwards) = (scene.meanwhile, scene.afterwards)
    }

    package init(_ reader: MessageReader) throws(MalformedMessage) {
        preset = try reader.required("preset").string()
        advice = try reader.required("advice").string()
        parameters = try PresetParameters(try reader.required("parameters"))
        rules = try reader.required("rules").list()
        clock = try reader.member("clock").map(Self.clock)
        checks = try reader.required("checks").strings()
        meanwhile = try reader.member("meanwhile")?.strings() ?? []
        afterwards = try reader.member("afterwards")?.strings() ?? []
    }

    private static func clock(_ reader: MessageReader) throws(MalformedMessage) -> ClockState {
        try ClockState(reader)
    }

    package var json: JSON {
        .members([
            ("preset", .string(preset)), ("advice", .string(advice)), ("parameters", parameters.json),
            ("rules", .list(rules)), ("clock", clock?.json), ("checks", .strings(checks)),
            ("meanwhile", meanwhile.isEmpty ? nil : .strings(meanwhile)),
            ("afterwards", afterwards.isEmpty ? nil : .strings(afterwards)),
        ])
    }
}
