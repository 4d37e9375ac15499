import ShoalProcess

/// Small upload clients in a shell, each with one habit, and `shoal sweep` over them.
struct SweepClient {
    /// What stands around the one line that uploads.
    enum Habit: String, CaseIterable {
        /// Tries three times, with a limit of time, and says how it ended.
        case good = "for i in 1 2 3; do put photo.jpg && exit 0; done; exit 1"
        /// Whatever came, it says that all is well.
        case liar = "put photo.jpg; exit 0"
        /// Takes a new key for each attempt, and does not look for the one before.
        case duplicating = "for i in 1 2 3; do put photo-$i.jpg && exit 0; done; exit 1"
        /// Has no limit of time.
        case patient = "limit=1000; put photo.jpg"
        /// Sends to nobody.
        case idle = "exit 0"
        /// Fails always.
        case broken = "echo no such photo; exit 7"
        /// Puts two objects over one connection, and knows no second attempt.
        case reusing = "put first.jpg second.jpg"
        /// Dies of what it meets.
        case crashing = "put photo.jpg || kill -SEGV $$"
    }

    let folder = TemporaryFolder()
    private let script: String

    init(_ habit: Habit) throws {
        let text = """
            limit=20
            put() {
                words=""
                for key in "$@"; do
                    url=$("$SHOAL" presign put "$SHOAL_BUCKET/$key") || exit 9
                    words="$words -T $PHOTO -o /dev/null $url"
                done
                curl -q -sS --fail --noproxy '*' --max-time $limit -H 'Expect:' $words
            }
            \(habit.rawValue)

            """
        script = try folder.write(Array(text.utf8), to: "client.sh")
        try folder.write(Array("a photo".utf8), to: "photo.jpg")
    }

    private var environment: [String: String] {
        ["SHOAL": ServerProcess.executable, "PHOTO": folder.path + "/photo.jpg", "TMPDIR": folder.path]
    }

    private var command: [String] { ["--", "sh", script] }

    /// `flags` are those of `shoal sweep`.
    func sweep(_ flags: [String]) throws -> CommandResult {
        try ShoalCommand.run(["sweep"] + flags + command, environment: environment)
    }

    /// The same, still running, with its standard error among its output.
    func start(_ flags: [String]) throws -> ChildProcess {
        let merged = ["-c", "exec \"$0\" \"$@\" 2>&1", ServerProcess.executable]
        return try ChildProcess("sh", merged + ["sweep"] + flags + command, environment: environment)
    }
}
