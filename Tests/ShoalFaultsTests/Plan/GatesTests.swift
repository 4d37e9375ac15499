import ShoalFaults
import Synchronization
import Testing

@Suite struct `A gate` {
    private final class Resumed: Sendable {
        private let names = Mutex<[String]>([])
        var all: [String] { names.withLock { $0 } }
        func note(_ name: String) -> @Sendable () -> Void { { self.names.withLock { $0.append(name) } } }
    }

    @Test func `lets go all that wait, in order, and closes again`() {
        let gates = Gates()
        let resumed = Resumed()
        _ = gates.wait("g", resume: resumed.note("first"))
        _ = gates.wait("g", resume: resumed.note("second"))
        _ = gates.wait("other", resume: resumed.note("other"))
        #expect(gates.waiting.map(\.gate) == ["g", "other"] && gates.waiting.map(\.count) == [2, 1])
        #expect(resumed.all == [])
        #expect(gates.release("g") == 2)
        #expect(resumed.all == ["first", "second"])
        _ = gates.wait("g", resume: resumed.note("third"))
        #expect(resumed.all.count == 2)
        #expect(gates.release("g") == 1 && gates.release("g") == 0)
    }

    @Test func `forgets whoever gave up`() {
        let gates = Gates()
        let resumed = Resumed()
        let ticket = gates.wait("g", resume: resumed.note("gone"))
        #expect(gates.cancel(ticket))
        #expect(!gates.cancel(ticket))
        #expect(gates.release("g") == 0 && gates.waiting.isEmpty && resumed.all == [])
    }

    @Test func `may be waited at again while it is released`() {
        let gates = Gates()
        let resumed = Resumed()
        _ = gates.wait("g") { _ = gates.wait("g", resume: resumed.note("again")) }
        #expect(gates.release("g") == 1)
        gates.releaseAll()
        #expect(resumed.all == ["again"])
    }

    @Test func `lets through whoever waits when the scope ends, and whoever comes later`() {
        let gates = Gates()
        let resumed = Resumed()
        _ = gates.wait("g", resume: resumed.note("waits"))
        gates.openForGood()
        _ = gates.wait("g", resume: resumed.note("comes later"))
        #expect(resumed.all == ["waits", "comes later"])
        #expect(gates.release("g") == 0 && gates.waiting.isEmpty)
    }

    @Test func `resumes everybody exactly once, whatever the threads do`() async {
        let gates = Gates()
        let count = Tally()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask { for _ in 0..<500 { _ = gates.wait("g") { count.add() } } }
                group.addTask { for _ in 0..<500 { gates.release("g") } }
            }
        }
        gates.releaseAll()
        #expect(count.count == 2_000)
    }
}
