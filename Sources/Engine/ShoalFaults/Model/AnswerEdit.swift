/// What becomes of an answer that is still to come: the store makes it, and then it is changed or cut.
package enum AnswerEdit: Hashable, Sendable {
    /// Without the header lines of that name.
    case dropHeader(String)
    /// With this line in place of all of its name.
    case setHeader(InjectedAnswer.Field)
    case wrongLength(LengthError)
    /// Behind so many informational answers (1xx).
    case extraInformational(status: UInt64, count: UInt64)
    /// In chunks, and without the last one.
    case missingTerminator
    /// Cut behind so many bytes of status line and header lines, at their end at the latest.
    case truncateHead(bytes: UInt64, CutEnding)
    /// Cut in the body, whose length is told whole. An answer that is shorter is not cut.
    case truncateBody(at: BytePosition, CutEnding)
    /// Bytes that are no HTTP, then FIN.
    case garbage(GarbagePlace)
    /// Sent twice.
    case duplicateResponse
    /// With a tag in its `ETag` line that is no other object's either. An answer without that line stays as it is.
    case wrongETag
    /// The same of its checksum lines.
    case wrongChecksumHeader

    /// What follows the last byte of an answer that is cut.
    package enum CutEnding: String, CaseIterable, Sendable {
        /// FIN, RST and silence.
        case close, reset, hang
    }

    package enum GarbagePlace: String, CaseIterable, Sendable {
        /// Instead of the answer.
        case before
        /// Instead of the answer's body.
        case after
    }

    /// How `Content-Length` disagrees with the body.
    package enum LengthError: Hashable, Sendable {
        /// Not 0. A length never falls below 0.
        case by(Int64)
        /// There is none; the connection ends with the body.
        case absent
    }

    package static let informationalCountMax: UInt64 = 100
    /// 64 GiB: more than any object of a test.
    package static let lengthErrorMax: Int64 = 1 << 36

    package var name: FaultAction.Name {
        switch self {
        case .dropHeader: .dropHeader
        case .setHeader: .setHeader
        case .wrongLength: .wrongLength
        case .extraInformational: .extraInformational
        case .missingTerminator: .missingTerminator
        case .truncateHead: .truncateHead
        case .truncateBody: .truncateBody
        case .garbage: .garbage
        case .duplicateResponse: .duplicateResponse
        case .wrongETag: .wrongETag
        case .wrongChecksumHeader: .wrongChecksumHeader
        }
    }

    /// Whether it says how the body is framed or where the answer ends, of which there is only one in an answer.
    package var decidesFraming: Bool {
        switch self {
        case .wrongLength, .missingTerminator, .truncateHead, .truncateBody, .garbage, .duplicateResponse: true
        case .dropHeader, .setHeader, .extraInformational, .wrongETag, .wrongChecksumHeader: false
        }
    }

    /// Why it makes no sense, in words; nil if it does.
    var flaw: String? {
        switch self {
        case .dropHeader(let name): Self.flaw(ofHeader: name)
        case .setHeader(let field):
            Self.flaw(ofHeader: field.name)
                ?? (InjectedAnswer.isFieldValue(field.value)
                    ? nil : "the value of '\(field.name)' cannot stand in a header line")
        case .wrongLength(.by(let error)):
            (1...Self.lengthErrorMax).contains(Int64(clamping: error.magnitude))
                ? nil : "a length is wrong by 1 to \(Self.lengthErrorMax) bytes, or 'absent'"
        case .truncateBody(.random, _):
            "'truncateBody' cuts where you say; what is left to chance is a point, as in response.at(random)"
        case .truncateBody(let position, _): position.flaw
        case .wrongLength(.absent), .missingTerminator, .truncateHead, .garbage, .duplicateResponse: nil
        case .wrongETag, .wrongChecksumHeader: nil
        case .extraInformational(let status, let count):
            if ![100, 102, 103].contains(status) {
                "an informational answer is 100, 102 or 103, not \(status)"
            } else {
                (1...Self.informationalCountMax).contains(count)
                    ? nil : "1 to \(Self.informationalCountMax) informational answers are possible"
            }
        }
    }

    private static func flaw(ofHeader name: String) -> String? {
        if !InjectedAnswer.isFieldName(name) { return "'\(name)' is no header name" }
        switch name.lowercased() {
        case "content-length": return "'\(name)' is what 'wrongLength' is for"
        case "connection", "transfer-encoding": return "'\(name)' is written by the connection"
        default: return nil
        }
    }
}
