import ShoalAdminAPI

extension Shoal {
    /// A world of its own: buckets, clock, rules and journal that no other scope touches. Whoever signs with its key is in
    /// it, and a presigned URL leads into it by itself.
    public struct Scope: Sendable {
        let shoal: Shoal
        public let name: String
        public let accessKeyId: String
        public let secretAccessKey: String
        /// The scope's own; nil if its requests come by the server's.
        public let port: UInt16?
        /// Where its clients go: `http://127.0.0.1:PORT`.
        public let endpoint: String

        init(in shoal: Shoal, _ view: ScopeView) {
            self.shoal = shoal
            name = view.scope
            accessKeyId = view.accessKeyId
            secretAccessKey = view.secretAccessKey ?? ""
            (port, endpoint) = (view.port, view.endpoint)
        }

        func path(_ resource: String...) -> [String] { ["scopes", name] + resource }

        /// Ends the scope with everything in it. Throws for the main scope, which stays.
        @discardableResult
        public func end() throws -> Report { Report(try shoal.ask(.delete, path())) }

        /// Takes away objects, buckets, rules and the clock's changes; the main scope's buckets of the start are made anew.
        public func reset() throws { try shoal.send(.post, path("reset")) }
    }

    /// What was unfinished when a scope ended.
    public struct Report: Sendable, Equatable {
        /// Rules that struck nobody, by id: the test did not test what it should.
        public let neverFired: [String]
        /// Uploads in parts that were neither completed nor aborted.
        public let openUploads: [Upload]
        /// Connections whose last request was the scope's, still open.
        public let openConnections: Int

        init(_ report: ScopeReport) {
            neverFired = report.neverFired
            openUploads = report.openUploads.map(Upload.init)
            openConnections = report.openConnections
        }
    }

    /// What the store really holds, whatever rules pretend.
    public struct Object: Sendable, Equatable {
        public let bucket: String
        public let key: String
        /// Bytes.
        public let size: UInt64
        /// Without quotes.
        public let etag: String
        public let contentType: String?
    }

    /// An upload in parts that was begun and not ended.
    public struct Upload: Sendable, Equatable {
        public let bucket: String
        public let key: String
        public let uploadId: String
        /// Parts that the store has, and their bytes.
        public let parts: Int
        public let size: UInt64

        init(_ view: UploadView) {
            bucket = view.bucket
            key = view.key
            uploadId = view.uploadId
            parts = view.parts
            size = view.size
        }
    }
}

// MARK: - Ground truth and links

extension Shoal.Scope {
    /// Every object, by bucket and key.
    public func objects(in bucket: String? = nil) throws -> [Shoal.Object] {
        var objects: [Shoal.Object] = []
        var after: String?
        repeat {
            var parameters: [(name: String, value: String)] = [("limit", "10000")]
            if let bucket { parameters.append(("bucket", bucket)) }
            if let after { parameters.append(("after", after)) }
            let page: ObjectPage = try shoal.ask(.get, path("objects"), parameters: parameters)
            objects += page.objects.map { view in
                Shoal.Object(
                    bucket: view.bucket, key: view.key, size: view.size, etag: view.etag,
                    contentType: view.contentType)
            }
            after = page.next
        } while after != nil
        return objects
    }

    /// Up to 10,000 uploads in parts that were begun and not ended.
    public func openUploads() throws -> [Shoal.Upload] {
        let list: UploadList = try shoal.ask(.get, path("uploads"), parameters: [("limit", "10000")])
        return list.uploads.map(Shoal.Upload.init)
    }

    /// A presigned URL by the scope's clock and key.
    ///
    /// - Parameters:
    ///   - expires: seconds, 1 to 604,800.
    ///   - headers: pinned by the signature, so that the client has to send them just so.
    ///   - fault: what happens to its request, such as `commit.after 1*reset`; needs `Options.allowsRequestFaults`.
    /// - Returns: the URL, and the headers that the client has to send.
    public func presign(
        _ method: String, _ bucket: String, _ key: String, expires: Int = 300,
        headers: [(name: String, value: String)] = [], fault: String? = nil
    ) throws -> (url: String, headers: [(name: String, value: String)]) {
        let wanted = MintURLRequest(
            method: method, bucket: bucket, key: key, expires: expires, headers: headers, fault: fault)
        let made: MintURLResponse = try shoal.ask(.post, path("urls"), wanted.bytes)
        return (made.url, made.headers)
    }
}
