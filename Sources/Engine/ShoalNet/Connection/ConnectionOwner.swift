import Synchronization

/// Whose requests a connection carries.
package protocol ConnectionOwner: AnyObject, Sendable {
    var openConnections: OpenConnections { get }
}

/// How many connections belong to an owner now.
package final class OpenConnections: Sendable {
    private let number = Atomic(0)

    package init() {}

    package var count: Int { number.load(ordering: .relaxed) }

    func add(_ change: Int) { number.add(change, ordering: .relaxed) }
}
