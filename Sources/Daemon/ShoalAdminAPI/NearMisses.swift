import ShoalFaults
import ShoalJSON

/// Why a rule never struck: one of `GET …/scopes/{s}/near-misses`.
package struct NearMissView: AdminMessage, Equatable {
    package struct Difference: AdminMessage, Equatable {
        package let field: String
        package let wanted: String
        package let found: String?

        fileprivate init(_ difference: NearMiss.Difference) {
            field = difference.field
            wanted = difference.wanted
            found = difference.found
        }

        package init(_ reader: MessageReader) throws(MalformedMessage) {
            field = try reader.required("field").string()
            wanted = try reader.required("wanted").string()
            found = try reader.member("found")?.string()
        }

        package var json: JSON {
            .members([("field", .string(field)), ("wanted", .string(wanted)), ("found", .text(found))])
        }
    }

    /// Of the rule.
    package let id: String
    package let line: String
    /// In one sentence.
    package let reason: String
    /// The number of the head of the request that came closest; nil if none came.
    package let seq: UInt64?
    package let differences: [Difference]

    package init(_ miss: NearMiss) {
        id = miss.id
        line = miss.line
        reason = miss.reason
        seq = miss.attempt?.seq
        differences = miss.differences.map(Difference.init)
    }

    package init(_ reader: MessageReader) throws(MalformedMessage) {
        id = try reader.required("id").string()
        line = try reader.required("line").string()
        reason = try reader.required("reason").string()
        seq = try reader.member("seq")?.integer()
        differences = try reader.required("differences").list()
    }

    package var json: JSON {
        .members([
            ("id", .string(id)), ("line", .string(line)), ("reason", .string(reason)), ("seq", seq.map { .count($0) }),
            ("differences", .list(differences)),
        ])
    }
}

package struct NearMissList: AdminMessage, Equatable {
    /// One for each rule that never struck, in their order.
    package let nearMisses: [NearMissView]

    package init(_ misses: [NearMiss]) { nearMisses = misses.map(NearMissView.init) }

    package init(_ reader: MessageReader) throws(MalformedMessage) {
        nearMisses = try reader.required("nearMisses").list()
    }

    package var json: JSON { ["nearMisses": .list(nearMisses)] }
}
