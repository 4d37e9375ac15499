import ShoalStore
import Testing

/// A store that the conformance suite runs against. A further implementation is one more value in `all`.
struct StoreKind: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// Opens the store whose state stands in the folder.
    let open: @Sendable (TemporaryDirectory) throws -> any ObjectStore

    static let all = [
        StoreKind(testDescription: "on disk, surviving SIGKILL") {
            try DiskStore(directory: $0.path, options: DiskStoreOptions(durability: .process))
        },
        StoreKind(testDescription: "on disk, surviving a power cut") {
            try DiskStore(directory: $0.path, options: DiskStoreOptions(durability: .power))
        },
        StoreKind(testDescription: "on disk, with small segments and a lazy catalogue") {
            var options = DiskStoreOptions(durability: .process, laneCount: 2)
            options.segmentByteCountMax = 64 << 10
            options.segmentBodyByteCountMax = 8 << 10
            options.compactionByteCountMin = 1
            options.applyDelayMilliseconds = 3_600_000
            return try DiskStore(directory: $0.path, options: options)
        },
    ]
}
