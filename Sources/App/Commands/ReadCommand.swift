import CLinux
import DocumentParsing
import Domain
import EventLoop
import Glibc
import JSON
import Recognition

/// `allesteurer read [--json] [--together] [--facts FILE] FILE…`: reads receipts without a database.
enum ReadCommand {
    private struct Options {
        var isJSON = false
        /// Whether all files belong to one receipt.
        var isTogether = false
        /// The facts from the file after `--facts`. They replace the built-in facts and the facts from the settings.
        var facts: ChainFacts?
        var files: [String] = []
    }

    static func run(_ program: Program, _ arguments: [String]) async throws -> Int32 {
        let options = try options(arguments)
        let path =
            try Config.value(of: "READER", in: program.environment)
            ?? program.executable.parentFolder + "/allesteurer-reader"
        let secondEngine = try Config.value(of: "SECOND_ENGINE", in: program.environment)
        let facts = try options.facts ?? OwnFacts.added(from: Config.value(of: "FACTS", in: program.environment))
        let loop = try EventLoop(name: "read")
        try loop.start()
        defer { loop.stop() }
        let parsing = try SlowWork(name: "parsing")
        let groups = options.isTogether ? [options.files] : options.files.map { [$0] }
        return await Task(executorPreference: loop) {
            var session = ReadSession(
                loop: loop, path: path, secondEngine: secondEngine,
                parser: ReceiptParser(facts: facts, today: WallClock.today()), parsing: parsing)
            defer { session.close() }
            var status: Int32 = 0
            for files in groups {
                let answer = await session.read(files)
                Console.print(options.isJSON ? answer.json : answer.text)
                if answer.isFailure { status = 1 }
            }
            return status
        }.value
    }

    private static func options(_ arguments: [String]) throws -> Options {
        var options = Options()
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            switch argument {
            case "--json": options.isJSON = true
            case "--together": options.isTogether = true
            case "--facts":
                guard let file = rest.popFirst() else { throw UsageError(description: "--facts takes a file") }
                options.facts = try OwnFacts.read(file)
            case "--":
                options.files += rest
                rest = []
            case _ where argument.hasPrefix("-") && argument.count > 1:
                throw UsageError(description: "unknown option \(argument)")
            default: options.files.append(argument)
            }
        }
        guard !options.files.isEmpty else { throw UsageError(description: "no file given") }
        return options
    }
}

/// A reader process for all files of a command. The process is restarted if it ends.
private struct ReadSession {
    let loop: EventLoop
    let path: String
    let secondEngine: String?
    let parser: ReceiptParser
    let parsing: SlowWork
    private var connection: ReaderConnection?

    init(loop: EventLoop, path: String, secondEngine: String?, parser: ReceiptParser, parsing: SlowWork) {
        self.loop = loop
        self.path = path
        self.secondEngine = secondEngine
        self.parser = parser
        self.parsing = parsing
    }

    /// The output for the files of one receipt.
    struct Answer {
        let json: String
        let text: String
        let isFailure: Bool
    }

    mutating func read(_ files: [String]) async -> Answer {
        let cpuBefore = Self.cpuMicroseconds()
        do {
            let contents = try files.map { file in
                guard let bytes = FileContent.read(file, limit: UploadLimits.fileBytes) else {
                    throw UsageError(description: "cannot read \(file), or it is larger than 25 MiB")
                }
                _ = try UploadInspection.mediaType(of: Array(bytes.prefix(UploadInspection.prefixBytes)))
                return bytes
            }
            let run = ReaderJobRun(
                connection: try connectedReader(), parser: parser, parsing: parsing, pictures: .none)
            let result = try await run.run(id: 1, files: contents)
            let paper = PaperReading(result.document, asOf: WallClock.today())
            let ownMicroseconds = Self.cpuMicroseconds() - cpuBefore
            let centiseconds = (Int64(result.cpuMilliseconds) * 1000 + ownMicroseconds + 5_000) / 10_000
            let json = ReadingReport.json(
                result.receipt, paper: paper, file: files[0], files: files, centiseconds: centiseconds)
            return Answer(json: json, text: ReadingText.of(result.receipt, files), isFailure: false)
        } catch {
            if error is ReaderLost { close() }
            let reason = Self.reason(error)
            return Answer(
                json: ReadingText.failure(files, reason), text: "\(files[0]): \(reason)", isFailure: true)
        }
    }

    mutating func close() {
        connection?.close()
        connection = nil
    }

    private mutating func connectedReader() throws -> ReaderConnection {
        if let connection { return connection }
        let connection = try ReaderConnection(on: loop, path: path, secondEngine: secondEngine)
        self.connection = connection
        return connection
    }

    private static func reason(_ error: any Error) -> String {
        switch error {
        case let error as ReaderFailure: error.reason.name
        case let error as UploadRefusal: "refused: \(error)"
        case let error as UsageError: error.description
        case let error as ReaderLost: "the reader was lost: \(error.description)"
        default: "\(error)"
        }
    }

    /// Returns the user and system time of this process.
    private static func cpuMicroseconds() -> Int64 {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        return Int64(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1_000_000
            + Int64(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec)
    }
}
