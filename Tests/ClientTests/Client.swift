import Glibc
import ShoalProcess

/// S3 clients that nobody here wrote, and what a test says when one is missing.
enum Client {
    /// The folder of the repository.
    static let root = folder(of: folder(of: folder(of: #filePath)))

    static let image = root + "/fixtures/images/harbour.jpg"
    static let scripts = folder(of: #filePath) + "/Scripts"
    static let sweeps = folder(of: #filePath) + "/Sweeps"
    private static let venv = root + "/.venv/bin"

    static let python = venv + "/python"
    static let awsCLI = venv + "/aws"

    static let isBotoMissing = !File.exists(venv + "/../installed.requirements")
    static let botoReason = "boto3 and awscli are not installed: `packaging/clients` makes .venv with them"

    static func imageBytes() throws -> [UInt8] { try File.read(image) }

    /// What boto3 and the AWS CLI need to reach the server and nothing else, whatever this machine is set up for.
    static func environment(_ server: ServerProcess, in folder: TemporaryFolder) -> [String: String] {
        var environment = [
            "AWS_ACCESS_KEY_ID": S3Client.usualAccessKey, "AWS_SECRET_ACCESS_KEY": S3Client.usualSecretKey,
            "AWS_DEFAULT_REGION": "us-east-1", "AWS_ENDPOINT_URL_S3": server.endpoint,
            "AWS_ENDPOINT_URL_STS": server.endpoint,
            "AWS_EC2_METADATA_DISABLED": "true",
            "AWS_CONFIG_FILE": "/dev/null", "AWS_SHARED_CREDENTIALS_FILE": "/dev/null", "NO_PROXY": "127.0.0.1",
            "HOME": folder.path, "LC_ALL": "C.UTF-8", "PYTHONDONTWRITEBYTECODE": "1",
        ]
        // The second is what Python's own client goes by.
        for variable in ["AWS_CA_BUNDLE", "SSL_CERT_FILE"] { environment[variable] = server.authorityPath }
        return environment
    }

    private static func folder(of path: String) -> String {
        path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
    }
}
