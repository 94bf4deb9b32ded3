import Foundation
import TestSupport
import Testing

/// Starts the real program, which is in the build folder of the tests, and stops it.
@Suite(.timeLimit(.minutes(5))) struct StoppingTests {
    @Test(arguments: [SIGTERM, SIGINT])
    func `a server that waits for its database reports this and can be stopped`(signal: Int32) throws {
        let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let process = Process()
        process.executableURL = URL(fileURLWithPath: own).deletingLastPathComponent().appending(path: "allesteurer")
        process.arguments = ["serve"]
        process.environment = [
            "ALLESTEURER_DATABASE_URL": "postgresql:///unused?host=/nonexistent",
            "ALLESTEURER_LISTEN": "127.0.0.1:0", "ALLESTEURER_VIEWS": TestSources.root + "/Views",
            "ALLESTEURER_PUBLIC": TestSources.root + "/Public",
            "ALLESTEURER_MIGRATIONS": TestSources.root + "/Migrations", "SWIFT_BACKTRACE": "enable=no",
        ]
        let log = Pipe()
        process.standardError = log
        try process.run()
        defer { process.terminate() }
        var logged = ""
        while !logged.contains("\"waiting\"") {
            let more = log.fileHandleForReading.availableData
            try #require(!more.isEmpty, "the server ended: \(logged)")
            logged += String(decoding: more, as: UTF8.self)
        }
        #expect(logged.contains("\"for\":\"database\""))
        // Without a handler for the signal, the termination reason would be `uncaughtSignal`.
        kill(process.processIdentifier, signal)
        process.waitUntilExit()
        #expect(process.terminationReason == .exit && process.terminationStatus == 0)
    }
}
