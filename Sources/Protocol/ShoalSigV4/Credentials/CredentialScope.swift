import ShoalHTTP
import ShoalS3

/// `AKID/yyyyMMdd/region/s3/aws4_request`, taken apart.
struct CredentialScope {
    let accessKeyId: ArraySlice<UInt8>
    let day: ArraySlice<UInt8>
    let region: ArraySlice<UInt8>
    let service: ArraySlice<UInt8>
    let terminal: ArraySlice<UInt8>
    /// Everything after the access key: line three of the string to sign.
    let text: ArraySlice<UInt8>

    /// Nil unless there are five parts.
    init?(_ credential: ArraySlice<UInt8>) {
        var ends: [Int] = []
        ends.reserveCapacity(5)
        for index in credential.indices where credential[index] == UInt8(ascii: "/") {
            guard ends.count < 4 else { return nil }
            ends.append(index)
        }
        guard ends.count == 4 else { return nil }
        accessKeyId = credential[..<ends[0]]
        day = credential[(ends[0] + 1)..<ends[1]]
        region = credential[(ends[1] + 1)..<ends[2]]
        service = credential[(ends[2] + 1)..<ends[3]]
        terminal = credential[(ends[3] + 1)...]
        text = credential[(ends[0] + 1)...]
    }
}

/// What every text about the scope of another service begins with; other services have words of their own for it.
package let wrongServiceText = "incorrect service"

/// Which regions a scope may name.
package enum RegionPolicy: Sendable, Equatable {
    /// Every region that is not empty: the key is derived with the one the client signed for.
    case any
    /// Exactly this one, compared with case.
    case only(String)
}

/// What is wrong with a scope: the text that follows the prefix of the mechanism, and the `<Region>` element.
struct ScopeFault: Error {
    let text: String
    let region: String?

    private init(_ text: String, region: String? = nil) {
        self.text = text
        self.region = region
    }

    /// The scope of `credential`, which must be one of `service`; the faults in the order AWS looks for them.
    static func check(
        _ credential: ArraySlice<UInt8>, _ policy: RegionPolicy, service: StaticString = "s3"
    ) throws(ScopeFault) -> CredentialScope {
        guard let scope = CredentialScope(credential) else {
            throw ScopeFault(
                #"the Credential is mal-formed; expecting "<YOUR-AKID>/YYYYMMDD/REGION/SERVICE/aws4_request"."#)
        }
        guard beginsWithRealDay(scope.day) else {
            throw ScopeFault(
                "incorrect date format \"\(scope.day.text)\". This date in the credential must be in the format "
                    + "\"yyyyMMdd\".")
        }
        guard !scope.region.isEmpty else { throw ScopeFault("a non-empty region must be provided in the credential.") }
        if case .only(let region) = policy, !scope.region.elementsEqual(region.utf8) {
            throw ScopeFault("the region '\(scope.region.text)' is wrong; expecting '\(region)'", region: region)
        }
        guard scope.service.equals(service) else {
            throw ScopeFault("\(wrongServiceText) \"\(scope.service.text)\". This endpoint belongs to \"\(service)\".")
        }
        guard scope.terminal.equals("aws4_request") else {
            throw ScopeFault("incorrect terminal \"\(scope.terminal.text)\". This endpoint uses \"aws4_request\".")
        }
        return scope
    }

    /// Four digits of the year, two of the month and one or more of the day, which together name a day that exists; AWS
    /// ignores what follows, and the comparison with the request's date comes later.
    private static func beginsWithRealDay(_ text: ArraySlice<UInt8>) -> Bool {
        let digits = text.prefix { $0.isDigitASCII }
        guard let day = Decimal.integer(digits.dropFirst(6)), day < 100 else { return false }
        let twoDigits = [UInt8(ascii: "0") + UInt8(day / 10), UInt8(ascii: "0") + UInt8(day % 10)]
        return Timestamp(day: digits.prefix(6) + twoDigits) != nil
    }
}
