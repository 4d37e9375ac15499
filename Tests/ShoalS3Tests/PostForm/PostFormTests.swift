import ShoalHTTP
import ShoalS3
import ShoalSeeded
import Testing

@Suite struct `A form` {
    private static func part(_ name: String, _ content: String, _ more: String = "") -> String {
        "--b\r\nContent-Disposition: form-data; name=\"\(name)\"\(more)\r\n\r\n\(content)\r\n"
    }

    private static let end = "--b--\r\n"

    /// Form, file and refusal; `cuts` are where the bytes are cut.
    private static func read(_ text: String, cutAt cuts: [Int] = []) throws -> (PostForm, file: String, String?) {
        var reader = try PostFormReader(
            try requestHead("POST /photos", ["Content-Type: multipart/form-data; boundary=b"]))
        let bytes = Array(text.utf8)
        var file: [UInt8] = []
        let answer = refusal {
            var start = 0
            for end in cuts + [bytes.count] {
                let piece = Array(bytes[start..<end])
                var index = 0
                reading: while true {
                    switch try reader.next(piece.span, from: &index) {
                    case .needsMore: break reading
                    case .fileBegins: #expect(reader.fileByteCountMax(ofBody: UInt64(bytes.count)) <= bytes.count)
                    case .file(let range): file += piece[range]
                    case .heldFile(let held): file += held
                    }
                }
                start = end
            }
            try reader.finish()
        }
        return (reader.form, String(decoding: file, as: UTF8.self), answer)
    }

    private static let malformed =
        "MalformedPOSTRequest | The body of your POST request is not well-formed multipart/form-data."

    @Test func `has the fields in front of its file, and ignores what stands behind it`() throws {
        let text =
            Self.part("KEY", "u/${filename}") + Self.part("policy", "${filename}")
            + Self.part("x-amz-meta-from", "${filename}!") + Self.part("file", "bytes", "; filename=\"/tmp/a b.txt\"")
            + Self.part("acl", "private") + "--b\r\nnonsense\r\n\r\n"
        let (form, file, answer) = try Self.read(text + Self.end)
        #expect(answer == nil && file == "bytes")
        #expect(try form.key().description == "u/a b.txt")
        #expect(form.first("policy") == Array("${filename}".utf8))
        #expect(form.first("x-amz-meta-from") == Array("a b.txt!".utf8))
        #expect(form.first("acl") == nil)
        let plain = try Self.read(Self.part("key", "${filename}") + Self.part("file", "x") + Self.end)
        #expect(try plain.0.key().description == "${filename}")
        let windows = try Self.read(
            Self.part("key", "${filename}") + Self.part("file", "x", "; filename=\"C:\\a\\b.txt\"") + Self.end)
        #expect(try windows.0.key().description == "b.txt")
    }

    private static let notOneFile =
        "InvalidArgument | POST requires exactly one file upload per request. | ArgumentName=file"

    private static let broken: [(String, String)] = {
        let (key, file) = (part("key", "a"), part("file", "a"))
        var cases = ["", "--b", key, file, "\(file)--b", "\(file)--bx", "\(file)--b-", "--b\r\n\r\n\(end)"].map {
            ($0, malformed)
        }
        cases.append((key + end, notOneFile + " | ArgumentValue=0"))
        cases.append((file + key + part("File", "b") + end, notOneFile + " | ArgumentValue=2"))
        let long = part("key", String(repeating: "x", count: 20 * 1024))
        let refusal =
            "MaxPostPreDataLengthExceededError | Your POST request fields preceding the upload file were too large."
        cases += [(long + file + end, refusal), (long, refusal)]
        return cases
    }()

    @Test(arguments: broken)
    func `is refused without its end, with more than one file, and with too much in front of it`(
        text: String, expected: String
    ) throws {
        var random = SeededGenerator(seed: 1)
        #expect(try Self.read(text).2 == expected)
        for _ in 0..<20 { #expect(try Self.read(text, cutAt: Array(text.utf8).someCuts(using: &random)).2 == expected) }
    }

    @Test(arguments: UInt64(0)..<8)
    func `is read or refused the same, however its bytes are changed and cut`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let good = Array(
            (Self.part("key", "a/${filename}") + Self.part("x-amz-meta-a", "b")
                + Self.part("file", "\r\n--\r\n-b", "; filename=\"c\"") + Self.part("acl", "private") + Self.end).utf8)
        for _ in 0..<200 {
            var bytes = good
            for _ in 0..<Int.random(in: 0...3, using: &random) {
                // ASCII, so that the text is the bytes.
                bytes[bytes.indices.randomElement(using: &random)!] = UInt8.random(in: 0..<0x80, using: &random)
            }
            let whole = try Self.read(text(bytes))
            let cut = try Self.read(text(bytes), cutAt: bytes.someCuts(using: &random))
            #expect(whole.file == cut.file && whole.2 == cut.2, "seed \(seed)")
            #expect(whole.0.fields.map(\.name) == cut.0.fields.map(\.name), "seed \(seed)")
            #expect(whole.0.fields.map(\.value) == cut.0.fields.map(\.value), "seed \(seed)")
        }
    }

    @Test func `knows how long its file is where nothing follows it`() throws {
        let text = Self.part("key", "a") + Self.part("file", "12345") + "--b--"
        var reader = try PostFormReader(
            try requestHead("POST /photos", ["Content-Type: multipart/form-data; boundary=b"]))
        var index = 0
        let bytes = Array(text.utf8)
        #expect(try reader.next(bytes.span, from: &index) == .fileBegins)
        #expect(reader.fileByteCountMax(ofBody: UInt64(bytes.count)) == 5)
        #expect(reader.fileByteCountMax(ofBody: 3) == 0)
    }

    @Test func `without a boundary is refused`() throws {
        let head = try requestHead("POST /photos", ["Content-Type: multipart/form-data"])
        #expect(refusal { _ = try PostFormReader(head) } == Self.malformed)
    }

    @Test func `says of the object what headers say`() throws {
        let form = postForm([
            ("Content-Type", "image/png"), ("acl", "private"), ("x-amz-meta-A", "b"), ("x-amz-meta-c", "caf\u{E9}"),
            ("x-amz-storage-class", "STANDARD_IA"), ("policy", "secret"), ("x-amz-signature", "secret"),
            ("tagging", "<Tagging><TagSet><Tag><Key>k</Key><Value>v</Value></Tag></TagSet></Tagging>"),
            ("x-amz-tagging", "x=y"),
        ])
        let headers = try ObjectHeaders(form: form.objectFields)
        #expect(headers.metadata.value(of: .contentType).map(text) == "image/png")
        #expect(headers.metadata.userFields.map { text($0.name) + "=" + text($0.value) } == ["a=b", "c=caf\u{E9}"])
        #expect(headers.storageClass == .standardIA && headers.acl == .private && headers.tags == nil)
        #expect(try form.tags()?.tags == [TagSet.Tag(key: "k", value: "v")])
        #expect(!text(form.objectFields.head.bytes).contains("secret"))
        #expect(try postForm([("tagging", "<Other/>")]).tags() == nil)
        #expect(refusal { _ = try postForm([("tagging", "x")]).tags() } == malformedXML)
        let split = postForm([("Content-Type", "a\r\nb")])
        #expect(refusal { _ = try ObjectHeaders(form: split.objectFields) }?.hasPrefix("InvalidArgument") == true)
    }

    @Test(
        arguments: [
            (
                [],
                "InvalidArgument | Bucket POST must contain a field named 'key'.  If it is specified, please check the order "
                    + "of the fields. | ArgumentName=key | ArgumentValue="
            ),
            (
                [("key", "")],
                "InvalidArgument | User key must have a length greater than 0. | ArgumentName=key | "
                    + "ArgumentValue="
            ),
            (
                [("key", String(repeating: "k", count: 1_025))],
                "KeyTooLongError | Your key is too long | Size=1025 | MaxSizeAllowed=1024"
            ),
        ] as [([(String, String)], String)])
    func `needs a key`(fields: [(String, String)], expected: String) {
        #expect(refusal { _ = try postForm(fields).key() } == expected)
    }
}

extension [UInt8] {
    /// Up to eight places between the bytes, ascending.
    fileprivate func someCuts(using random: inout SeededGenerator) -> [Int] {
        (0..<Int.random(in: 1...8, using: &random)).map { _ in Int.random(in: 0...count, using: &random) }.sorted()
    }
}

@Suite struct `The answer a form wants` {
    @Test(
        arguments: [
            ([], .noContent), ([("success_action_status", "200")], .ok), ([("success_action_status", "201")], .created),
            ([("success_action_status", "204")], .noContent), ([("success_action_status", "404")], .noContent),
            ([("success_action_status", "")], .noContent),
            (
                [("success_action_status", "201"), ("success_action_redirect", "http://a/b")],
                .redirect(Array("http://a/b".utf8))
            ),
            ([("redirect", "https://a")], .redirect(Array("https://a".utf8))), ([("redirect", "a/b")], .noContent),
            ([("redirect", "http:///x")], .noContent), ([("redirect", "http://a/\r\nSet-Cookie: x")], .noContent),
            ([("redirect", "javascript:alert(1)")], .noContent),
        ] as [([(String, String)], PostSuccess)])
    func `is a redirect to a URL, a status, or nothing`(fields: [(String, String)], expected: PostSuccess) {
        #expect(PostSuccess(postForm(fields)) == expected)
    }

    @Test(arguments: [
        ("http://a/b", "http://a/b?bucket=photos&key=x%20y%2Fz&etag=%22e%22"),
        ("http://a/b?c=d", "http://a/b?c=d&bucket=photos&key=x%20y%2Fz&etag=%22e%22"),
        ("http://a/b?#f", "http://a/b?bucket=photos&key=x%20y%2Fz&etag=%22e%22#f"),
        ("http://a/\u{E9}", "http://a/%C3%A9?bucket=photos&key=x%20y%2Fz&etag=%22e%22"),
    ])
    func `tells the page what was stored`(url: String, expected: String) {
        let location = PostSuccess.location(
            Array(url.utf8), bucket: BucketName("photos")!, key: ObjectKey("x y/z".utf8)!, etag: ETag(unquoted: "e"))
        #expect(text(location) == expected)
    }

    @Test func `is in its 201 a document without a namespace`() {
        let document = PostResponse(
            location: "http://h/photos/a%26b", bucket: BucketName("photos")!, key: ObjectKey("a&b".utf8)!,
            etag: ETag(unquoted: "e")
        ).document
        #expect(
            text(document)
                == "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<PostResponse><Location>http://h/photos/a%26b</Location>"
                + "<Bucket>photos</Bucket><Key>a&amp;b</Key><ETag>\"e\"</ETag></PostResponse>")
    }
}
