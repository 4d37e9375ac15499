import ShoalFaults
import ShoalSweep

extension Sweep {
    /// Without a usual value: a sweep starts a server of its own.
    static let endpoint = OptionDeclaration(
        "endpoint", .text("URL"), "a running server to use, in place of one that goes with the sweep")
    static let bucket = OptionDeclaration(
        "bucket", .text("NAME"), "a bucket to make for each run; the first is SHOAL_BUCKET", repeats: true,
        usual: "sweep", twin: false)
    static let actions = OptionDeclaration(
        "actions", .text("LIST"), "what is done at each point",
        usual: SweepAction.usual.map(\.text).joined(separator: ","), twin: false)
    static let points = OptionDeclaration(
        "points", .text("LIST"), "points, with other places than the usual ones too: commit.after,body.at(10%)",
        twin: false)
    static let attempts = OptionDeclaration(
        "attempts", .text("LIST"),
        "of first, two, all: how many attempts of an operation are struck (default first,all, and first for silence)",
        twin: false)
    static let only = OptionDeclaration(
        "only", .text("'OPERATION @POINT'"), "this part of the sweep; either half may be left out", repeats: true,
        twin: false)
    static let rules = OptionDeclaration(
        "rules", .file, "sweep these rules, one a run, in JSON or one a line, in place of every point", twin: false)
    static let checks = OptionDeclaration(
        "checks", .text("CHECK"), "what must hold besides, as `shoal verify` takes it", repeats: true, twin: false)
    static let mustSurvive = OptionDeclaration(
        "must-survive", .none, "giving up is wrong wherever a further attempt would have worked", twin: false)
    static let list = OptionDeclaration(
        "list", .none, "print the runs that would be made, after the two without faults", twin: false)
    static let jobs = OptionDeclaration(
        "jobs", letter: "j", .text("N"), "runs at the same time (default: one for each processor)", twin: false)
    static let timeout = OptionDeclaration(
        "timeout", .text("TIME"),
        "when a run counts as hung and is killed (default: ten times the first run, and 30s at least)", twin: false)
    static let failFast = OptionDeclaration("fail-fast", .none, "stop at the first red run", twin: false)
    static let html = OptionDeclaration("html", .file, "write a page that opens each run", twin: false)
    static let junit = OptionDeclaration("junit", .file, "write JUnit XML, a test case for each run", twin: false)
    static let json = OptionDeclaration("json", .file, "write everything as JSON", twin: false)

    static let declaration = CommandDeclaration(
        ["sweep"], "run a test once for each point at which its uploads can break",
        discussion: """
            COMMAND is your own test of one upload: exit code 0 says that it succeeded. It runs twice without faults, which \
            tells what has to be stored and which points its requests come by, and then once for each of these points, \
            each action, and the first or all attempts, on a fresh or a reused connection; each run in a world of its own.
            It finds everything in its environment: AWS_ENDPOINT_URL, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and \
            AWS_DEFAULT_REGION for SDKs, SHOAL_ENDPOINT and SHOAL_SCOPE for `shoal presign` and the like, SHOAL_BUCKET, \
            SHOAL_RUN (its number) and SHOAL_RULE.
            Green: it survived, or gave up and said so where nothing else was possible. Red: it lied, stored something twice, \
            hung, crashed, left an upload open or broke a check. Yellow: it gave up although a further attempt would have \
            worked. Grey: nothing was struck.
            Exit code 0: nothing is red; 1: something is, or it was interrupted, or the command fails without faults; \
            3: nothing was struck.
            """,
        operands: [Operand("COMMAND", "a program and its arguments, behind --", repeats: true)],
        options: [
            bucket, actions, points, attempts, only, rules, checks, mustSurvive, list, jobs, timeout, failFast, html,
            junit, json, Serve.rngSeed, endpoint, ServerOptions.adminEndpoint, ServerOptions.adminToken,
            ServerOptions.adminTokenFile, ServerOptions.cacert,
        ],
        examples: [
            .init("shoal sweep -- python3 upload.py photo.jpg", "every point, with a server that goes with the sweep"),
            .init("shoal sweep --html sweep.html --junit sweep.xml -- ./upload-test.sh", "for a person and for CI"),
            .init(
                "shoal sweep --only 'PutObject @commit.after' --actions 'reset,close,hang(5s)' -- ./upload-test.sh",
                "one point, other actions"),
            .init(
                "shoal sweep --must-survive --checks 'wasted-bytes max=1MiB' -- ./upload-test.sh",
                "a client that has to come through, and may not waste bytes"),
            .init("shoal sweep --rules presets/night.rules -j 8 -- ./upload-test.sh", "rules of your own, one a run"),
        ])
}
