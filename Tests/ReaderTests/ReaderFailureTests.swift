import Glibc
import Recognition
import Testing

/// Tests of the supervisor with children that crash or hang.
@Suite(.serialized, .timeLimit(.minutes(15))) struct ReaderFailureTests {
    private static let good = PDFFile.page(PDFFile.text(["BROT   2,49 A", "SUMME   2,49"]))

    /// Returns a function that sends a signal to the child as soon as the child exists.
    private func signalling(_ signal: Int32, _ reader: ReaderProcess) -> () -> Void {
        {
            // Loading the OCR engine takes time on a busy machine.
            for _ in 0..<60_000 {
                if let child = reader.child {
                    kill(child, signal)
                    return
                }
                usleep(1_000)
            }
        }
    }

    @Test(arguments: [SIGKILL, SIGSEGV, SIGBUS, SIGABRT])
    func `fails only the job of a child that crashes`(signal: Int32) throws {
        let reader = try ReaderProcess()
        let outcome = try reader.read(JPEGFile.receipt, afterSending: signalling(signal, reader))
        #expect(outcome.failure == .crashed)
        #expect(try reader.read(Self.good).text.contains("2,49"))
    }

    @Test(arguments: [SIGABRT, SIGSEGV])
    func `a crash signal ends a child even if the server ignores that signal`(signal: Int32) throws {
        let reader = try ReaderProcess(ignoring: signal)
        let outcome = try reader.read(JPEGFile.receipt, afterSending: signalling(signal, reader))
        #expect(outcome.failure == .crashed)
        #expect(try reader.read(Self.good).text.contains("2,49"))
    }

    /// A stopped child uses no CPU time, so only the wall-clock limit can end it.
    @Test func `ends a stopped child at the wall-clock limit`() throws {
        let reader = try ReaderProcess()
        let outcome = try reader.read(JPEGFile.receipt, cpuSecondsPerPage: 1, afterSending: signalling(SIGSTOP, reader))
        #expect(outcome.failure == .timeout)
        #expect(try reader.read(Self.good).text.contains("2,49"))
    }

    /// While the supervisor is stopped, the child's answer waits until the wall-clock limit has passed.
    @Test func `accepts an answer that the supervisor can read only after the wall-clock limit`() throws {
        let reader = try ReaderProcess()
        let alone = try reader.read(JPEGFile.receipt).cpuMilliseconds
        let job = ReadingJob(id: 0, cpuSecondsPerPage: 2 + 2 * alone / 1000, fileCount: 1)
        func stopSupervisor() {
            for _ in 0..<60_000 {
                // Then the child has received the file, and is reading it.
                if let child = reader.child, cpuMilliseconds(of: child) >= max(30, alone / 4) { break }
                usleep(1_000)
            }
            guard let child = reader.child else { return }
            kill(reader.identifier, SIGSTOP)
            let end = ContinuousClock.now + .seconds(job.answerSeconds)
            var usedBefore = -1
            while true {
                let used = cpuMilliseconds(of: child)
                // The child then waits for the next request.
                if ContinuousClock.now >= end, used == usedBefore { break }
                usedBefore = used
                usleep(1_000_000)
            }
            kill(reader.identifier, SIGCONT)
        }
        let outcome = try reader.read(
            JPEGFile.receipt, cpuSecondsPerPage: job.cpuSecondsPerPage, afterSending: stopSupervisor)
        #expect(outcome.failure == nil)
        #expect(outcome.document?.pages.count == 1)
    }

    /// The user and system time of a process.
    private func cpuMilliseconds(of process: pid_t) -> Int {
        let text = ProcessFile.text(of: "/proc/\(process)/stat") ?? ""
        // The part after the name of the program begins with field 3 of proc(5). The times are fields 14 and 15.
        let fields = (text.split(separator: ")").last ?? "").split(separator: " ")
        guard fields.count > 12 else { return 0 }
        return fields[11...12].compactMap { Int($0) }.reduce(0, +) * 1000 / max(1, sysconf(Int32(_SC_CLK_TCK)))
    }

    /// The child has nice 10 and shares a processor with six processes of a higher priority, so it gets a small part of
    /// its CPU limit.
    @Test func `reports a child that waits for the processor until the wall-clock limit as overloaded`() throws {
        let reader = try ReaderProcess()
        // Loads the engines, so that the next job does not.
        #expect(try reader.read(Self.good).failure == nil)
        let rivals = try ProcessorRivals(of: reader.identifier)
        let outcome = try reader.read(JPEGFile.receipt, cpuSecondsPerPage: 1)
        rivals.end()
        #expect(outcome.failure == .overloaded)
        #expect(outcome.cpuMilliseconds < 1_000)
        #expect(try reader.read(Self.good).text.contains("2,49"))
    }

    /// Twenty receipts side by side in one picture take more than a second of CPU time on any machine.
    @Test func `ends a child after its CPU time limit`() throws {
        let reader = try ReaderProcess()
        let (bytes, width, height) = JPEGFile.pixels()
        var sheet: [UInt8] = []
        for y in 0..<(4 * height) {
            let row = bytes[(y % height * width)..<((y % height + 1) * width)]
            for _ in 0..<5 { sheet += row }
        }
        let outcome = try reader.read(PNGFile.grey(sheet, width: 5 * width, height: 4 * height), cpuSecondsPerPage: 1)
        // On a busy machine, the wall-clock limit can end the child before the CPU limit.
        #expect([.timeout, .overloaded].contains(outcome.failure))
        #expect(try reader.read(Self.good).text.contains("2,49"))
    }

    @Test func `applies the CPU time limit to each page, and reports progress`() throws {
        let reader = try ReaderProcess()
        let alone = try reader.read(JPEGFile.receipt)
        #expect(alone.progress.isEmpty)
        // In seconds, enough for one page. All pages together use more CPU time.
        let seconds = 2 + 2 * alone.cpuMilliseconds / 1000
        let count = min(20, 2 + 2000 * seconds / max(1, alone.cpuMilliseconds))
        let outcome = try reader.read(Array(repeating: JPEGFile.receipt, count: count), cpuSecondsPerPage: seconds)
        #expect(outcome.failure == nil)
        #expect(outcome.document?.pages.count == count)
        #expect(outcome.progress == (0...count).map { [$0, count] })
        #expect(outcome.cpuMilliseconds > seconds * 1000)
    }

    @Test func `joins several files into one document, and ends the job if one is damaged`() throws {
        let reader = try ReaderProcess()
        #expect(try reader.read(Self.good, Self.good).document?.pages.count == 2)
        #expect(try reader.read(Self.good, [1, 2, 3]).failure == .damaged)
        #expect(try reader.read(Self.good).document?.pages.count == 1)
    }

    /// The server treats the exit status 1 as a reader that cannot run. The child cannot raise the limit of CPU time, so
    /// its confinement fails.
    @Test func `ends with status 1 if children cannot be confined`() throws {
        let reader = try ReaderProcess(cpuSeconds: 200)
        #expect(throws: ReaderProcess.Gone.self) { try reader.read(Self.good) }
        #expect(reader.end() == 1)
    }

    @Test func `leaks no descriptor over many jobs`() throws {
        let reader = try ReaderProcess()
        _ = try reader.read(Self.good)
        let descriptorsBefore = reader.openDescriptors
        for job in 0..<20 { _ = try reader.read(job.isMultiple(of: 2) ? Self.good : [0xFF, 0xD8, 0xFF]) }
        // The reader may close the descriptors of a job after it has reported the result.
        for _ in 0..<6_000 where reader.openDescriptors > descriptorsBefore { usleep(10_000) }
        #expect(reader.openDescriptors <= descriptorsBefore)
    }
}

func contains(_ bytes: [UInt8], _ part: [UInt8]) -> Bool {
    guard let first = part.first, bytes.count >= part.count else { return false }
    return (0...(bytes.count - part.count)).contains {
        bytes[$0] == first && bytes[$0..<($0 + part.count)].elementsEqual(part)
    }
}
