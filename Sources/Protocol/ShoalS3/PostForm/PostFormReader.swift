import ShoalHTTP

/// Reads the body of a form: gathers the fields in front of the file and passes on the file's bytes.
///
/// What stands behind the file is ignored, whatever it is, but for a second file.
/// https://docs.aws.amazon.com/AmazonS3/latest/API/RESTObjectPOST.html
package struct PostFormReader: Sendable {
    /// Bytes in front of the file: fields, their header lines and boundaries.
    package static let fieldsByteCountMax: UInt64 = 20 * 1024

    package enum Step: Equatable {
        /// Everything given was taken; give more.
        case needsMore
        /// The fields are complete, and the file's bytes follow.
        case fileBegins
        /// Bytes of the buffer that belong to the file.
        case file(Range<Int>)
        /// Bytes of the file that were held back.
        case heldFile([UInt8])
    }

    private enum Part {
        case none, ignored, file
        case field([UInt8])

        var isFile: Bool { if case .file = self { true } else { false } }
    }

    package private(set) var form = PostForm()
    /// Bytes of the body taken so far.
    package private(set) var byteCount: UInt64 = 0
    private let boundary: FormBoundary
    private var parser: FormDataParser
    private var part = Part.none
    private var value: [UInt8] = []
    private var fileCount = 0

    /// Throws 400 `MalformedPOSTRequest` if the `Content-Type` of the head names no boundary.
    package init(_ head: RequestHead) throws(S3Error) {
        guard let boundary = head.first("content-type").flatMap(FormBoundary.init(contentType:)) else {
            throw S3Error(.malformedPOSTRequest)
        }
        self.boundary = boundary
        parser = FormDataParser(boundary)
    }

    /// The most bytes that the file can have in a body of `count` bytes, once it has begun: exact if the file is the last
    /// part and nothing follows the last boundary but a line end.
    package func fileByteCountMax(ofBody count: UInt64) -> UInt64 {
        let rest = count - min(byteCount, count)
        return rest - min(UInt64(boundary.delimiterLineByteCount), rest)
    }

    /// Looks at `buffer[index...]` and moves `index` behind what it took.
    ///
    /// Throws 400 `MalformedPOSTRequest` and `MaxPostPreDataLengthExceededError`.
    package mutating func next(_ buffer: Span<UInt8>, from index: inout Int) throws(S3Error) -> Step {
        while true {
            let start = index
            let step = parsed(buffer, from: &index)
            byteCount += UInt64(index - start)
            guard fileCount > 0 || byteCount <= Self.fieldsByteCountMax else {
                throw S3Error(.maxPostPreDataLengthExceeded)
            }
            switch try step.get() {
            case .needsMore: return .needsMore
            case .part(let head): if begin(head) { return .fileBegins }
            case .content(let range):
                if case .file = part { return .file(range) }
                if case .field = part { buffer.withUnsafeBufferPointer { value += $0[range] } }
            case .heldContent(let bytes):
                if case .file = part { return .heldFile(bytes) }
                if case .field = part { value += bytes }
            case .partEnd: end()
            }
        }
    }

    private mutating func parsed(
        _ buffer: Span<UInt8>, from index: inout Int
    ) -> Result<FormDataParser.Step, S3Error> {
        do throws(FormDataFlaw) {
            return .success(try parser.next(buffer, from: &index))
        } catch {
            // Behind the file nothing matters.
            if fileCount > 0, !part.isFile {
                parser.ignoreRest()
                return .success(.partEnd)
            }
            return .failure(S3Error(.malformedPOSTRequest, cause: error))
        }
    }

    /// True for the file.
    private mutating func begin(_ head: FormPartHead) -> Bool {
        if head.name[...].equalsIgnoringCase("file") {
            fileCount += 1
            guard fileCount == 1 else {
                part = .ignored
                return false
            }
            if let filename = head.filename { form.substitute(filename: filename) }
            part = .file
            return true
        }
        part = fileCount == 0 ? .field(head.name) : .ignored
        return false
    }

    private mutating func end() {
        if case .field(let name) = part { form.append(name, value) }
        value = []
        part = .none
    }

    /// To be called at the end of the body. Throws 400 `InvalidArgument` unless there was exactly one file, and
    /// `MalformedPOSTRequest` if the last boundary is missing.
    package func finish() throws(S3Error) {
        if case .file = part { throw S3Error(.malformedPOSTRequest) }
        guard fileCount > 0 || parser.isClosed else { throw S3Error(.malformedPOSTRequest) }
        guard fileCount == 1 else {
            throw .invalidArgument(
                "POST requires exactly one file upload per request.", name: "file", value: "\(fileCount)")
        }
    }
}
