import Synchronization

/// A number that many threads count up.
final class Tally: Sendable {
    private let number = Atomic<Int>(0)

    var count: Int { number.load(ordering: .acquiring) }

    func add() { number.add(1, ordering: .acquiringAndReleasing) }
}
