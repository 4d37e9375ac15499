import CShoalPresets

/// The presets that are part of the program, from `Sources/Engine/CShoalPresets/Presets`.
extension Preset {
    /// By name.
    package static let all: [Preset] = embedded.map { text in
        do throws(PresetError) {
            return try Preset(text)
        } catch {
            preconditionFailure("a preset of this program is none: \(error)")
        }
    }.sorted { $0.name < $1.name }

    /// Throws with the nearest name.
    package static func named(_ name: String) throws(PresetError) -> Preset {
        guard let preset = all.first(where: { $0.name == name }) else {
            throw .unknown("preset", name, among: all.map(\.name), isOfName: true)
        }
        return preset
    }

    private static var embedded: [String] {
        var byteCount = 0
        let files = UnsafeBufferPointer(start: shoal_presets(&byteCount), count: byteCount)
        return files.split(separator: 0).map { String(decoding: $0.map(UInt8.init(bitPattern:)), as: UTF8.self) }
    }
}
