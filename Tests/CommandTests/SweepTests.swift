import Testing

@testable import shoal

@Suite struct `The output of a command that is swept` {
    @Test func `is kept whole if it is short, however it arrives`() {
        var output = BoundedOutput()
        for byte in "uploading… done\n".utf8 { output.append([byte]) }
        #expect(output.text == "uploading… done\n")
    }

    @Test func `keeps its beginning and its end, and says how much is between`() {
        let most = BoundedOutput.byteCountMax
        var output = BoundedOutput()
        output.append(Array(repeating: UInt8(ascii: "a"), count: most)[...])
        for _ in 0..<5 { output.append(Array(repeating: UInt8(ascii: "b"), count: most)[...]) }
        output.append(Array(repeating: UInt8(ascii: "c"), count: most)[...])
        let expected =
            String(repeating: "a", count: most) + "\n[\(5 * most) bytes left out]\n"
            + String(repeating: "c", count: most)
        #expect(output.text == expected)
    }
}

@Suite struct `The work of a sweep` {
    @Test func `comes out in its order, whoever finishes first`() throws {
        let floor = SweepFloor(Array(0..<100), jobs: 7) { $0 * 2 }
        var outcomes: [Int] = []
        try floor.run(stop: {}, each: { outcomes.append($0) })
        #expect(outcomes == (0..<100).map { $0 * 2 })
    }

    @Test func `ends at an interruption with what there is`() throws {
        let interruption = Interruption()
        let floor = SweepFloor(Array(0..<100), jobs: 3) { number -> Int? in
            if number == 40 { interruption.raise() }
            return interruption.isRaised ? nil : number
        }
        var outcomes: [Int] = []
        try floor.run(stop: {}, each: { outcomes.append($0) })
        #expect(outcomes == outcomes.sorted() && !outcomes.contains(40))
    }

    @Test func `ends at the first failure, which is told`() {
        struct Flaw: Error {}
        let interruption = Interruption()
        let floor = SweepFloor(Array(0..<100), jobs: 3) { number -> Int? in
            guard number != 5 else { throw Flaw() }
            return interruption.isRaised ? nil : number
        }
        #expect(throws: Flaw.self) { try floor.run(stop: interruption.raise, each: { _ in }) }
        #expect(interruption.isRaised)
    }
}
