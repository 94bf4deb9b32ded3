/// Normalises printed texts for comparison.
package enum WineText {
    /// The maximum length in Unicode scalars; longer texts are cut.
    package static let maximumLength = 400

    /// The key of a text that a person assigns to a wine: the folded words without vintage, joined by blanks. At most
    /// `maximumLength` characters.
    package static func key(_ text: String) -> String {
        let words = words(text).filter { !WineVintage.isYear($0) }
        return String(words.joined(separator: " ").prefix(maximumLength))
    }

    /// The last vintage in a printed text.
    package static func vintage(in text: String) -> Int? { WineVintage.find(in: text)?.year }

    /// A name in a comparable form, including its years.
    package static func nameKey(_ name: String) -> String { words(name).joined(separator: " ") }

    /// The lower-case words of a text without accents. All characters but letters and digits separate words.
    static func words(_ text: String) -> [String] {
        fold(text).split(separator: UInt8(ascii: " ")).map { String(decoding: $0, as: UTF8.self) }
    }

    /// The text as lower-case ASCII letters, digits and blanks; letters of other scripts stay in UTF-8.
    static func fold(_ text: String) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(text.utf8.count)
        for scalar in text.unicodeScalars.prefix(maximumLength) { append(scalar, to: &result) }
        return result
    }

    static func append(_ scalar: Unicode.Scalar, to result: inout [UInt8]) {
        switch scalar.value {
        case 0x41...0x5A: result.append(UInt8(scalar.value + 32))
        case 0x61...0x7A, 0x30...0x39: result.append(UInt8(scalar.value))
        case 0..<0x80: result.append(0x20)
        case 0xC0..<0x180:
            let letters = latin[Int(scalar.value) - 0xC0]
            if letters.isEmpty { result.append(0x20) } else { result.append(contentsOf: letters) }
        case 0x300..<0x370: break
        default:
            if scalar.properties.isAlphabetic {
                result.append(contentsOf: scalar.properties.lowercaseMapping.utf8)
            } else {
                result.append(0x20)
            }
        }
    }

    /// The ASCII letters that replace U+00C0…U+017F; empty for characters that are not letters.
    private static let latin: [[UInt8]] = {
        let letters = """
            a a a a a a ae c e e e e i i i i d n o o o o o - o u u u u y th ss \
            a a a a a a ae c e e e e i i i i d n o o o o o - o u u u u y th y \
            a a a a a a c c c c c c c c d d d d e e e e e e e e e e g g g g g g g g h h h h \
            i i i i i i i i i i ij ij j j k k k l l l l l l l l l l n n n n n n n n n o o o o o o oe oe \
            r r r r r r s s s s s s s s t t t t t t u u u u u u u u u u u u w w y y y z z z z z z s
            """
        return letters.split(separator: " ").map { $0 == "-" ? [] : Array($0.utf8) }
    }()
}
