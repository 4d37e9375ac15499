import CShoalSystem
import Glibc
import ShoalSweep

/// A file that a report is written to.
struct SweepFile: Sendable {
    enum Format: String, CaseIterable, Sendable {
        case html, junit, json

        var option: OptionDeclaration {
            switch self {
            case .html: Sweep.html
            case .junit: Sweep.junit
            case .json: Sweep.json
            }
        }
    }

    let format: Format
    let path: String

    /// Nil if it was not asked for; throws a `UsageError` if it could not be written, before an hour was spent on it.
    init?(_ format: Format, _ arguments: ParsedArguments) throws(UsageError) {
        guard let path = arguments.value(format.option) else { return nil }
        let slash = path.lastIndex(of: "/")
        let folder = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        let place = access(path, F_OK) == 0 ? path : folder
        guard access(place, W_OK) == 0, !path.hasSuffix("/"), !path.isEmpty else {
            throw UsageError("--\(format.option.name): \(path) cannot be written: \(SystemError.text)")
        }
        self.format = format
        self.path = path
    }

    /// Throws what the system said.
    func write(_ report: SweepReport) throws(SweepFailure) {
        let text =
            switch format {
            case .html: SweepPage(report).html
            case .junit: report.junit
            case .json: report.json.text + "\n"
            }
        let descriptor = shoal_open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
        guard descriptor >= 0 else { throw SweepFailure("\(path): \(SystemError.text)") }
        defer { close(descriptor) }
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw SweepFailure("\(path): \(SystemError.text)") }
            rest = rest.dropFirst(count)
        }
    }
}
