import ShoalFaults
import ShoalS3
import ShoalSigV4

/// Faults that travel with the request: in a header, or signed into a presigned URL.
extension S3Exchange {
    /// Takes up what the request carries. Throws 400 in words for what is no rule, or one that never strikes it.
    func takeCarriedRules() throws(S3Error) {
        let inHeader = head.first("x-shoal-fault")
        guard let bytes = inHeader ?? route?.query.first("x-shoal-fault") else { return }
        guard world.options.allowsRequestFaults else {
            trace.record(
                .note("\(CarriedRules.name) is ignored: this server was started without --allow-request-faults"))
            return
        }
        guard inHeader != nil || isSigned else {
            trace.record(.note("\(CarriedRules.name) in the URL is ignored: no good signature of Version 4 covers it"))
            return
        }
        do throws(RuleError) {
            carried = try world.plan.carried(
                String(decoding: bytes, as: UTF8.self), by: route?.operation ?? .unknown)
        } catch {
            throw .invalidArgument(
                "\(CarriedRules.name): \(error)", name: CarriedRules.name, value: String(decoding: bytes, as: UTF8.self)
            )
        }
    }

    /// A presigned URL of Version 4 signs every parameter.
    private var isSigned: Bool {
        guard case .accepted(let authentication) = world.verdict(on: head, route, at: now) else { return false }
        return authentication.mechanism == .queryV4
    }
}
