import ShoalFaults
import ShoalJSON

/// `GET /_shoal/health`: answered with 200 as soon as requests are accepted.
package struct Health: AdminMessage, Equatable {
    package let status: String
    package let version: String

    package init(status: String = "ok", version: String) {
        self.status = status
        self.version = version
    }

    package init(_ reader: MessageReader) throws(MalformedMessage) {
        status = try reader.required("status").string()
        version = try reader.required("version").string()
    }

    package var json: JSON { ["status": .string(status), "version": .string(version)] }
}

/// The version of this build, the same in server, command line and image.
package let shoalVersion = "0.1.0"
