// swift-tools-version: 6.2
import PackageDescription

// The arrows between targets stand here and nowhere else: a target may import what it lists, and the build checks it
// with `--explicit-target-dependency-import-check error`. Layers, top to bottom: Wrappers, Protocol, Engine, Daemon,
// Commands; a target lists only its own layer or one above it.

let package = Package(
    name: "shoal",
    products: [
        .executable(name: "shoal", targets: ["shoal"]),
        .library(name: "ShoalTesting", targets: ["ShoalTesting"]),
    ],
    targets: wrappers + protocolTargets + engine + daemon + commands + tests
)

// MARK: - Wrappers: one module map and one thin Swift module for each C library

var wrappers: [Target] {
    [
        .systemLibrary(
            name: "CShoalSQLite", path: "Sources/Wrappers/CShoalSQLite", pkgConfig: "sqlite3",
            providers: [.apt(["libsqlite3-dev"])]),
        .target(name: "ShoalSQLite", dependencies: ["CShoalSQLite"], path: "Sources/Wrappers/ShoalSQLite"),
        .systemLibrary(
            name: "CShoalCrypto", path: "Sources/Wrappers/CShoalCrypto", pkgConfig: "libcrypto",
            providers: [.apt(["libssl-dev"])]),
        .systemLibrary(
            name: "CShoalTLS", path: "Sources/Wrappers/CShoalTLS", pkgConfig: "libssl",
            providers: [.apt(["libssl-dev"])]),
        .target(name: "ShoalTLS", dependencies: ["CShoalTLS"], path: "Sources/Wrappers/ShoalTLS"),
        .target(
            name: "CShoalChecksum", path: "Sources/Wrappers/CShoalChecksum",
            linkerSettings: [.linkedLibrary("isal")]),
        .target(
            name: "ShoalCrypto", dependencies: ["CShoalCrypto", "CShoalChecksum"],
            path: "Sources/Wrappers/ShoalCrypto"),
        .systemLibrary(
            name: "CShoalExpat", path: "Sources/Wrappers/CShoalExpat", pkgConfig: "expat",
            providers: [.apt(["libexpat1-dev"])]),
        .target(name: "ShoalXML", dependencies: ["CShoalExpat"], path: "Sources/Wrappers/ShoalXML"),
        .target(name: "CShoalSystem", path: "Sources/Wrappers/CShoalSystem"),
        .target(
            name: "CShoalCurl", path: "Sources/Wrappers/CShoalCurl", linkerSettings: [.linkedLibrary("dl")]),
        .target(name: "ShoalHTTPClient", dependencies: ["CShoalCurl"], path: "Sources/Wrappers/ShoalHTTPClient"),
    ]
}

// MARK: - Protocol: pure; bytes and `now` in, values out

var protocolTargets: [Target] {
    [
        .target(name: "ShoalHTTP", path: "Sources/Protocol/ShoalHTTP"),
        .target(name: "ShoalJSON", path: "Sources/Protocol/ShoalJSON"),
        .target(
            name: "ShoalS3", dependencies: ["ShoalHTTP", "ShoalJSON", "ShoalCrypto", "ShoalXML"],
            path: "Sources/Protocol/ShoalS3"),
        .target(
            name: "ShoalSigV4", dependencies: ["ShoalHTTP", "ShoalS3", "ShoalCrypto"],
            path: "Sources/Protocol/ShoalSigV4"),
        .target(
            name: "ShoalSTS", dependencies: ["ShoalHTTP", "ShoalS3", "ShoalSigV4", "ShoalCrypto"],
            path: "Sources/Protocol/ShoalSTS"),
    ]
}

// MARK: - Engine: sockets, disks, clocks and faults

var engine: [Target] {
    [
        .target(name: "ShoalLog", dependencies: ["ShoalJSON", "ShoalS3"], path: "Sources/Engine/ShoalLog"),
        // The files of Presets/, put into the program by the C compiler.
        .target(name: "CShoalPresets", path: "Sources/Engine/CShoalPresets", exclude: ["Presets"]),
        .target(
            name: "ShoalFaults",
            dependencies: ["CShoalPresets", "ShoalCrypto", "ShoalHTTP", "ShoalJSON", "ShoalS3", "ShoalLog"],
            path: "Sources/Engine/ShoalFaults"
        ),
        .target(
            name: "ShoalSweep", dependencies: ["ShoalFaults", "ShoalJSON", "ShoalS3"],
            path: "Sources/Engine/ShoalSweep"
        ),
        .target(
            name: "ShoalNet", dependencies: ["ShoalHTTP", "ShoalTLS", "CShoalSystem"], path: "Sources/Engine/ShoalNet"
        ),
        .target(
            name: "ShoalStore",
            dependencies: ["ShoalSQLite", "ShoalCrypto", "ShoalS3", "ShoalLog", "CShoalSystem"],
            path: "Sources/Engine/ShoalStore"),
    ]
}

// MARK: - Daemon: the pipeline, the operations and the admin API

var daemon: [Target] {
    [
        // docs/openapi.json, put into the program by the C compiler.
        .target(name: "CShoalAdminAPI", path: "Sources/Daemon/CShoalAdminAPI"),
        .target(
            name: "ShoalAdminAPI", dependencies: ["CShoalAdminAPI", "ShoalFaults", "ShoalJSON", "ShoalSigV4"],
            path: "Sources/Daemon/ShoalAdminAPI"),
        .target(
            name: "ShoalServer",
            dependencies: [
                "ShoalAdminAPI", "ShoalCrypto", "ShoalFaults", "ShoalHTTP", "ShoalHTTPClient", "ShoalJSON", "ShoalLog",
                "ShoalNet", "ShoalS3", "ShoalSTS", "ShoalSigV4", "ShoalStore", "ShoalTLS", "ShoalXML", "CShoalSystem",
            ],
            path: "Sources/Daemon/ShoalServer"),
        .target(
            name: "ShoalTesting",
            dependencies: ["ShoalAdminAPI", "ShoalFaults", "ShoalJSON", "ShoalLog", "ShoalS3", "ShoalServer"],
            path: "Sources/Daemon/ShoalTesting"),
    ]
}

// MARK: - Commands

var commands: [Target] {
    [
        .executableTarget(
            name: "shoal",
            dependencies: [
                "ShoalAdminAPI", "ShoalCrypto", "ShoalFaults", "ShoalHTTP", "ShoalHTTPClient", "ShoalJSON", "ShoalLog",
                "ShoalNet", "ShoalS3", "ShoalServer", "ShoalSigV4", "ShoalStore", "ShoalSweep", "CShoalSystem",
            ],
            path: "Sources/Commands/shoal")
    ]
}

// MARK: - Tests

/// Tests import what they test; a test target may list any layer.
var tests: [Target] {
    [
        // Random numbers that come again with their seed.
        .target(name: "ShoalSeeded", path: "Tests/ShoalSeeded"),
        // A raw socket that tells FIN, RST and silence apart.
        .target(name: "ShoalWire", dependencies: ["CShoalSystem", "ShoalTLS"], path: "Tests/ShoalWire"),
        // The real program as a child process, and a signing client for it.
        .target(
            name: "ShoalProcess",
            dependencies: ["CShoalSystem", "ShoalCrypto", "ShoalLog", "ShoalS3", "ShoalSigV4", "ShoalWire"],
            path: "Tests/ShoalProcess"),
        .testTarget(name: "ShoalCryptoTests", dependencies: ["ShoalCrypto", "CShoalChecksum", "ShoalSeeded"]),
        .testTarget(name: "ShoalTLSTests", dependencies: ["ShoalTLS", "CShoalSystem"]),
        .testTarget(name: "ShoalJSONTests", dependencies: ["ShoalJSON", "ShoalSeeded"]),
        .testTarget(name: "ShoalHTTPTests", dependencies: ["ShoalHTTP", "ShoalSeeded"]),
        .testTarget(
            name: "ShoalS3Tests",
            dependencies: ["ShoalS3", "ShoalHTTP", "ShoalJSON", "ShoalCrypto", "ShoalXML", "ShoalSeeded"]),
        .testTarget(
            name: "ShoalSigV4Tests",
            dependencies: ["ShoalSigV4", "ShoalS3", "ShoalHTTP", "ShoalCrypto", "ShoalSeeded"]),
        .testTarget(name: "ShoalSTSTests", dependencies: ["ShoalSTS", "ShoalSigV4", "ShoalS3"]),
        .testTarget(
            name: "ShoalFaultsTests",
            dependencies: ["ShoalFaults", "ShoalJSON", "ShoalLog", "ShoalS3", "ShoalHTTP", "ShoalSeeded"]),
        .testTarget(
            name: "ShoalSweepTests",
            dependencies: ["ShoalSweep", "ShoalFaults", "ShoalJSON", "ShoalS3", "ShoalXML"]),
        .testTarget(name: "ShoalNetTests", dependencies: ["ShoalNet", "ShoalHTTP", "ShoalWire", "CShoalSystem"]),
        .testTarget(
            name: "ShoalStoreTests",
            dependencies: ["ShoalStore", "ShoalS3", "ShoalCrypto", "ShoalSQLite", "ShoalLog", "ShoalSeeded"]),
        // A user's view: nothing but the product.
        .testTarget(name: "ShoalTestingTests", dependencies: ["ShoalTesting", "ShoalWire"]),
        .testTarget(
            name: "ShoalAdminAPITests", dependencies: ["ShoalAdminAPI", "ShoalFaults", "ShoalJSON", "ShoalS3"]),
        .testTarget(name: "ShoalHTTPClientTests", dependencies: ["ShoalHTTPClient"]),
        .testTarget(
            name: "CommandTests",
            dependencies: [
                "shoal", "ShoalAdminAPI", "ShoalFaults", "ShoalHTTPClient", "ShoalS3", "ShoalServer", "ShoalSigV4",
                "ShoalStore",
            ]),
        .testTarget(
            name: "IntegrationTests",
            dependencies: [
                "ShoalServer", "ShoalAdminAPI", "ShoalCrypto", "ShoalFaults", "ShoalHTTP", "ShoalJSON", "ShoalNet",
                "ShoalS3", "ShoalSigV4", "ShoalStore", "ShoalTLS", "CShoalSystem", "ShoalLog", "ShoalSeeded",
                "ShoalWire",
            ]),
        .testTarget(
            name: "ProcessTests",
            dependencies: [
                "shoal", "ShoalFaults", "ShoalProcess", "ShoalSeeded", "ShoalWire", "ShoalNet", "CShoalSystem",
            ]),
        .testTarget(
            name: "ClientTests", dependencies: ["shoal", "ShoalProcess"],
            exclude: ["README.md", "Scripts", "Sweeps"]),
    ]
}
