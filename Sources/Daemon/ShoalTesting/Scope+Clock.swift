import ShoalAdminAPI

/// The scope's time: what links expire by, and what the server tells in `Date`.
extension Shoal.Scope {
    /// ISO 8601 in UTC with milliseconds.
    public func now() throws -> String {
        let state: ClockState = try shoal.ask(.get, path("clock"))
        return state.now
    }

    /// Lets time pass at once; what lifecycle rules do in it is done when this returns.
    public func advance(by duration: Duration) throws { try change(.advance(milliseconds: duration.milliseconds)) }

    /// That far ahead of the machine's clock, or behind it, and running; zero is the machine's own time.
    public func setClock(aheadBy duration: Duration) throws {
        try change(.offset(milliseconds: duration.milliseconds))
    }

    /// Stands still, now or at an instant such as `2026-03-14T15:09:26Z`.
    public func freeze(at instant: String? = nil) throws { try change(.freeze(at: instant)) }

    /// Runs on from where it stands.
    public func resume() throws { try change(.resume) }

    private func change(_ change: ClockChange) throws { try shoal.send(.put, path("clock"), change.bytes) }
}

extension Duration {
    var milliseconds: Int64 {
        components.seconds * 1_000 + components.attoseconds / 1_000_000_000_000_000
    }
}
