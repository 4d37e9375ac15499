/// Sizes as people read them: `532 B`, `1.4 MiB`.
enum ByteCountText {
    static func of(_ count: UInt64) -> String {
        guard count >= 1_024 else { return "\(count) B" }
        var tenths = count
        var unit = 0
        let units = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"]
        // Rounded to tenths at each unit's own scale, so that 1,048,575 is 1.0 MiB and not 1024.0 KiB.
        func scaled(_ unit: Int) -> UInt64 {
            let shift = UInt64(10 * (unit + 1))
            let whole = count >> shift
            let fraction = (count & (1 << shift - 1)) >> (shift - 10)
            return whole * 10 + (fraction * 10 + 512) / 1_024
        }
        tenths = scaled(unit)
        while tenths >= 10_240, unit < units.count - 1 {
            unit += 1
            tenths = scaled(unit)
        }
        return "\(tenths / 10).\(tenths % 10) \(units[unit])"
    }
}
