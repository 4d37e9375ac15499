import ShoalFaults
import ShoalS3
import Testing

/// A check with a journal that passes it, one that fails it, and one it has nothing to say about.
struct CheckCase: Sendable, CustomTestStringConvertible {
    let line: String
    let passes: @Sendable (Story) throws -> Void
    let fails: @Sendable (Story) throws -> Void
    /// Part of the failure's sentence.
    let reason: String
    /// The nearest thing that would have passed; nil for none.
    let wouldPass: String?
    /// Nil if an empty journal is judged all the same.
    var isSilentWhenEmpty = true

    var testDescription: String { line }

    init(
        _ line: String, passes: @escaping @Sendable (Story) throws -> Void,
        fails: @escaping @Sendable (Story) throws -> Void, _ reason: String, wouldPass: String?,
        isSilentWhenEmpty: Bool = true
    ) {
        self.line = line
        self.passes = passes
        self.fails = fails
        self.reason = reason
        self.wouldPass = wouldPass
        self.isSilentWhenEmpty = isSilentWhenEmpty
    }
}

extension Story {
    /// Stored, and the answer lost by the rule `lost`.
    func loseAnswer(at milliseconds: Int = 0, stores content: String = "e1", signature: String? = nil) {
        add {
            $0.at = milliseconds
            $0.stores = content
            $0.status = nil
            $0.signature = signature
            $0.fault = ("lost", .commitAfter, "reset")
        }
    }

    func put(at milliseconds: Int, stores content: String = "e1") {
        add {
            $0.at = milliseconds
            $0.stores = content
        }
    }

    func refuse(
        at milliseconds: Int, _ status: Int, _ code: S3Error.Code, retryAfter: UInt32? = nil, expired: Bool = false,
        signature: String? = nil
    ) {
        add {
            ($0.at, $0.status, $0.code, $0.retryAfter) = (milliseconds, status, code, retryAfter)
            ($0.isExpired, $0.signature) = (expired, signature)
        }
    }

    func putPart(_ number: UInt32, at milliseconds: Int, stores content: String? = "p") {
        add {
            ($0.operation, $0.part, $0.upload) = (.uploadPart, number, "u1")
            ($0.at, $0.stores, $0.byteCount) = (milliseconds, content, 100)
            if content == nil { ($0.status, $0.bodyIsCut) = (nil, true) }
        }
    }

    func complete(at milliseconds: Int, stores content: String? = "whole-2", repeats: Bool = false, status: Int = 200) {
        add {
            ($0.operation, $0.upload, $0.at) = (.completeMultipartUpload, "u1", milliseconds)
            ($0.stores, $0.repeats, $0.status) = (content, repeats, status)
            if status >= 400 { $0.code = .noSuchUpload }
        }
    }

    func look(at milliseconds: Int, _ operation: S3Operation = .headObject, asksForChecksum: Bool = false) {
        add {
            ($0.operation, $0.at, $0.byteCount, $0.asksForChecksum) = (operation, milliseconds, 0, asksForChecksum)
        }
    }
}
