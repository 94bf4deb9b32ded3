import DocumentParsing
import Domain
import EventLoop
import Postgres
import Recognition
import TestSupport
import Testing

@testable import App

/// Pages as the reader finds them, and a server's background work without a reader.
enum ReadingScene {
    /// Lines of words, one below the other.
    static func page(_ source: RecognizedPage.Source, _ lines: [String]) -> RecognizedPage {
        let lines = lines.enumerated().map { row, text in
            var x = 20
            return RecognizedLine(
                words: text.split(separator: " ").map { word in
                    defer { x += word.count * 10 + 80 }
                    return RecognizedWord(
                        text: String(word), box: PixelBox(x: x, y: 20 + row * 24, width: word.count * 10, height: 18),
                        confidence: source == .text ? 100 : 95)
                })
        }
        return RecognizedPage(source: source, width: 1_200, height: 100 + lines.count * 24, lines: lines)
    }

    /// Runs the workers of a server whose reader ends at once, while `body` runs.
    static func withoutReader(
        _ harness: AppHarness, _ stored: TestDatabase, _ body: () async throws -> Void
    ) async throws {
        var config = try AppHarness.config()
        let parameters = ["host", "port", "dbname", "user"].compactMap { name in
            stored.settings[name].map { "\(name)=\($0)" }
        }
        config.databaseURL = parameters.joined(separator: " ")
        config.reader = "/bin/false"
        let app = try App(config: config, database: harness.database, log: Log(level: .error))
        let background = try await Background(app)
        try await body()
        await background.stop()
    }

    /// Looks until `isDone`, at most twenty seconds.
    static func wait(_ isDone: () throws -> Bool) async throws -> Bool {
        for _ in 0..<200 {
            if try isDone() { return true }
            await EventLoop.current?.sleep(for: .milliseconds(100))
        }
        return false
    }
}
