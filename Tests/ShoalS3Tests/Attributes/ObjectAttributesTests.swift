import ShoalS3
import Testing

@Suite struct `The attributes of an object` {
    private static func selection(_ names: [String], _ more: [String] = []) throws -> ObjectAttributeSelection {
        try ObjectAttributeSelection(
            try requestFields("GET /b/k?attributes", names.map { "x-amz-object-attributes: " + $0 } + more))
    }

    @Test(
        arguments: [
            (["ETag"], [ObjectAttributeSelection.Attribute.etag]), (["ETag,ObjectSize"], [.etag, .objectSize]),
            ([" Checksum , ObjectParts "], [.checksum, .objectParts]), (["StorageClass,,"], [.storageClass]),
            (["ETag", "Checksum,ETag", ""], [.etag, .checksum]),
        ] as [([String], Set<ObjectAttributeSelection.Attribute>)])
    func `are chosen by a list`(names: [String], expected: Set<ObjectAttributeSelection.Attribute>) throws {
        let selection = try Self.selection(names)
        #expect(selection.attributes == expected)
        #expect(selection.pageSize == 1_000 && selection.partNumberMarker == 0)
    }

    private static let missing =
        "InvalidRequest | The x-amz-object-attributes header specifying the attributes to be retrieved is either missing or "
        + "empty"
    private static let invalid =
        "InvalidArgument | Invalid attribute name specified. | ArgumentName=x-amz-object-attributes | ArgumentValue="

    @Test(arguments: [
        ([], missing), ([""], missing), ([" , ,"], missing), (["etag"], invalid + "etag"),
        (["ETag,Owner"], invalid + "Owner"),
        (["ETag,,Checksum"], invalid), ([",ETag"], invalid),
    ])
    func `are refused by S3's words if there is no such thing`(names: [String], expected: String) {
        #expect(refusal { _ = try Self.selection(names) } == expected)
    }

    @Test(arguments: [
        (
            "x-amz-max-parts: x",
            "InvalidArgument | Provided x-amz-max-parts not an integer or within integer range | "
                + "ArgumentName=x-amz-max-parts | ArgumentValue=x"
        ),
        (
            "x-amz-part-number-marker: 4294967296",
            "InvalidArgument | Provided x-amz-part-number-marker not an integer or within integer range | "
                + "ArgumentName=x-amz-part-number-marker | ArgumentValue=4294967296"
        ),
        (
            "x-amz-max-parts: -1",
            "InvalidArgument | Argument x-amz-max-parts must be an integer between 0 and 2147483647 | "
                + "ArgumentName=x-amz-max-parts | ArgumentValue=-1"
        ),
    ])
    func `have a page of parts in numbers`(line: String, expected: String) {
        #expect(refusal { _ = try Self.selection(["ETag"], [line]) } == expected)
    }

    @Test(
        arguments: [
            ([], [1, 2, 7], false), (["x-amz-max-parts: 2"], [1, 2], true), (["x-amz-max-parts: 3"], [1, 2, 7], false),
            (["x-amz-max-parts: 1", "x-amz-part-number-marker: 2"], [7], false),
            (["x-amz-part-number-marker: 7"], [], false),
            (["x-amz-max-parts: 0"], [], false),
        ] as [([String], [Int], Bool)])
    func `show one page of the parts`(lines: [String], numbers: [Int], isTruncated: Bool) throws {
        let all = [1, 2, 7].map { uploadedPart($0) }
        let parts = GetObjectAttributesResponse.Parts(all, try Self.selection(["ObjectParts"], lines))
        #expect(parts.page.map(\.number.value) == numbers)
        #expect(parts.totalCount == 3 && parts.isTruncated == isTruncated)
    }

    private static let all = ["ETag,Checksum,ObjectParts,StorageClass,ObjectSize"]

    @Test func `show parts with their checksums`() throws {
        let selection = try Self.selection(Self.all, ["x-amz-max-parts: 1", "x-amz-part-number-marker: 1"])
        let response = GetObjectAttributesResponse(
            etag: ETag(unquoted: "4d45984fc3feb2ac9b22683c49674b56-3"),
            checksum: Checksum(.sha256, kind: .composite, text: "9o++y6AejqboiJ7MZCx0fahK2Vu5YC/qnNhhYsCLciI=-3"),
            parts: .init((1...3).map { uploadedPart($0, .sha256) }, selection), storageClass: .glacier, size: 15_728_640
        )
        #expect(text(response.document(selection)) == (try goldenXML("object-attributes-composite")))
    }

    @Test func `only count parts that have no checksum of their own`() throws {
        let selection = try Self.selection(["ObjectParts", "Checksum"])
        let response = GetObjectAttributesResponse(
            etag: ETag(unquoted: "x-3"), checksum: Checksum(.crc64nvme, kind: .fullObject, text: "rosUhgp5mIg="),
            parts: .init((1...3).map { uploadedPart($0) }, selection), storageClass: .standard, size: 9)
        #expect(text(response.document(selection)) == (try goldenXML("object-attributes-full")))
    }

    @Test func `leave out what the object does not have`() throws {
        let response = GetObjectAttributesResponse(
            etag: ETag(unquoted: "25f9e794323b453885f5181f1b624d0b"), checksum: nil, parts: nil,
            storageClass: .standard,
            size: 9)
        #expect(
            text(response.document(try Self.selection(Self.all))) == (try goldenXML("object-attributes-simple")))
    }
}
