import Glibc
import HTTP
import JSON

/// Writes one JSON object per line to standard error. Lines never contain user data, amounts, tokens or passwords. A
/// request is identified by its route pattern and its id.
package struct Log: Sendable {
    private let level: Config.LogLevel
    private let descriptor: Int32

    /// - Parameter descriptor: must remain open while the log is used.
    package init(level: Config.LogLevel, descriptor: Int32 = 2) {
        self.level = level
        self.descriptor = descriptor
    }

    /// Writes one line if `level` is logged. Callers must pass only constants, numbers and error descriptions.
    package func event(_ level: Config.LogLevel, _ name: String, _ facts: [(String, String)] = []) {
        line(level, name) { json in for (key, value) in facts { json.member(key, value) } }
    }

    /// Logs a request and its status. Successful health checks, which arrive every few seconds, have the level `debug`.
    func request(_ head: RequestHead, pattern: String, status: Status, nanoseconds: Int64, error: String?) {
        let isRoutine = status == .ok && (pattern == "/healthz" || pattern == "/readyz")
        line(status.code >= 500 ? .error : isRoutine ? .debug : .info, "request") { json in
            json.member("request", head.id.description)
            json.member("method", head.method.name)
            json.member("route", pattern)
            json.member("status", status.code)
            json.member("microseconds", nanoseconds / 1000)
            if let error { json.member("error", error) }
        }
    }

    /// Logs that the server refused an invalid request.
    package func refused(_ id: RequestID, status: Status) {
        line(.info, "refused") { json in
            json.member("request", id.description)
            json.member("status", status.code)
        }
    }

    private func line(_ level: Config.LogLevel, _ event: String, _ facts: (inout JSONWriter) -> Void) {
        guard level >= self.level else { return }
        var json = JSONWriter()
        json.object { json in
            json.member("time", WallClock.iso(WallClock.microseconds()))
            json.member("level", level.rawValue)
            json.member("event", event)
            facts(&json)
        }
        json.endLine()
        // Each line is one write, so that lines of different loops do not mix. If the pipe is full, the line is dropped
        // instead of blocking the loop. Poll first, because the descriptor may be in blocking mode.
        var room = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        guard poll(&room, 1, 0) == 1 else { return }
        _ = json.bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
    }
}
