import ShoalHTTP
import ShoalNet
import ShoalS3
import ShoalSigV4
import ShoalStore
import Synchronization

/// Every world of a server, by the name and by the access key that lead into it.
final class WorldTable: Sendable {
    private struct State {
        /// In the order they were added, the main one first.
        var worlds: [World] = []
        var byName: [String: World] = [:]
        /// Without the keys of the main world, which gets what belongs to no other.
        var byAccessKey: [[UInt8]: World] = [:]
        var byPort: [ObjectIdentifier: World] = [:]
    }

    private let state = Mutex(State())
    /// With no world but the main one a request costs one load here.
    private let hasScopes = Atomic(false)

    var all: [World] { state.withLock { $0.worlds } }

    func find(_ name: String) -> World? { state.withLock { $0.byName[name] } }

    func addMain(_ world: World) {
        state.withLock { state in
            state.worlds = [world]
            state.byName[world.name] = world
        }
    }

    /// False if there is a world of that name.
    func add(_ world: World) -> Bool {
        state.withLock { state in
            guard state.byName[world.name] == nil else { return false }
            state.worlds.append(world)
            state.byName[world.name] = world
            state.byAccessKey[Array(world.accounts.main.accessKey.utf8)] = world
            if let port = world.port { state.byPort[ObjectIdentifier(port)] = world }
            hasScopes.store(true, ordering: .releasing)
            return true
        }
    }

    /// Nil if there is none of that name, or it is the main one, which stays.
    func remove(_ name: String) -> World? {
        state.withLock { state in
            guard let world = state.byName[name], world !== state.worlds.first else { return nil }
            state.byName[name] = nil
            state.byAccessKey[Array(world.accounts.main.accessKey.utf8)] = nil
            if let port = world.port { state.byPort[ObjectIdentifier(port)] = nil }
            state.worlds.removeAll { $0 === world }
            hasScopes.store(state.worlds.count > 1, ordering: .releasing)
            return world
        }
    }

    /// Worlds hold what holds this table.
    func removeAll() { state.withLock { $0 = State() } }
}

// MARK: - Whose request it is

extension WorldTable {
    /// The world whose key signed the request; without such a key, the world that has its bucket, and else the main one.
    func world(of head: RequestHead, under domains: BaseDomains, websites: BaseDomains, main: World) -> World {
        guard hasScopes.load(ordering: .acquiring) else { return main }
        if let key = ClaimedAccessKey(head)?.accessKeyId {
            if main.accounts.credential(of: key) != nil { return main }
            if let world = world(ofKey: key) { return world }
        }
        let bucket =
            head.first("host").flatMap(websites.bucket(inHost:)).map { $0[...] }
            ?? (try? Route(head, under: domains))?.bucket.map { Array($0.text.utf8)[...] }
        guard let name = bucket.flatMap({ BucketName(bytes: $0) }), main.store.bucket(name) == nil else { return main }
        let world = all.first { $0.store.bucket(name) != nil } ?? main
        world.lastUse.note()
        return world
    }

    /// The world that has the port; nil if it has ended.
    func world(of port: Port) -> World? {
        let world = state.withLock { $0.byPort[ObjectIdentifier(port)] }
        world?.lastUse.note()
        return world
    }

    /// The same by the port's number.
    func world(ofPort number: UInt16) -> World? {
        state.withLock { state in state.byPort.values.first { $0.port?.number == number } }
    }

    /// The same or the main one, without a note that it was used.
    func owner(ofKey accessKeyId: ArraySlice<UInt8>) -> World? {
        state.withLock { state in
            state.byAccessKey[Array(accessKeyId)]
                ?? state.worlds.first.flatMap { $0.accounts.credential(of: accessKeyId) == nil ? nil : $0 }
        }
    }

    func world(ofKey accessKeyId: ArraySlice<UInt8>) -> World? {
        guard hasScopes.load(ordering: .acquiring) else { return nil }
        let world = state.withLock { $0.byAccessKey[Array(accessKeyId)] }
        world?.lastUse.note()
        return world
    }
}
