import Glibc
import Testing

/// Ten thousand random requests over a socket, each answer held against a page of rules. A failure names the seed;
/// `SHOAL_MODEL_SEED` repeats it.
@Suite struct `A server driven at random` {
    @Test func `does what S3 does, across restarts`() throws {
        let given = getenv("SHOAL_MODEL_SEED").flatMap { UInt64(String(cString: $0)) }
        let seed = given ?? UInt64.random(in: 0...UInt64(UInt32.max))
        print("the model's seed is \(seed)")
        var run = try ModelRun(seed: seed)
        for step in 0..<10_000 { try run.step(step) }
        try run.compareAll()
    }
}
