import Glibc
import ShoalJSON
import ShoalLog
import Synchronization

/// The thread that writes the journal's file, a batch at a time.
///
/// It sleeps while nothing happens, is told of the first event through a pipe, waits a moment for more and writes them
/// all. A file that cannot be written costs lines, never a request.
final class JournalWriter: Sendable {
    /// How long events gather before they are written, in milliseconds.
    private static let gatherMilliseconds: Int32 = 100
    private static let entriesPerBatch = 1_024

    private struct Output: ~Copyable, Sendable {
        var file: JournalFile
        /// Events lost since the last line that was written.
        var lostCount: UInt64 = 0
        var isFailing = false
    }

    private let output: Mutex<Output>
    private let log: Log
    private let readEnd: Int32
    private let writeEnd: Int32
    private let thread = Mutex<pthread_t?>(nil)

    init(_ file: consuming JournalFile, log: Log) throws(JournalFile.Failure) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw JournalFile.Failure(call: "pipe", path: "", code: errno) }
        for end in ends {
            // Neither can fail on a descriptor that was just made.
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        (readEnd, writeEnd) = (ends[0], ends[1])
        self.log = log
        output = Mutex(Output(file: file))
    }

    deinit {
        Glibc.close(readEnd)
        Glibc.close(writeEnd)
    }

    // MARK: Called by the journal

    private enum Message: UInt8 { case events = 1, stop = 2 }

    /// There is something to write.
    func tell() { send(.events) }

    private func send(_ message: Message) {
        var byte = message.rawValue
        // A full pipe is not empty, which is all the thread has to learn.
        while Glibc.write(writeEnd, &byte, 1) < 0 && errno == EINTR {}
    }

    /// Writes everything that was appended before the call.
    func drain(from journal: Journal) {
        output.withLock { output in
            while true {
                let (entries, lostCount) = journal.takeUnwritten(Self.entriesPerBatch)
                output.lostCount += lostCount
                guard !entries.isEmpty else { return }
                write(entries, to: &output)
            }
        }
    }

    // MARK: The thread

    func start(journal: Journal) {
        let context = Unmanaged.passRetained(Context(writer: self, journal: journal))
        var created = pthread_t()
        let code = pthread_create(
            &created, nil,
            { argument in
                guard let argument else { return nil }
                let context = Unmanaged<Context>.fromOpaque(argument).takeRetainedValue()
                context.writer.run(context.journal)
                return nil
            }, context.toOpaque())
        guard code == 0 else {
            context.release()
            log.error("no thread for the journal's file: it is written only at the end", ["errno": "\(code)"])
            return
        }
        thread.withLock { $0 = created }
    }

    /// Stops the thread, waits for it and writes what is left. Further calls do nothing.
    func stop(journal: Journal) {
        let running = thread.withLock { thread in
            defer { thread = nil }
            return thread
        }
        if let running {
            send(.stop)
            pthread_join(running, nil)
        }
        drain(from: journal)
    }

    private final class Context: Sendable {
        let writer: JournalWriter
        let journal: Journal

        init(writer: JournalWriter, journal: Journal) {
            self.writer = writer
            self.journal = journal
        }
    }

    private func run(_ journal: Journal) {
        while true {
            if hasStopArrived(within: -1) { return }
            if hasStopArrived(within: Self.gatherMilliseconds) { return }
            drain(from: journal)
        }
    }

    /// Waits for a message, `milliseconds` at most (-1 for ever), and takes all there are.
    private func hasStopArrived(within milliseconds: Int32) -> Bool {
        var poller = pollfd(fd: readEnd, events: Int16(POLLIN), revents: 0)
        guard poll(&poller, 1, milliseconds) > 0 else { return false }
        var messages = [UInt8](repeating: 0, count: 64)
        let count = Glibc.read(readEnd, &messages, messages.count)
        return count > 0 && messages[..<count].contains(Message.stop.rawValue)
    }

    // MARK: Lines

    private func write(_ entries: [JournalRing.Entry], to output: inout Output) {
        var lines: [UInt8] = []
        lines.reserveCapacity(entries.count * 256)
        if output.lostCount > 0, let first = entries.first {
            JSONText.append("{\"seq\":", to: &lines)
            JSONText.append(number: first.firstSeq - 1, to: &lines)
            JSONText.append(",\"ev\":\"lost\",\"count\":", to: &lines)
            JSONText.append(number: output.lostCount, to: &lines)
            JSONText.append("}\n", to: &lines)
        }
        var eventCount = 0
        for entry in entries {
            eventCount += entry.events.count
            switch entry.telling {
            case .nothing: break
            case .summary(let head, let key, let bodyByteCount, let status):
                entry.appendSummary(head, key: key, bodyByteCount: bodyByteCount, status: status, to: &lines)
            case .inFull:
                for event in entry.events(after: 0) {
                    event.appendJSON(to: &lines)
                    lines.append(UInt8(ascii: "\n"))
                }
            }
        }
        do throws(JournalFile.Failure) {
            try output.file.append(lines)
            if output.isFailing { log.info("the journal's file is written again") }
            (output.lostCount, output.isFailing) = (0, false)
        } catch {
            output.lostCount += UInt64(eventCount)
            // Once for a run of failures: the disk that is full stays full for a while.
            if !output.isFailing { log.error("the journal's file cannot be written: \(error)") }
            output.isFailing = true
        }
    }
}
