import Foundation
import TestSupport
import Testing

/// Runs the real program with arguments and settings, and checks its output. The program is in the build folder of the
/// tests.
@Suite(.timeLimit(.minutes(5))) struct CommandLineTests {
    private struct Outcome {
        let status: Int32
        let output: String
        let error: String
    }

    private static func run(_ arguments: [String], _ settings: [String: String] = [:]) throws -> Outcome {
        let testProgram = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let process = Process()
        process.executableURL =
            URL(fileURLWithPath: testProgram).deletingLastPathComponent().appending(path: "allesteurer")
        process.arguments = arguments
        process.environment = [
            "ALLESTEURER_DATABASE_URL": "postgresql:///unused?host=/nonexistent",
            "ALLESTEURER_VIEWS": TestSources.root + "/Views", "ALLESTEURER_PUBLIC": TestSources.root + "/Public",
            "ALLESTEURER_MIGRATIONS": TestSources.root + "/Migrations", "SWIFT_BACKTRACE": "enable=no",
        ].merging(settings) { $1 }
        let output = Pipe()
        let error = Pipe()
        process.standardOutput = output
        process.standardError = error
        try process.run()
        let outputData = output.fileHandleForReading.readDataToEndOfFile()
        let errorData = error.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return Outcome(
            status: process.terminationStatus, output: String(decoding: outputData, as: UTF8.self),
            error: String(decoding: errorData, as: UTF8.self))
    }

    @Test func `check-config accepts valid settings`() throws {
        let outcome = try Self.run(["check-config"])
        #expect(outcome.status == 0, "\(outcome.error)")
        #expect(outcome.output.contains("http://localhost:8080"))
    }

    static let nowhere = "/nowhere/at/all"

    @Test(arguments: [
        (["TLS_CERT": nowhere, "TLS_KEY": nowhere], nowhere), (["READER": nowhere], "ALLESTEURER_READER"),
        (["SECOND_ENGINE": nowhere], "ALLESTEURER_SECOND_ENGINE"),
        (["READER": "/etc/passwd"], "ALLESTEURER_READER"), (["MIGRATIONS": nowhere], nowhere),
        (["VIEWS": nowhere], nowhere), (["PUBLIC": nowhere], nowhere), (["CA_CERT": nowhere], "ALLESTEURER_CA_CERT"),
        (["LISTEN": "bon.example.at:8080"], "bon.example.at:8080"), (["HOSTS": "http://bon"], "ALLESTEURER_HOSTS"),
        (["BASE_URL": "http://a:b:8080"], "ALLESTEURER_BASE_URL"),
        (["DATABASE_URL": "mysql://x"], "ALLESTEURER_DATABASE_URL"),
        (["OWNER_DATABASE_URL": "mysql://x"], "ALLESTEURER_OWNER_DATABASE_URL"),
    ])
    func `check-config refuses and names invalid settings`(
        settings: [String: String], named: String
    ) throws {
        let outcome = try Self.run(
            ["check-config"], Dictionary(uniqueKeysWithValues: settings.map { ("ALLESTEURER_\($0.key)", $0.value) }))
        #expect(outcome.status == 78, "\(outcome.output)")
        #expect(outcome.error.contains(named), "\(outcome.error)")
    }

    @Test(arguments: [["DATABASE_URL": "mysql://x"], ["READER": nowhere]])
    func `the server ends at once if its settings are invalid`(settings: [String: String]) throws {
        let outcome = try Self.run(
            ["serve"], Dictionary(uniqueKeysWithValues: settings.map { ("ALLESTEURER_\($0.key)", $0.value) }))
        #expect(outcome.status == 78)
        #expect(!outcome.error.contains("waiting"), "\(outcome.error)")
    }

    @Test func `the read command uses the setting FACTS or FACTS_FILE, as the server does`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "facts-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (facts, setting) = (folder.appending(path: "own.facts"), folder.appending(path: "setting"))
        try Data("total: SUMME\nno fact".utf8).write(to: facts)
        try Data("\(facts.path)\n".utf8).write(to: setting)
        for settings in [["ALLESTEURER_FACTS": facts.path], ["ALLESTEURER_FACTS_FILE": setting.path]] {
            let outcome = try Self.run(["read", Self.nowhere], settings)
            #expect(outcome.status == 78)
            #expect(outcome.error.contains("own.facts, line 2"), "\(outcome.error)")
        }
        let both = ["ALLESTEURER_FACTS": facts.path, "ALLESTEURER_FACTS_FILE": setting.path]
        #expect(try Self.run(["read", Self.nowhere], both).error.contains("both set"))
        // An empty setting counts as missing, as for the server.
        #expect(try Self.run(["read", Self.nowhere], ["ALLESTEURER_FACTS": ""]).status == 1)
    }

    @Test(arguments: ["serve", "migrate", "setup-link", "read", "demo", "routes", "check-config"])
    func `commands print their usage`(command: String) throws {
        let outcome = try Self.run([command, "--help"])
        #expect(outcome.status == 0 && outcome.error.isEmpty)
        #expect(outcome.output.hasPrefix("usage: allesteurer \(command)"), "\(outcome.output)")
    }
}
