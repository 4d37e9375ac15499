import ShoalCrypto
import ShoalFaults
import ShoalWire
import Testing

@Suite struct `The parts of an upload` {
    @Test func `are named with and without quotes, as text or as XML has them (moto#703)`() throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        let bare = etag(of: pattern(10)).replacing("\"", with: "")
        for (index, tag) in [bare, "\"\(bare)\"", "&quot;\(bare)&quot;", "&#34;\(bare)&#34;"].enumerated() {
            let upload = try s3.begin("k\(index)")
            #expect(try s3.part(1, pattern(10), of: upload, "k\(index)") == "\"\(bare)\"")
            let done = try s3.complete(upload, "k\(index)", [(1, tag)])
            #expect(done.status == 200, "\(tag): \(done.text)")
            #expect(try s3.get("k\(index)").body == pattern(10))
        }
        let upload = try s3.begin("wrong")
        _ = try s3.part(1, pattern(10), of: upload, "wrong")
        for tag in ["\"\(bare.dropLast())\"", "\(bare)0", ""] {
            #expect(try s3.complete(upload, "wrong", [(1, tag)]).status == 400, "\(tag)")
        }
        #expect(try !s3.has("wrong"))
    }

    @Test func `begin with an InitiateMultipartUploadResult and end in a tag of tags (gofakes3#96)`() throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        let begun = try s3.send(S3Call("POST", "photos", "a/b c", query: [("uploads", "")]))
        let upload = try #require(begun.element("UploadId"))
        #expect(
            begun.text
                == "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                + "<InitiateMultipartUploadResult xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">"
                + "<Bucket>photos</Bucket><Key>a/b c</Key><UploadId>\(upload)</UploadId></InitiateMultipartUploadResult>"
        )
        let part = try s3.part(1, pattern(10), of: upload, "a/b c")
        let done = try s3.complete(upload, "a/b c", [(1, part)])
        #expect(done.text.contains("<CompleteMultipartUploadResult xmlns="))
        let tag = Hexadecimal.string(Digest.of(Digest.of(pattern(10), .md5), .md5)) + "-1"
        #expect(done.element("ETag")?.contains(tag) == true)
        #expect(try s3.get("a/b c")["ETag"] == "\"\(tag)\"")
    }

    /// S3 sends 200 and white space while it works, and may still end in an error.
    @Test(arguments: [("commit.before", false), ("commit.after", true)])
    func `may be completed with a 200 that holds an error, and once more after it (django-s3-file-field#209)`(
        point: String, isStored: Bool
    ) throws {
        let server = try TestServer()
        let (s3, admin) = (S3Client(server), AdminClient(server))
        let upload = try s3.begin("a")
        let parts = [(number: 1, etag: try s3.part(1, pattern(10), of: upload, "a"))]
        let document = "  <Error><Code>InternalError</Code><Message>We lost it.</Message></Error>"
        try admin.arm(
            "CompleteMultipartUpload a @\(point) 1*respond(200,contentType=\"application/xml\",body=\"\(document)\")")
        let answer = try s3.complete(upload, "a", parts)
        #expect(answer.status == 200 && answer.text == document)
        #expect(try s3.has("a") == isStored)
        let again = try s3.complete(upload, "a", parts)
        #expect(again.status == 200 && again.text.contains("<CompleteMultipartUploadResult"))
        #expect(try s3.get("a").body == pattern(10))
    }
}
