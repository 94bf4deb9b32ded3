import Foundation

@testable import App

/// A temporary file that receives log lines. The test must remove it.
struct LogFile {
    private let path = "\(NSTemporaryDirectory())/allesteurer-log.\(UUID().uuidString)"
    private let descriptor: Int32

    init() { descriptor = open(path, O_CREAT | O_RDWR | O_APPEND, 0o600) }

    func remove() {
        close(descriptor)
        unlink(path)
    }

    func log(_ level: Config.LogLevel) -> Log { Log(level: level, descriptor: descriptor) }

    func text() throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

    func lines() throws -> [Substring] { try text().split(separator: "\n") }
}
