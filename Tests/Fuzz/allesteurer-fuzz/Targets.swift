import Domain
import JSON
import Templates

@testable import HTTP

extension FuzzCommand {
    /// Functions that read untrusted bytes, by name. For every input, a function must return without a trap and satisfy
    /// its assertions.
    static let targets: [String: @Sendable ([UInt8]) -> Void] = [
        "request": request,
        "multipart": multipart,
        "form": form,
        "fields": fields,
        "json": json,
        "template": template,
        "figures": figures,
        "names": names,
    ]

    @Sendable private static func request(_ bytes: [UInt8]) {
        check(trace([bytes]) == trace(bytes.map { [$0] }), "a request is parsed alike however it is split")
    }

    /// Returns the events of a parser as text: the head and body of each request, and the refusal.
    private static func trace(_ pieces: [[UInt8]]) -> [String] {
        var parser = RequestParser()
        var events: [String] = []
        var body: [UInt8] = []
        for piece in pieces {
            var position = 0
            do {
                while let event = try parser.next(piece, &position, end: piece.count) {
                    switch event {
                    case .head(let head):
                        events.append("\(head.method) \(head.target) \(head.framing) \(head.keepAlive)")
                    case .body(let range): body += piece[range]
                    case .end:
                        events.append("\(body)")
                        body = []
                    }
                }
            } catch {
                return events + ["\(error)"]
            }
        }
        return events
    }

    @Sendable private static func multipart(_ bytes: [UInt8]) {
        check(parts([bytes]) == parts(bytes.map { [$0] }), "a form is parsed alike however it is split")
    }

    private static func parts(_ pieces: [[UInt8]]) -> [String] {
        var decoder = MultipartDecoder(boundary: "b", maximumParts: 8)
        var events: [String] = []
        var data: [UInt8] = []
        for piece in pieces {
            decoder.feed(piece)
            do {
                while let event = try decoder.next() {
                    if case .data(let bytes) = event {
                        data += bytes
                    } else {
                        events += ["\(data)", "\(event)"]
                        data = []
                    }
                }
            } catch {
                return events + ["\(error)"]
            }
        }
        return events
    }

    @Sendable private static func form(_ bytes: [UInt8]) {
        if let text = PercentCoding.decode(bytes) {
            check(
                PercentCoding.decode(Array(PercentCoding.encode(text).utf8)) == text, "decoding reverses encoding")
        }
        _ = try? FormFields(urlencoded: bytes)
    }

    @Sendable private static func fields(_ bytes: [UInt8]) {
        let text = String(decoding: bytes, as: UTF8.self)
        if let seconds = HTTPDate.parse(text) {
            check(HTTPDate.parse(HTTPDate.format(seconds)) == seconds, "a formatted date is parsed to the same date")
        }
        _ = MediaType(text)
        _ = Negotiation.language(text, available: ["de", "en"])
        _ = Negotiation.mediaType(text, available: ["text/html", "application/json"])
        var headers = Headers()
        headers.append(.cookie, text)
        _ = Negotiation.acceptsGzip(headers)
    }

    @Sendable private static func json(_ bytes: [UInt8]) {
        _ = try? JSONValue(reading: bytes)
    }

    @Sendable private static func template(_ bytes: [UInt8]) {
        guard let template = try? Template(String(decoding: bytes, as: UTF8.self)) else { return }
        _ = template.render(["a": "<", "b": ["c": "d"], "e": [["f": 1], ["f": 2]]])
    }

    @Sendable private static func figures(_ bytes: [UInt8]) {
        let text = String(decoding: bytes, as: UTF8.self)
        if let money = try? Money(parsing: text) {
            for language in [Language.german, .english] {
                check(
                    (try? Money(parsing: money.figure(language))) == money,
                    "a formatted amount is parsed to the same amount")
            }
        }
        if let quantity = try? Quantity(parsing: text) {
            check(
                (try? Quantity(parsing: quantity.figure(), unit: quantity.unit)) == quantity,
                "a formatted quantity is parsed to the same quantity")
        }
        if let date = LocalDate(parsing: text) {
            check(LocalDate(parsing: date.formatted()) == date, "a formatted date is parsed to the same date")
        }
    }

    @Sendable private static func names(_ bytes: [UInt8]) {
        let text = String(decoding: bytes, as: UTF8.self)
        _ = NameProfile(text)
        if let key = AliasKey(printed: text) {
            check(AliasKey(printed: key.text) == key, "AliasKey is idempotent")
        }
    }
}
