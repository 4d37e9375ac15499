extension S3Error {
    /// The body of an error: `Code`, `Message`, the error's own elements, `RequestId`, `HostId`, without a namespace.
    /// https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html#RESTErrorResponses
    package func document(_ identifiers: RequestIdentifiers) -> [UInt8] {
        var document = XMLWriter()
        document.open("Error")
        document.element("Code", code.rawValue)
        // A few errors, of an access control list's, come without a text, but not without the element.
        if message.isEmpty { document.empty("Message") } else { document.element("Message", message) }
        for element in elements { document.element(named: element.name, element.value) }
        document.element("RequestId", identifiers.requestID)
        document.element("HostId", identifiers.hostID)
        document.close("Error")
        return document.bytes
    }
}

extension XMLWriter {
    /// An element whose name is ours but not known when compiling.
    fileprivate mutating func element(named name: String, _ text: String) {
        plain { $0.append(UInt8(ascii: "<")) }
        self.text(name)
        plain { $0.append(UInt8(ascii: ">")) }
        self.text(text)
        markup("</")
        self.text(name)
        plain { $0.append(UInt8(ascii: ">")) }
    }
}
