import Glibc
import HTTP
import JSON

/// One JSON object a line, on standard error. Never contents, names, amounts, tokens or passwords: a request is named by
/// its route's pattern and its id.
package struct Log: Sendable {
    private let level: Config.LogLevel
    private let descriptor: Int32

    /// - Parameter descriptor: open for writing for as long as the log is used.
    package init(level: Config.LogLevel, descriptor: Int32 = 2) {
        self.level = level
        self.descriptor = descriptor
    }

    /// Writes one line unless its level is too low; names and facts are constants, numbers and what errors may show.
    package func event(_ level: Config.LogLevel, _ name: String, _ facts: [(String, String)] = []) {
        line(level, name) { json in for (key, value) in facts { json.member(key, value) } }
    }

    /// A request that was answered. Health checks come every few seconds and go well: those are for `debug`.
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

    /// Bytes that were no request, answered by the server itself.
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
        // One write a line, so that lines of several loops do not mix; a full pipe loses it rather than stopping a loop.
        // Whoever else writes there decides whether writing blocks, so the room is asked for.
        var room = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        guard poll(&room, 1, 0) == 1 else { return }
        _ = json.bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
    }
}
