import ShoalFaults
import ShoalJSON

/// `POST …/scopes/{s}/notes`: a line of the test in the journal, so that its steps stand among the requests.
package struct NoteRequest: AdminMessage, Equatable {
    package static let byteCountMax = 4_096

    /// 1 to 4,096 bytes.
    package let text: String

    package init(text: String) { self.text = text }

    package init(_ reader: MessageReader) throws(MalformedMessage) {
        try reader.allow(["text"])
        let member = try reader.required("text")
        text = try member.string()
        guard (1...Self.byteCountMax).contains(text.utf8.count) else {
            throw member.flaw("a note has 1 to \(Self.byteCountMax) bytes")
        }
    }

    package var json: JSON { ["text": .string(text)] }
}

/// The answer to it: 201.
package struct NoteView: AdminMessage, Equatable {
    /// The note's number in the journal.
    package let seq: UInt64

    package init(seq: UInt64) { self.seq = seq }

    package init(_ reader: MessageReader) throws(MalformedMessage) { seq = try reader.required("seq").integer() }

    package var json: JSON { ["seq": .count(seq)] }
}
