import ShoalJSON

/// The rules of a scope with all that they have counted, for the process that takes this one's place.
extension FaultPlan {
    package var handover: JSON {
        let leavings = leavings
        return [
            "lastNumber": .integer(Int64(leavings.lastNumber)), "rules": .array(armedRules.map(\.handover)),
            "expired": leavings.expired.handover,
            "revoked": .array(leavings.revoked.map { .string(String(decoding: $0, as: UTF8.self)) }),
        ]
    }

    /// Takes up what `handover` gave. Throws for what no process of this version has written.
    package func resume(_ json: JSON) throws {
        let leavings = Leavings(
            lastNumber: Int(json["lastNumber"]?.handedNatural ?? 0),
            expired: ExpiredSignatures(handover: json["expired"] ?? .null),
            revoked: json["revoked"]?.handedElements.compactMap(\.handedText).map { Array($0.utf8) } ?? [])
        take(try (json["rules"]?.handedElements ?? []).map(ArmedRule.init(handover:)), leavings)
    }
}

extension JSON {
    var handedElements: [JSON] { if case .array(let elements) = self { elements } else { [] } }

    var handedText: String? { if case .string(let text) = self { text } else { nil } }

    /// A whole number; those beyond what JSON's readers hold are texts.
    var handedNatural: UInt64? {
        switch self {
        case .integer(let number): UInt64(exactly: number)
        case .string(let text): UInt64(text)
        default: nil
        }
    }

    static func handed(_ number: UInt64) -> JSON { .string(String(number)) }
}
