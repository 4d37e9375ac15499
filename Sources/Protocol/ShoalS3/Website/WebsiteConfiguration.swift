/// How a bucket is served as a website.
/// https://docs.aws.amazon.com/AmazonS3/latest/API/API_WebsiteConfiguration.html
package enum WebsiteConfiguration: Sendable, Equatable {
    case redirectsAll(RedirectAll)
    case pages(Pages)

    package static let routingRuleCountMax = 50

    package enum Scheme: String, CaseIterable, Sendable { case http, https }

    package struct RedirectAll: Sendable, Equatable {
        package let hostName: String
        /// Nil for that of the request.
        package let scheme: Scheme?

        package init(hostName: String, scheme: Scheme? = nil) {
            self.hostName = hostName
            self.scheme = scheme
        }
    }

    package struct Pages: Sendable, Equatable {
        /// What is appended to a path that ends in a slash; not empty and without one itself.
        package let indexSuffix: String
        package let errorKey: String?
        package let rules: [RoutingRule]

        package init(indexSuffix: String, errorKey: String? = nil, rules: [RoutingRule] = []) {
            self.indexSuffix = indexSuffix
            self.errorKey = errorKey
            self.rules = rules
        }
    }

    /// https://docs.aws.amazon.com/AmazonS3/latest/userguide/how-to-page-redirect.html
    package struct RoutingRule: Sendable, Equatable {
        package let condition: Condition?
        package let redirect: Redirect

        package init(_ condition: Condition? = nil, _ redirect: Redirect) {
            self.condition = condition
            self.redirect = redirect
        }
    }

    /// At least one of the two is there, and both must be met.
    package struct Condition: Sendable, Equatable {
        package let keyPrefix: String?
        /// 400 to 599.
        package let errorCode: Int?

        package init(keyPrefix: String? = nil, errorCode: Int? = nil) {
            self.keyPrefix = keyPrefix
            self.errorCode = errorCode
        }
    }

    package struct Redirect: Sendable, Equatable {
        package enum Replacement: Sendable, Equatable {
            case key(String)
            /// What stands in the place of the condition's prefix.
            case keyPrefix(String)
        }

        /// Nil for that of the request.
        package let hostName: String?
        package let scheme: Scheme?
        /// 301 to 399; nil is 301.
        package let code: Int?
        package let replacement: Replacement?

        package init(
            hostName: String? = nil, scheme: Scheme? = nil, code: Int? = nil, replacement: Replacement? = nil
        ) {
            self.hostName = hostName
            self.scheme = scheme
            self.code = code
            self.replacement = replacement
        }
    }
}
