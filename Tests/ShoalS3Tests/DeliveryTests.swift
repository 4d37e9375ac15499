import ShoalS3
import Testing

@Suite struct `A schedule of deliveries` {
    private typealias Schedule = DeliverySchedule<Int>
    private let a: [UInt8] = [1]
    private let b: [UInt8] = [2]

    @Test func `waits twice as long after each failure, up to twenty seconds`() {
        #expect((1...10).map { Schedule.wait(afterFailures: $0) }.prefix(4) == [100, 200, 400, 800])
        #expect(Schedule.wait(afterFailures: 8) == 12_800)
        for count in [9, 64, Int.max] { #expect(Schedule.wait(afterFailures: count) == 20_000) }
    }

    @Test func `lets a refused message hold up its own subject and no other`() {
        var schedule = Schedule()
        #expect(schedule.refuse(1, of: a, at: 0) == 1)
        #expect(schedule.isWaiting(a) && !schedule.isWaiting(b))
        schedule.pass(2)
        schedule.deliver(3, of: b)
        #expect(schedule.scanned == 3)
        #expect(!schedule.isPaused(at: 0))
        #expect(schedule.due(at: 99) == nil)
        #expect(schedule.rest(at: 40) == 60)
    }

    @Test func `goes back to what it passed once the first of a subject is delivered`() throws {
        var schedule = Schedule()
        schedule.refuse(1, of: a, at: 0)
        schedule.pass(2)
        schedule.deliver(3, of: b)
        let due = try #require(schedule.due(at: 100))
        #expect(due.subject == a && due.position == 1)
        #expect(schedule.refuse(1, of: a, at: 100) == 2)
        #expect(schedule.due(at: 299) == nil)
        #expect(schedule.due(at: 300)?.position == 1)
        schedule.deliver(1, of: a)
        #expect(schedule.scanned == 1, "what lies behind it comes next")
        #expect(!schedule.isWaiting(a))
        #expect(schedule.rest(at: 300) == nil)
    }

    @Test func `tries the earliest of those that are due first`() {
        var schedule = Schedule()
        schedule.refuse(1, of: a, at: 0)
        schedule.refuse(2, of: b, at: 0)
        #expect(schedule.due(at: 1_000)?.position == 1)
        schedule.settle(1, of: a)
        #expect(schedule.due(at: 1_000)?.position == 2)
    }

    @Test func `makes everything wait while nobody is there, and starts anew after an answer`() {
        var schedule = Schedule()
        #expect(schedule.pause(at: 0) == 1)
        #expect(schedule.isPaused(at: 99) && !schedule.isPaused(at: 100))
        #expect(schedule.scanned == nil, "the message is tried again")
        #expect(schedule.pause(at: 100) == 2)
        #expect(schedule.rest(at: 100) == 200)
        schedule.deliver(1, of: a)
        #expect(schedule.pause(at: 1_000) == 1)
    }

    @Test func `lets a message that broke the connection wait, and the others go on more slowly`() {
        var schedule = Schedule()
        #expect(schedule.lose(1, of: a, at: 0) == 1)
        #expect(schedule.isPaused(at: 99))
        #expect(schedule.isWaiting(a) && schedule.scanned == 1)
        schedule.lose(2, of: b, at: 100)
        #expect(schedule.rest(at: 100) == 200)
    }

    @Test func `holds up a thousand subjects and then begins nothing new`() {
        var schedule = Schedule()
        for number in 0..<Schedule.waitingCountMax {
            #expect(schedule.hasRoom)
            schedule.refuse(number, of: [UInt8(number >> 8), UInt8(number & 255)], at: 0)
        }
        #expect(!schedule.hasRoom)
        schedule.settle(0, of: [0, 0])
        #expect(schedule.hasRoom)
    }
}
