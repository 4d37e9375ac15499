import Glibc

/// What the kernel says about a process.
/// https://man7.org/linux/man-pages/man5/proc.5.html
package enum ProcessFacts {
    /// Bytes that are resident now, and the most there ever were.
    package struct Memory: Sendable {
        package let resident: Int
        package let peak: Int
    }

    package static func memory(of pid: pid_t) throws -> Memory {
        let status = try File.text("/proc/\(pid)/status")
        func kibibytes(_ name: String) -> Int {
            let line = status.split(separator: "\n").first { $0.hasPrefix("\(name):") }
            return line?.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first.flatMap { Int($0) } ?? 0
        }
        return Memory(resident: kibibytes("VmRSS") * 1024, peak: kibibytes("VmHWM") * 1024)
    }

    /// The arguments as `ps` shows them.
    package static func commandLine(of pid: pid_t) throws -> String { try File.text("/proc/\(pid)/cmdline") }

    /// Lifts this process's soft limit of open files to its hard limit, and says what that is.
    package static func raiseDescriptorLimit() -> Int {
        let kind = __rlimit_resource_t(UInt32(RLIMIT_NOFILE.rawValue))
        var limit = rlimit()
        guard getrlimit(kind, &limit) == 0 else { return 0 }
        limit.rlim_cur = limit.rlim_max
        setrlimit(kind, &limit)
        return Int(clamping: limit.rlim_max)
    }
}
