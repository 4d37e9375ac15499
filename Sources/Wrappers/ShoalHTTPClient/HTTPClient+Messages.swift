extension HTTPClient {
    package struct Request {
        package enum Body {
            case none
            case bytes([UInt8])
            /// A file's path; it is read while it is sent.
            case file(String)
        }

        package let method: String
        /// Sent as it is: nothing is decoded, normalised or encoded again.
        package let url: String
        package let headers: [(name: String, value: String)]
        package let body: Body
        /// Until the connection stands; milliseconds.
        package let connectTimeoutMilliseconds: Int
        /// For the whole exchange; milliseconds, 0 for no limit.
        package let timeoutMilliseconds: Int

        package init(
            method: String = "GET", url: String, headers: [(name: String, value: String)] = [], body: Body = .none,
            connectTimeoutMilliseconds: Int = 5_000, timeoutMilliseconds: Int = 0
        ) {
            self.method = method
            self.url = url
            self.headers = headers
            self.body = body
            self.connectTimeoutMilliseconds = connectTimeoutMilliseconds
            self.timeoutMilliseconds = timeoutMilliseconds
        }
    }

    /// Whose certificates are trusted.
    package enum Trust: Sendable, Equatable {
        /// Those of the machine's authorities.
        case system
        /// Those of the authorities in a PEM file, and no others.
        case file(String)
        /// Anybody's: for reading what is public.
        case anybody
    }

    package struct Response {
        package let status: Int
        /// In wire order, of the final answer only.
        package let headers: [(name: String, value: String)]
        package let body: [UInt8]

        /// The first value under `name`, whatever the case.
        package func header(_ name: String) -> String? {
            headers.first { $0.name.lowercased() == name.lowercased() }?.value
        }
    }
}

/// Why there is no answer.
package enum HTTPClientError: Error, Equatable, CustomStringConvertible {
    case libraryMissing(String)
    /// The server's certificate is not trusted, or what is to be trusted cannot be read; libcurl's words.
    case untrusted(String)
    /// No connection could be made; libcurl's words.
    case unreachable(String)
    /// The connection broke, or the answer was no HTTP; libcurl's words.
    case transfer(String)
    /// The file to send could not be opened or read.
    case file(path: String, errno: Int32)

    package var description: String {
        switch self {
        case .libraryMissing(let reason): "libcurl is missing, please install libcurl4 (\(reason))"
        case .untrusted(let reason): reason
        case .unreachable(let reason): reason
        case .transfer(let reason): reason
        case .file(let path, let errno): "\(path): \(Self.text(of: errno))"
        }
    }
}
