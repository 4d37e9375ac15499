import ShoalAdminAPI
import ShoalFaults
import ShoalHTTP

extension AdminAPI {
    /// `GET /_shoal/v1/presets[/{name}]`
    func describePresets(_ name: String? = nil) throws -> HTTPResponse {
        guard let name else { return .json(try PresetList(Preset.all)) }
        return .json(try PresetView(try Preset.named(name)))
    }
}

extension AdminService {
    /// Puts the rules of a preset in force, in place of its own if it was applied before, and changes the clock if the
    /// preset says so. All of it or nothing.
    func applyPreset(_ name: String, _ request: AdminRequest) throws -> HTTPResponse {
        let preset = try Preset.named(name)
        let parameters = request.body.isEmpty ? PresetParameters() : try PresetParameters(decoding: request.body)
        let scene = try preset.filled(with: parameters.values)
        let ids = try world.plan.put(scene.rules, seed: scene.seed)
        let statuses = try ids.map(world.plan.status(of:))
        for status in statuses {
            world.journal.append(
                .ruleAdded(id: status.rule.id ?? "", line: status.rule.line, seed: status.seed), in: scope)
        }
        var clock: ClockState?
        if let change = scene.clock {
            setClock(change)
            clock = try ClockState(MessageReader(clockReading))
        }
        return .json(AppliedPreset(scene, rules: statuses.map(RuleView.init), clock: clock), .created)
    }
}

extension Problem {
    init(_ error: PresetError) {
        self.init(
            title: error.isOfName ? "No such preset" : "Bad request", status: error.isOfName ? 404 : 400,
            detail: error.description, nearest: error.nearest)
    }
}
