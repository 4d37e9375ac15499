import ShoalJSON
import ShoalServer
import ShoalWire
import Testing

@Suite struct `A notification configuration of a bucket` {
    private func get(_ s3: S3Client) throws -> WireResponse {
        try s3.send(S3Call("GET", "photos", query: [("notification", "")]))
    }

    private let empty = #"<NotificationConfiguration xmlns="http://s3.amazonaws.com/doc/2006-03-01/"/>"#

    @Test func `is kept, read, replaced and removed`() throws {
        let receiver = WireReceiver()
        let server = try TestServer { $0.webhooks = [Webhook(to: receiver)] }
        let s3 = S3Client(server)
        #expect(try get(s3).text.hasSuffix(empty))
        var target = NotificationXML()
        target.rules = [("prefix", "a/")]
        let put = try s3.notify([target])
        #expect(put.status == 200 && put.body.isEmpty)
        let text = try get(s3).text
        #expect(text.contains("<Id>all</Id><Queue>\(target.arn)</Queue><Event>s3:ObjectCreated:*</Event>"))
        #expect(text.contains("<FilterRule><Name>Prefix</Name><Value>a/</Value></FilterRule>"))
        #expect(try s3.notify([NotificationXML(id: "other")]).status == 200)
        #expect(try get(s3).element("Id") == "other")
        #expect(try s3.notify([]).status == 200)
        #expect(try get(s3).text.hasSuffix(empty))
        try s3.put("a", "nobody is told")
        #expect(try s3.notify().status == 200)
        try s3.put("end", "x")
        // A test for each configuration that has a queue; an event of `a` would stand in front of the last one.
        let messages = receiver.messages { $0.count >= 4 }
        #expect(messages.map(\.event) == [nil, nil, nil, "ObjectCreated:Put end"])
        #expect(messages.prefix(3).allSatisfy { $0.text.contains(#""Event":"s3:TestEvent""#) })
    }

    @Test func `is tried with a message to each queue and topic`() throws {
        let receiver = WireReceiver()
        let server = try TestServer { options in
            options.webhooks = ["q", "t", "f"].map { Webhook($0, to: receiver, path: "/\($0)") }
        }
        let s3 = S3Client(server)
        let targets = [
            NotificationXML(arn: "arn:aws:sqs:us-east-1:000000000000:q", id: "1", events: ["s3:ObjectCreated:Put"]),
            NotificationXML(arn: "arn:aws:sqs:us-east-1:000000000000:q", id: "2", events: ["s3:ObjectCreated:Post"]),
            NotificationXML(
                element: "Topic", arn: "arn:aws:sns:us-east-1:000000000000:t", id: "3", events: ["s3:ObjectRemoved:*"]),
            NotificationXML(
                element: "CloudFunction", arn: "arn:aws:lambda:us-east-1:000000000000:function:f:live", id: "4",
                events: ["s3:ObjectTagging:*"]),
        ]
        let answer = try s3.notify(targets)
        #expect(answer.status == 200, "\(answer.text)")
        let tests = receiver.messages { $0.count == 2 }
        #expect(tests.map { $0.head.prefix(7) }.sorted() == ["POST /q", "POST /t"])
        let time = try #require(try JSONParser.parse(tests[0].body)["Time"]?.string)
        #expect(
            tests[0].text
                == #"{"Service":"Amazon S3","Event":"s3:TestEvent","Time":"\#(time)","Bucket":"photos","#
                + #""RequestId":"\#(answer["x-amz-request-id"] ?? "")","HostId":"\#(answer["x-amz-id-2"] ?? "")"}"#)
        try s3.put("a", "x")
        try s3.send(S3Call("DELETE", "photos", "a"))
        try s3.put("b", "x")
        try s3.send(S3Call("DELETE", "photos", "b", query: [("tagging", "")]))
        let events = receiver.messages { $0.events.count == 4 }.filter { $0.record != nil }
        #expect(events.map { $0.head.prefix(7) }.sorted() == ["POST /f", "POST /q", "POST /q", "POST /t"])
    }

    @Test func `is refused if no webhook has the name of a destination, and changes nothing`() throws {
        let receiver = WireReceiver()
        let server = try TestServer { $0.webhooks = [Webhook(to: receiver)] }
        let s3 = S3Client(server)
        let targets = [
            NotificationXML(id: "known", events: ["s3:ObjectCreated:*"]),
            NotificationXML(arn: "arn:aws:sqs:us-east-1:000000000000:Thumbs", id: "q", events: ["s3:ObjectRemoved:*"]),
            NotificationXML(
                element: "CloudFunction", arn: "arn:aws:lambda:us-east-1:000000000000:function:f", id: "f",
                events: ["s3:ObjectTagging:*"]),
        ]
        let answer = try s3.notify(targets)
        #expect(answer.status == 400)
        #expect(
            answer.errorContent
                == "<Code>InvalidArgument</Code><Message>Unable to validate the following destination configurations</Message>"
                + "<ArgumentName1>arn:aws:sqs:us-east-1:000000000000:Thumbs</ArgumentName1>"
                + "<ArgumentValue1>The destination queue does not exist</ArgumentValue1>"
                + "<ArgumentName2>arn:aws:lambda:us-east-1:000000000000:function:f</ArgumentName2>"
                + "<ArgumentValue2>The destination Lambda does not exist</ArgumentValue2>")
        #expect(try get(s3).text.hasSuffix(empty))
        let skipped = try s3.notify(targets, headers: [("x-amz-skip-destination-validation", "true")])
        #expect(skipped.status == 200)
        try s3.put("a", "x")
        try s3.send(S3Call("DELETE", "photos", "a"))
        try s3.put("b", "x")
        #expect(
            receiver.messages { $0.count == 2 }.map(\.event) == ["ObjectCreated:Put a", "ObjectCreated:Put b"],
            "no test, and nothing for those who are not there")
        let webhooks = try AdminClient(server).json("GET", "/notifications")["webhooks"]?.elements ?? []
        #expect(webhooks.compactMap { $0["name"]?.string } == ["thumbs"])
    }

    @Test(arguments: [
        (400, "MalformedXML", NotificationXML(events: [])),
        (400, "InvalidArgument", NotificationXML(arn: "thumbs")),
        (400, "InvalidArgument", NotificationXML(events: ["s3:ObjectCreated:Fly"])),
        (400, "InvalidArgument", NotificationXML(rules: [("infix", "a")])),
    ])
    func `is refused as S3 refuses it`(status: Int, code: String, target: NotificationXML) throws {
        let receiver = WireReceiver()
        let server = try TestServer { $0.webhooks = [Webhook(to: receiver)] }
        let answer = try S3Client(server).notify([target])
        #expect(answer.status == status && answer.code == code, "\(answer.text)")
        #expect(try get(S3Client(server)).text.hasSuffix(empty))
    }

    @Test func `for EventBridge is not built, and says so`() throws {
        let receiver = WireReceiver()
        let server = try TestServer { $0.webhooks = [Webhook(to: receiver)] }
        let answer = try S3Client(server).notify(more: "<EventBridgeConfiguration/>")
        #expect(answer.status == 501 && answer.code == "NotImplemented")
        #expect(try get(S3Client(server)).text.hasSuffix(empty))
    }
}
