import Synchronization

/// Connections whose last request belonged to a scope.
final class OpenConnections: Sendable {
    private let number = Atomic(0)

    var count: Int { number.load(ordering: .relaxed) }

    fileprivate func add(_ change: Int) { number.add(change, ordering: .relaxed) }
}

/// Which world the connections of a server served last, where that is not the main one.
final class ScopedConnections: Sendable {
    private let worlds = Mutex<[UInt64: World]>([:])
    /// As long as there is none, a request of the main world costs one load.
    private let count = Atomic(0)

    func note(_ connection: UInt64, in world: World, isMain: Bool) {
        guard !isMain || count.load(ordering: .acquiring) > 0 else { return }
        worlds.withLock { worlds in
            let before = worlds[connection]
            guard before !== (isMain ? nil : world) else { return }
            before?.openConnections.add(-1)
            worlds[connection] = isMain ? nil : world
            if !isMain { world.openConnections.add(1) }
            count.store(worlds.count, ordering: .releasing)
        }
    }

    /// The connection is gone; the world it served last, nil for the main one.
    func end(_ connection: UInt64) -> World? {
        guard count.load(ordering: .acquiring) > 0 else { return nil }
        return worlds.withLock { worlds in
            let world = worlds.removeValue(forKey: connection)
            world?.openConnections.add(-1)
            count.store(worlds.count, ordering: .releasing)
            return world
        }
    }
}
