/// A region of AWS, by its name in signatures and location constraints.
/// https://docs.aws.amazon.com/general/latest/gr/s3.html
package struct Region: Hashable, Sendable, CustomStringConvertible {
    package let name: String

    /// Nil for a name that AWS does not have; `EU` is the old one of eu-west-1 and stays as it was written.
    package init?(_ name: String) {
        guard Self.names.contains(name) || name == "EU" else { return nil }
        self.name = name
    }

    /// The region a server was configured with, which may be one that AWS does not have.
    package init(configured name: String) { self.name = name }

    package static let usEast1 = Region(configured: "us-east-1")

    package var description: String { name }

    /// The name a signature uses.
    package var signingName: String { name == "EU" ? "eu-west-1" : name }

    private static let names: Set<String> = [
        "af-south-1", "ap-east-1", "ap-east-2", "ap-northeast-1", "ap-northeast-2", "ap-northeast-3", "ap-south-1",
        "ap-south-2", "ap-southeast-1", "ap-southeast-2", "ap-southeast-3", "ap-southeast-4", "ap-southeast-5",
        "ap-southeast-6", "ap-southeast-7", "ca-central-1", "ca-west-1", "cn-north-1", "cn-northwest-1",
        "eu-central-1", "eu-central-2", "eu-north-1", "eu-south-1", "eu-south-2", "eu-west-1", "eu-west-2",
        "eu-west-3", "il-central-1", "me-central-1", "me-south-1", "mx-central-1", "sa-east-1", "us-east-1",
        "us-east-2", "us-gov-east-1", "us-gov-west-1", "us-west-1", "us-west-2",
    ]
}
