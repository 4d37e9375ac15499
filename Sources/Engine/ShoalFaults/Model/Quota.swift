import ShoalS3

/// What a scope may ask for in a window of its time.
///
/// Windows lie side by side from 1970 on, by the scope's clock: a day is a day of UTC.
package struct Quota: Hashable, Sendable {
    package struct Allowance: Hashable, Sendable {
        package let amount: UInt64
        package let per: Duration

        package init(_ amount: UInt64, per: Duration) {
            self.amount = amount
            self.per = per
        }

        var flaw: String? {
            amount <= Self.amountMax && per >= .milliseconds(1) && per <= FaultRule.waitMax
                ? nil : "a quota is up to \(Self.amountMax) in 1 ms to 7 days"
        }

        private static let amountMax = UInt64(1) << 50
    }

    package var requests: Allowance?
    /// Of request bodies, as their heads announce them.
    package var bytes: Allowance?
    /// What is said to a request above it.
    package var then: S3Error.Code

    package static let usualCode = S3Error.Code.slowDown

    package init(requests: Allowance? = nil, bytes: Allowance? = nil, then: S3Error.Code = usualCode) {
        self.requests = requests
        self.bytes = bytes
        self.then = then
    }

    /// Why it makes no sense, in words; nil if it does.
    var flaw: String? {
        guard requests != nil || bytes != nil else {
            return "'quota' needs 'requests' or 'bytes', as in quota(requests=5/s)"
        }
        return requests?.flaw ?? bytes?.flaw
    }
}

/// What was spent of a quota in the windows of now.
struct QuotaUse {
    private struct Window {
        var number = Int64.min
        var spent: UInt64 = 0

        /// What is left in the window that holds the instant.
        func left(of allowance: Quota.Allowance, at now: Int64) -> UInt64 {
            number == Self.number(allowance, now) ? allowance.amount - min(spent, allowance.amount) : allowance.amount
        }

        mutating func spend(_ amount: UInt64, of allowance: Quota.Allowance, at now: Int64) {
            let current = Self.number(allowance, now)
            if number != current { (number, spent) = (current, 0) }
            spent += amount
        }

        private static func number(_ allowance: Quota.Allowance, _ now: Int64) -> Int64 {
            let length = allowance.per.wholeMilliseconds
            let (quotient, remainder) = now.quotientAndRemainder(dividingBy: length)
            return remainder < 0 ? quotient - 1 : quotient
        }
    }

    private var requests = Window()
    private var bytes = Window()

    /// Whether the request keeps within the quota; then it is spent, and else nothing.
    mutating func spend(_ quota: Quota, on request: some FaultSubject) -> Bool {
        let (now, byteCount) = (request.now.milliseconds, request.contentLength ?? 0)
        if let allowance = quota.requests, requests.left(of: allowance, at: now) < 1 { return false }
        if let allowance = quota.bytes, bytes.left(of: allowance, at: now) < byteCount { return false }
        if let allowance = quota.requests { requests.spend(1, of: allowance, at: now) }
        if let allowance = quota.bytes { bytes.spend(byteCount, of: allowance, at: now) }
        return true
    }
}
