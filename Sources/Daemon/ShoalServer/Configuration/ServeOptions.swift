import ShoalCrypto
import ShoalS3

/// How a server is started: what `shoal serve` and its environment said, checked.
package struct ServeOptions: Sendable {
    /// Where S3 is served, and the admin API unless `adminListen` moves it.
    package var listen: ListenAddress
    package var storage: Storage
    /// Made at the start where they do not exist yet.
    package var buckets: [BucketName]
    /// Each of its sub-folders becomes a bucket, each file in it an object.
    package var seedDirectory: String?
    package var accessKey: String
    package var secretKey: Secret
    /// Accounts of the default scope beside the one of `accessKey`.
    package var accounts: [Account]
    /// The only region signatures may name; nil accepts any.
    package var region: String?
    /// Where clients reach the server, without a slash at the end; the first one is used for minted URLs.
    package var publicURLs: [String]
    /// Host names whose sub-domains are buckets: `photos.s3.localhost`.
    package var domains: [String]
    /// Host names whose sub-domains are the websites of buckets: `photos.s3-website.localhost`.
    package var websiteDomains: [String]
    package var profile: Profile
    /// Where the events of buckets go.
    package var webhooks: [Webhook]
    package var newBuckets: NewBuckets
    package var durability: Durability
    /// Whether a request may bring rules along that are about itself.
    package var allowsRequestFaults: Bool
    /// A file of fault rules loaded at the start.
    package var faultsFile: String?
    /// What faults that strike by chance are drawn from, at most `rngSeedMax`; drawn at the start unless given.
    package var rngSeed: UInt64?
    /// The process is the server's alone, so that a rule may end it.
    package var mayCrash = false
    /// Started again after a rule has ended the process before, whose journal, rules and clocks it takes up.
    package var resumes = false
    /// The largest whole number that JSON documents of rules hold.
    package static let rngSeedMax = UInt64(Int64.max)
    package var adminListen: ListenAddress?
    package var adminToken: Secret?
    /// Nil for plain HTTP.
    package var tls: TLSOptions?
    package var logFormat: LogFormat
    /// Gets the number of the port that is listened on.
    package var portFile: String?

    package static let usualAccessKey = "shoal"
    package static let usualSecretKey = "shoal-secret"
    package static let usualPort: UInt16 = 9000

    package enum Storage: Sendable, Equatable {
        case directory(String)
        /// A temporary directory, removed at the end.
        case ephemeral
    }

    /// How a bucket is that is made without saying more.
    package enum NewBuckets: String, CaseIterable, Sendable {
        /// As S3 makes them: lists are off, and public access is blocked.
        case `private`
        /// As S3 made them until April 2023: lists count, and nothing is blocked.
        case open
    }

    package enum Profile: String, CaseIterable, Sendable {
        /// Refuses what S3 refuses.
        case strict
        /// Accepts it, and writes down what S3 would have said.
        case lenient
    }

    package enum Durability: String, CaseIterable, Sendable {
        /// What was acknowledged survives the death of the process.
        case process
        /// What was acknowledged survives a power cut.
        case power
    }

    package enum LogFormat: String, CaseIterable, Sendable {
        case text, json
    }

    /// The options of a bare `shoal serve`.
    package init() {
        listen = ListenAddress(host: "127.0.0.1", port: Self.usualPort)
        storage = .directory("./shoal-data")
        buckets = []
        accessKey = Self.usualAccessKey
        secretKey = Secret(Self.usualSecretKey)
        accounts = []
        publicURLs = []
        domains = ["s3.localhost"]
        websiteDomains = ["s3-website.localhost"]
        profile = .strict
        webhooks = []
        newBuckets = .private
        durability = .process
        allowsRequestFaults = false
        logFormat = .text
    }

    /// A seed of 53 bits, which every reader of JSON keeps exactly.
    static func randomSeed() -> UInt64 { randomBytes(8).reduce(0) { $0 << 8 | UInt64($1) } >> 11 }

    /// Whether the admin API would be within reach of other machines without a token: such a start is refused.
    package var exposesAdminWithoutToken: Bool { adminToken == nil && !(adminListen ?? listen).isLoopback }

    /// A port of the admin API's own needs no TLS where no network is crossed; there the authority can be fetched by who
    /// does not trust it yet.
    package var adminSpeaksTLS: Bool { tls != nil && !(adminListen ?? listen).isLoopback }
}
