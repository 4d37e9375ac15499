import Glibc

/// The machine's two clocks, read through the vDSO (about 20 ns each).
/// https://man7.org/linux/man-pages/man2/clock_gettime.2.html
package enum SystemClock {
    /// Milliseconds since 1970-01-01T00:00:00Z; steps when somebody sets the clock.
    package static func wallMilliseconds() -> Int64 {
        let time = read(CLOCK_REALTIME)
        return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
    }

    /// Nanoseconds since an arbitrary start; never steps, so differences are durations.
    package static func monotonicNanoseconds() -> UInt64 {
        let time = read(CLOCK_MONOTONIC)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }

    private static func read(_ clock: clockid_t) -> timespec {
        var time = timespec()
        // Fails only for a clock that does not exist, and both exist on every Linux.
        clock_gettime(clock, &time)
        return time
    }
}
