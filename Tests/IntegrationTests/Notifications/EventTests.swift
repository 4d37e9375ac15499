import ShoalCrypto
import ShoalJSON
import ShoalServer
import ShoalWire
import Testing

@Suite struct `An event that a webhook gets` {
    /// A server whose bucket `photos` notifies the receiver of everything.
    private struct Trial {
        let receiver = WireReceiver()
        let server: TestServer
        let s3: S3Client

        init(_ targets: [NotificationXML] = [NotificationXML()], _ configure: (inout ServeOptions) -> Void = { _ in })
            throws
        {
            let receiver = receiver
            server = try TestServer { options in
                options.webhooks = [Webhook(to: receiver)]
                configure(&options)
            }
            s3 = S3Client(server)
            #expect(try s3.notify(targets).status == 200)
        }

        /// The events of `count` messages behind that of the test.
        func events(_ count: Int) -> [String] {
            receiver.messages { $0.events.count >= count }.events
        }

        /// The last record that came.
        func record(_ count: Int) throws -> JSON {
            try #require(receiver.messages { $0.events.count >= count }.last?.record)
        }
    }

    /// What is written ends later than the configuration was answered.
    @Test func `tells of an upload that was under way when the webhook was named`() throws {
        let receiver = WireReceiver()
        let server = try TestServer { $0.webhooks = [Webhook(to: receiver)] }
        let s3 = S3Client(server)
        let request = try s3.request(
            S3Call("PUT", "photos", "a", unsigned: [("Expect", "100-continue")], body: "hello"))
        let connection = server.connection
        connection.send(request.head)
        #expect(connection.receiveResponse()?.status == 100)
        #expect(try s3.notify([NotificationXML()]).status == 200)
        connection.send(request.body)
        #expect(connection.receiveResponse()?.status == 200)
        #expect(receiver.messages { $0.events.count >= 1 }.events == ["ObjectCreated:Put a"])
    }

    @Test func `is a POST of exactly the document that S3 sends`() throws {
        let trial = try Trial()
        let answer = try trial.s3.put("a/b c@\u{E9}.txt", "nine byte")
        let message = try #require(trial.receiver.messages { $0.count == 2 }.last)
        #expect(message.head.hasPrefix("POST /events HTTP/1.1\r\n"))
        #expect(message.head.contains("\r\nContent-Type: application/json"))
        #expect(message.head.lowercased().contains("content-length: \(message.body.count)"))
        let time = try #require(message.record?["eventTime"]?.string)
        #expect(time.count == 24 && time.hasSuffix("Z"))
        let owner = "90afe62268888bcfcc9f7a25ce4071ccdc70b421c40d8f8977cedcb0d3891950"
        let (request, host) = (answer["x-amz-request-id"] ?? "", answer["x-amz-id-2"] ?? "")
        let sequencer = try #require(message.record?["s3"]?["object"]?["sequencer"]?.string)
        #expect(sequencer.count == 16)
        #expect(
            message.text
                == #"{"Records":[{"eventVersion":"2.1","eventSource":"aws:s3","awsRegion":"us-east-1","#
                + #""eventTime":"\#(time)","eventName":"ObjectCreated:Put","userIdentity":{"principalId":"\#(owner)"},"#
                + #""requestParameters":{"sourceIPAddress":"127.0.0.1"},"#
                + #""responseElements":{"x-amz-request-id":"\#(request)","x-amz-id-2":"\#(host)"},"#
                + #""s3":{"s3SchemaVersion":"1.0","configurationId":"all","bucket":{"name":"photos","#
                + #""ownerIdentity":{"principalId":"\#(owner)"},"arn":"arn:aws:s3:::photos"},"#
                + #""object":{"key":"a/b+c%40%C3%A9.txt","size":9,"eTag":"\#(plain(etag(of: "nine byte")))","#
                + #""sequencer":"\#(sequencer)"}}}]}"#)
    }

    /// Without its quotes.
    private func plain(_ etag: String) -> String { String(etag.dropFirst().dropLast()) }

    /// The object's members with the sequencer's value left out.
    private func object(_ record: JSON) -> String {
        guard case .object(let members)? = record["s3"]?["object"] else { return "" }
        return JSON.object(members.map { $0.name == "sequencer" ? .init("sequencer", "…") : $0 }).text
    }

    @Test func `says of each way to write an object how that was done`() throws {
        let trial = try Trial()
        let s3 = trial.s3
        try s3.put("put", "x")
        try s3.send(S3Call("PUT", "photos", "presigned", body: "x"), .presigned(seconds: 60))
        #expect(try s3.send(s3.form([("key", "form")], file: Array("x".utf8)).request(s3)).status == 204)
        let copy: [WireRequest.Field] = [("x-amz-copy-source", "photos/put")]
        #expect(try s3.send(S3Call("PUT", "photos", "copy", headers: copy)).status == 200)
        let upload = try s3.begin("parts")
        let tag = try s3.part(1, Array("x".utf8), of: upload, "parts")
        #expect(try s3.complete(upload, "parts", [(1, tag)]).status == 200)
        #expect(try s3.complete(upload, "parts", [(1, tag)]).status == 200, "again, which is no event")
        let last = try trial.record(5)
        #expect(
            trial.events(5) == [
                "ObjectCreated:Put put", "ObjectCreated:Put presigned", "ObjectCreated:Post form",
                "ObjectCreated:Copy copy", "ObjectCreated:CompleteMultipartUpload parts",
            ])
        let etag = plain(try #require(try s3.get("parts")["ETag"]))
        #expect(object(last) == #"{"key":"parts","size":1,"eTag":"\#(etag)","sequencer":"…"}"#)
        let form = try #require(trial.receiver.messages[3].record)
        #expect(form["userIdentity"]?["principalId"]?.string?.hasPrefix("90afe6") == true, "the form's own sender")
    }

    @Test func `says of an archived object that its copy was asked for and is there, and not again`() throws {
        let trial = try Trial([NotificationXML(events: ["s3:ObjectRestore:*"])])
        let archived = S3Call("PUT", "photos", "a", headers: [("x-amz-storage-class", "GLACIER")], body: "x")
        #expect(try trial.s3.send(archived).status == 200)
        let body = "<RestoreRequest><Days>1</Days></RestoreRequest>"
        let restore = S3Call("POST", "photos", "a", query: [("restore", "")], body: body)
        #expect(try trial.s3.send(restore).status == 202)
        #expect(try trial.s3.send(restore).status == 200)
        let completed = try trial.record(2)
        #expect(trial.events(2) == ["ObjectRestore:Post a", "ObjectRestore:Completed a"])
        let data = try #require(completed["glacierEventData"]?["restoreEventData"])
        #expect(data["lifecycleRestoreStorageClass"]?.string == "GLACIER")
        #expect(data["lifecycleRestorationExpiryTime"]?.string?.hasSuffix("T00:00:00.000Z") == true)
    }

    @Test func `says of a deletion what it left, and nothing of one that found nothing`() throws {
        let trial = try Trial()
        let s3 = trial.s3
        try s3.put("a", "x")
        try s3.send(S3Call("DELETE", "photos", "a"))
        try s3.send(S3Call("DELETE", "photos", "a"))
        #expect(object(try trial.record(2)) == #"{"key":"a","sequencer":"…"}"#)
        try s3.keepVersions()
        let version = try #require(try s3.put("a", "y")["x-amz-version-id"])
        let put = try trial.record(3)
        #expect(put["s3"]?["object"]?["versionId"]?.string == version)
        let marker = try #require(try s3.send(S3Call("DELETE", "photos", "a"))["x-amz-version-id"])
        let empty = #""eTag":"d41d8cd98f00b204e9800998ecf8427e""#
        #expect(
            object(try trial.record(4)) == #"{"key":"a",\#(empty),"versionId":"\#(marker)","sequencer":"…"}"#)
        try s3.send(S3Call("DELETE", "photos", "a", query: [("versionId", marker)]))
        #expect(object(try trial.record(5)) == #"{"key":"a","versionId":"\#(marker)","sequencer":"…"}"#)
        try s3.send(S3Call("DELETE", "photos", "a", query: [("versionId", version)]))
        try s3.put("end", "")
        #expect(
            trial.events(7) == [
                "ObjectCreated:Put a", "ObjectRemoved:Delete a", "ObjectCreated:Put a",
                "ObjectRemoved:DeleteMarkerCreated a", "ObjectRemoved:Delete a", "ObjectRemoved:Delete a",
                "ObjectCreated:Put end",
            ])
    }

    @Test func `is sent for each object that one request deletes`() throws {
        let trial = try Trial()
        for key in ["a", "b", "c"] { try trial.s3.put(key, "x") }
        let list = ["a", "absent", "b"].map { "<Object><Key>\($0)</Key></Object>" }.joined()
        let body = "<Delete>\(list)<Object><Key>c</Key><VersionId>null</VersionId></Object></Delete>"
        func delete(_ body: String) throws -> Int {
            let headers = [("Content-MD5", Base64.string(Digest.of(Array(body.utf8), .md5)))]
            return try trial.s3.send(
                S3Call("POST", "photos", query: [("delete", "")], headers: headers, body: body)
            ).status
        }
        #expect(try delete("<Delete>\(list)</Delete>") == 200)
        #expect(trial.events(5).suffix(2).sorted() == ["ObjectRemoved:Delete a", "ObjectRemoved:Delete b"])
        #expect(try delete(body) == 200)
        #expect(trial.events(6).last == "ObjectRemoved:Delete c")
    }

    @Test func `says of tags and lists that they were put, and of a list only if it changed`() throws {
        let trial = try Trial { $0.newBuckets = .open }
        let s3 = trial.s3
        try s3.put("a", "x")
        let tags = "<Tagging><TagSet><Tag><Key>k</Key><Value>v</Value></Tag></TagSet></Tagging>"
        for _ in 0..<2 {
            #expect(
                try s3.send(S3Call("PUT", "photos", "a", query: [("tagging", "")], body: tags)).status == 200)
        }
        try s3.send(S3Call("DELETE", "photos", "a", query: [("tagging", "")]))
        let tag = plain(etag(of: "x"))
        let record = try trial.record(4)
        #expect(record["eventVersion"]?.string == "2.3")
        #expect(object(record) == #"{"key":"a","eTag":"\#(tag)"}"#)
        for _ in 0..<2 {
            let list: [WireRequest.Field] = [("x-amz-acl", "public-read")]
            #expect(
                try s3.send(S3Call("PUT", "photos", "a", query: [("acl", "")], headers: list)).status == 200)
        }
        try s3.put("end", "")
        #expect(
            trial.events(6) == [
                "ObjectCreated:Put a", "ObjectTagging:Put a", "ObjectTagging:Put a", "ObjectTagging:Delete a",
                "ObjectAcl:Put a", "ObjectCreated:Put end",
            ])
    }

    @Test func `is one that its configuration names, about a key that the filter lets pass`() throws {
        var jpeg = NotificationXML(id: "jpeg", events: ["s3:ObjectCreated:Put"])
        jpeg.rules = [("prefix", "in/"), ("suffix", ".jpg")]
        var gone = NotificationXML(id: "gone", events: ["s3:ObjectRemoved:DeleteMarkerCreated"])
        gone.rules = [("prefix", "in/")]
        let trial = try Trial([jpeg, gone])
        let s3 = trial.s3
        for key in ["in/a.png", "out/a.jpg", "in/a.jpg"] { try s3.put(key, "x") }
        try s3.send(S3Call("PUT", "photos", "in/b.jpg", headers: [("x-amz-copy-source", "photos/in/a.jpg")]))
        try s3.send(S3Call("DELETE", "photos", "in/a.png"))
        try s3.keepVersions()
        try s3.send(S3Call("DELETE", "photos", "in/b.jpg"))
        try s3.put("in/end.jpg", "")
        #expect(
            trial.events(3) == [
                "ObjectCreated:Put in/a.jpg", "ObjectRemoved:DeleteMarkerCreated in/b.jpg",
                "ObjectCreated:Put in/end.jpg",
            ])
        let ids = trial.receiver.messages.compactMap { $0.record?["s3"]?["configurationId"]?.string }
        #expect(ids == ["jpeg", "gone", "jpeg"])
    }

    @Test func `counts up with each change of a key`() throws {
        let trial = try Trial()
        for number in 0..<20 { try trial.s3.put("a", "\(number)") }
        let sequencers = trial.receiver.messages { $0.events.count == 20 }
            .compactMap { $0.record?["s3"]?["object"]?["sequencer"]?.string }
        #expect(sequencers.count == 20 && sequencers == sequencers.sorted() && Set(sequencers).count == 20)
    }

    @Test func `is not sent for what was refused`() throws {
        let trial = try Trial()
        try trial.s3.put("a", "x")
        #expect(try trial.s3.put("a", "y", headers: [("If-None-Match", "*")]).status == 412)
        #expect(try trial.s3.put("a", "y", headers: [("Content-MD5", "AAAAAAAAAAAAAAAAAAAAAA==")]).status == 400)
        #expect(try trial.s3.send(S3Call("DELETE", "photos", "a", headers: [("If-Match", "\"x\"")])).status == 412)
        try trial.s3.put("end", "")
        #expect(trial.events(2) == ["ObjectCreated:Put a", "ObjectCreated:Put end"])
    }
}
