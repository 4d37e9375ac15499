import Glibc

/// How long a `delay` of chance takes. What chance gives is never below zero nor above the largest delay.
package enum DelayDistribution: Hashable, Sendable {
    /// Anything between the two, alike.
    case uniform(min: Duration, max: Duration)
    /// Around `mean`; two thirds of all lie within one `deviation` of it.
    case normal(mean: Duration, deviation: Duration, max: Duration?)
    /// Half of all below `median`, some far above it, as on a phone with one bar; `sigma` is the deviation of the logarithm.
    case lognormal(median: Duration, sigma: DecimalFraction, max: Duration?)

    /// The distribution's word in rules.
    package enum Name: String, CaseIterable, Sendable { case uniform, normal, lognormal }

    /// The parameters' names, as both forms of a rule spell them.
    package enum Parameter: String, CaseIterable, Sendable { case min, max, mean, deviation, median, sigma }

    package var name: Name {
        switch self {
        case .uniform: .uniform
        case .normal: .normal
        case .lognormal: .lognormal
        }
    }

    /// The delay, in whole milliseconds, of which the share `u / 2^64` of all delays is shorter.
    package func delay(at u: UInt64) -> Duration {
        // The middle of the hash's interval, so that neither 0 nor 1 is met, where the tails are infinite.
        let share = (Double(u >> 11) + 0.5) / 0x1p53
        let milliseconds =
            switch self {
            case .uniform(let min, let max):
                Self.milliseconds(min) + share * (Self.milliseconds(max) - Self.milliseconds(min))
            case .normal(let mean, let deviation, _):
                Self.milliseconds(mean) + Self.milliseconds(deviation) * Self.standardNormal(share)
            case .lognormal(let median, let sigma, _):
                Self.milliseconds(median) * exp(sigma.value * Self.standardNormal(share))
            }
        return .milliseconds(Int64(min(max(milliseconds, 0), Self.milliseconds(longest)).rounded()))
    }

    private var longest: Duration {
        switch self {
        case .uniform(_, let max): max
        case .normal(_, _, let max), .lognormal(_, _, let max): max ?? FaultRule.waitMax
        }
    }

    private static func milliseconds(_ duration: Duration) -> Double { Double(duration.wholeMilliseconds) }

    /// The number that the given share of a normal distribution of deviation 1 lies below.
    ///
    /// By halving: the interval holds all but one in 10^18, and 60 halvings leave less than a double can tell apart.
    private static func standardNormal(_ share: Double) -> Double {
        var (low, high) = (-9.0, 9.0)
        for _ in 0..<60 {
            let middle = (low + high) / 2
            if erfc(-middle / 2.squareRoot()) / 2 < share { low = middle } else { high = middle }
        }
        return (low + high) / 2
    }
}

extension DelayDistribution {
    /// Why no delay could be drawn from it, in words; nil if one can.
    var flaw: String? {
        switch self {
        case .uniform(let min, let max):
            min >= .zero && max > min && max <= FaultRule.waitMax
                ? nil : "a uniform delay lies between 'min' and a larger 'max', which is 7 days at most"
        case .normal(let mean, let deviation, let max):
            flaw(middle: mean, max) ?? (Self.isWait(deviation) ? nil : "'deviation' lasts from 1 ms to 7 days")
        case .lognormal(let median, let sigma, let max):
            flaw(middle: median, max)
                ?? (sigma.billionths > 0 && sigma.value <= 10 ? nil : "'sigma' is above 0, and 10 at most")
        }
    }

    private func flaw(middle: Duration, _ max: Duration?) -> String? {
        let what = name == .normal ? "mean" : "median"
        guard Self.isWait(middle) else { return "'\(what)' lasts from 1 ms to 7 days" }
        guard let max else { return nil }
        return max >= middle && max <= FaultRule.waitMax ? nil : "'max' lies between '\(what)' and 7 days"
    }

    private static func isWait(_ duration: Duration) -> Bool { duration > .zero && duration <= FaultRule.waitMax }
}
