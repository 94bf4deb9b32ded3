import Domain
import EventLoop
import HTTP
import JSON
import Templates

/// The event stream of several receipts that are being read.
struct SeveralReadingEvents: Sendable {
    let database: Database
    let member: Member
    let receipts: [ReceiptID]
    let words: LanguageTexts

    /// Sends events until all receipts are read or the stream has reached its time limit. The browser then reconnects
    /// by itself.
    func send(to writer: any ResponseWriter) async throws {
        guard let loop = EventLoop.current else { return }
        var open = receipts
        var last: [ReceiptID: ReadingProgress] = [:]
        try await writer.send(Array("retry: 2000\n\n".utf8))
        for query in 0..<ReadingEvents.maximumQueries {
            // A database outage ends the stream; the browser reconnects.
            let readings = try await ListedReading.list(open, member, database)
            var bytes: [UInt8] = []
            for id in open {
                let reading = readings.first { $0.id == id }
                if let progress = reading?.progress {
                    guard last.updateValue(progress, forKey: id) != progress else { continue }
                    bytes += event("progress", id, reading)
                } else {
                    bytes += event("read", id, reading)
                    open.removeAll { $0 == id }
                }
            }
            if open.isEmpty { bytes += Array("event: done\ndata: {}\n\n".utf8) }
            // Writing detects a closed connection.
            if bytes.isEmpty, query % 30 == 29 { bytes = Array(": still reading\n\n".utf8) }
            if !bytes.isEmpty { try await writer.send(bytes) }
            if open.isEmpty { return }
            await loop.sleep(for: .milliseconds(500))
        }
    }

    /// The event of one receipt. The text is empty when the receipt no longer exists, for example after it was joined.
    private func event(_ name: String, _ id: ReceiptID, _ reading: ListedReading?) -> [UInt8] {
        var json = JSONWriter()
        json.object { json in
            json.member("receipt", id.description)
            json.member("title", reading?.title ?? "")
            json.member("words", reading?.sentence(words, member.language) ?? "")
        }
        return Array("event: \(name)\ndata: ".utf8) + json.bytes + Array("\n\n".utf8)
    }
}
