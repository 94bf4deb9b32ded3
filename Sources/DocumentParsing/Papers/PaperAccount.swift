import Recognition

/// The account to which an invoice is to be paid.
enum PaperAccount {
    /// The first IBAN of the paper, without blanks, with valid check digits (ISO 13616).
    static func iban(_ lines: [PaperLine]) -> PaperReading.Candidate<String>? {
        for line in lines {
            let characters = line.line.text.enumerated().filter { $0.element != " " }
            let letters = characters.map { Array(String($0.element).uppercased().utf8) }
            guard characters.count >= 15 else { continue }
            for start in 0...(characters.count - 15) {
                guard let length = length(of: letters[start...]), start + length <= characters.count else { continue }
                let bytes = letters[start..<(start + length)].flatMap { $0 }
                guard bytes.count == length, isValid(bytes) else { continue }
                let range = characters[start].offset..<(characters[start + length - 1].offset + 1)
                return PaperReading.Candidate(
                    value: String(decoding: bytes, as: UTF8.self),
                    text: String(String.UnicodeScalarView(line.line.text[range])), page: line.page,
                    box: line.line.box(range), score: 0)
            }
        }
        return nil
    }

    /// The lengths of IBANs by country.
    private static let lengths = [
        "AT": 20, "DE": 22, "CH": 21, "LI": 21, "IT": 27, "FR": 27, "NL": 18, "BE": 16, "LU": 20, "ES": 24, "CZ": 24,
        "HU": 28, "SI": 19, "SK": 24, "PL": 28, "IE": 22, "LT": 20,
    ]

    private static func length(of letters: ArraySlice<[UInt8]>) -> Int? {
        lengths[String(decoding: letters.prefix(2).flatMap { $0 }, as: UTF8.self)]
    }

    /// Whether the number with its first four characters moved to the end is 1 modulo 97; `A` is 10, `Z` is 35.
    private static func isValid(_ bytes: [UInt8]) -> Bool {
        var remainder = 0
        for byte in bytes[4...] + bytes[..<4] {
            switch byte {
            case 48...57: remainder = (remainder * 10 + Int(byte) - 48) % 97
            case 65...90: remainder = (remainder * 100 + Int(byte) - 55) % 97
            default: return false
            }
        }
        return remainder == 1
    }
}
