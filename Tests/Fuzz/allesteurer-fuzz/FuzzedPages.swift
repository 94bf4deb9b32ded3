import Recognition

/// Converts any bytes to pages of recognised words. Any page that the wire format permits is possible.
struct FuzzedPages {
    private var bytes: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { self.bytes = bytes[...] }

    private static let tokens = [
        "SUMME", "SUMME EUR", "TOTAL", "Zwischensumme", "BAR", "EC-Karte", "Rückgeld", "MwSt", "Netto", "Brutto", "19%",
        "7,00%", "A", "B", "1", "2", "*", "x", "X", "Stk", "kg", "EUR/kg", "€", "CHF", "-", "Pfand", "Leergut",
        "Rabatt",
        "Storno", "Coupon", "Posten:", "Artikel", "Milch", "Brot 500g", "Tara", "0,543", "1,99", "-0,25", "0,25-",
        "0,00",
        "0", "00", "1.234,56", "9.999.999,99", "99999999999,99", "9223372036854775807", "-9223372036854775808",
        "92233720368547758,07", "4611686018427387904", "3037000500", "184467440737095516,16", "0,001", "1/3", "1e9",
        "2x", "2 x 0,99", "999999 x 999999,99", "0,000 kg x 0,00", "07.03.2026", "31.02.2026", "12:34", "29.2.0000",
        "REWE", "LIDL", "dm", "ATU12345678", "DE123456789", "8001", "12345", "CHE-123.456.789", "PLN", "zł", "£",
        "$1.00",
        "", " ", "\u{301}", "@", "(", ")", ":", ";", ",", ".", "_", "|", "O,8S", "l x 1,00", "€/kg", "1,99 A", "1 kg",
        "V0;1;Kassenbeleg-V1;Beleg^1.00_0.00_0.00_0.00_0.00^1.00:Bar;1;1;2026-03-07T10:00:00Z;2026-03-07T10:00:00Z;a;b;c;d",
        "_R1-AT1_1_1_2026-03-07T10:00:00_1,00_0,00_0,00_0,00_0,00_a_b_c_d", "0888123456789012070326",
    ]

    private mutating func byte() -> Int { Int(bytes.popFirst() ?? 0) }

    private mutating func number(below limit: Int) -> Int { (byte() << 8 | byte()) % max(1, limit) }

    private mutating func text() -> String {
        let kind = byte()
        switch kind {
        case 0..<160: return Self.tokens[kind % Self.tokens.count]
        case 160..<220:
            let characters = Array("0123456789,.-%xX *AB/")
            return String((0..<(1 + kind % 24)).map { _ in characters[byte() % characters.count] })
        default:
            let part = bytes.prefix(1 + kind % 30)
            bytes = bytes.dropFirst(part.count)
            return String(decoding: part, as: UTF8.self)
        }
    }

    private mutating func box(_ width: Int, _ height: Int) -> PixelBox {
        let (x, y) = (number(below: width + 1), number(below: height + 1))
        return PixelBox(x: x, y: y, width: number(below: width - x + 1), height: number(below: height - y + 1))
    }

    private mutating func words(line: Int, _ width: Int, _ height: Int) -> [RecognizedWord] {
        let isAligned = byte() < 224
        var left = byte() % 8 * 10
        return (0..<(byte() % 7)).map { _ in
            let text = text()
            var position =
                isAligned ? PixelBox(x: left, y: line * 40, width: text.count * 20, height: 30) : box(width, height)
            left += (text.count + 1 + byte() % 40) * 20
            if position.maxX > width || position.maxY > height { position = box(width, height) }
            let others = (0..<(byte() % 4)).map { _ in self.text() }
            let costs = byte() < 128 ? [] : (0...others.count).map { _ in number(below: 65_536) }
            return RecognizedWord(
                text: text, box: position, confidence: byte() % 101, alternatives: others, costs: costs)
        }
    }

    private mutating func page() -> RecognizedPage {
        let sizes = [0, 1, 700, 1_500, 4_000, 65_536]
        let (width, height) = (sizes[(byte() + 3) % 6], sizes[(byte() + 4) % 6])
        let source: RecognizedPage.Source = byte() < 192 ? .ocr : .text
        let lines = (0..<(byte() % 60)).map { line in
            RecognizedLine(
                words: words(line: line, width, height),
                secondEngineWords: byte() < 128 ? [] : words(line: line, width, height))
        }
        let formats = ["QRCode", "ITF", "Code128", "EAN-13"]
        return RecognizedPage(
            source: source, width: width, height: height, lines: lines,
            unreadInk: (0..<(byte() % 4)).map { _ in box(width, height) },
            codes: (0..<(byte() % 3)).map { _ in
                RecognizedCode(format: formats[byte() % 4], text: text(), box: box(width, height))
            })
    }

    mutating func document() -> RecognizedDocument {
        RecognizedDocument(pages: (0..<(1 + byte() % 3)).map { _ in page() })
    }

    /// Converts bytes to answers to most of the requests.
    mutating func answers(_ requests: [RereadRequest]) -> [RereadAnswer] {
        requests.filter { _ in byte() < 224 }.map { request in
            func readings() -> [RecognizedWord] {
                (0..<(byte() % 3)).map { _ in
                    RecognizedWord(
                        text: text(), box: request.box, confidence: byte() % 101, costs: [number(below: 65_536)])
                }
            }
            let first = readings()
            return RereadAnswer(request: request, readings: first, secondEngineReadings: readings())
        }
    }
}
