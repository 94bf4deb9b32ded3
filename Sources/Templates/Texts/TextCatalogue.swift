/// The words of the product in every language, by key.
///
/// A catalogue is a file `de.txt` of lines `key = text`; lines that are empty or begin with `#` do not count. A text may hold
/// `{{name}}`, `{{#name}}`, `{{^name}}`; in templates (`{{@key}}`) its own characters are escaped for HTML.
package struct TextCatalogue: Sendable {
    private let languages: [(tag: String, texts: LanguageTexts)]

    /// - Parameter sources: language tag, file name for error messages, and the file's bytes.
    /// - Throws: `TemplateError` with every malformed line, doubled key, and key that one language has and another has not.
    package init(_ sources: [(tag: String, file: String, bytes: [UInt8])]) throws(TemplateError) {
        var errors = TemplateError()
        var languages: [(tag: String, texts: LanguageTexts)] = []
        for (tag, file, bytes) in sources {
            languages.append((tag, LanguageTexts(reading: bytes, file: file, &errors)))
        }
        for (_, texts) in languages {
            for (other, others) in languages {
                for (key, entry) in texts.entries where others.entries[key] == nil {
                    errors.add("the text \(key) is missing in language \(other)", at: entry.location)
                }
            }
        }
        guard errors.problems.isEmpty else { throw errors }
        self.languages = languages
    }

    /// The texts of a language named by its tag; of an unknown one those of the first.
    package subscript(_ language: some RawRepresentable<String>) -> LanguageTexts { self[tag: language.rawValue] }

    /// The texts of a language named by its tag, such as `de`; of an unknown one those of the first.
    package subscript(tag tag: String) -> LanguageTexts {
        languages.first { $0.tag == tag }?.texts ?? languages.first?.texts ?? LanguageTexts()
    }

    /// Of the languages, in the order of the sources; the first one stands in for unknown ones.
    package var tags: [String] { languages.map(\.tag) }
    /// The same in every language.
    package var keys: Set<String> { Set(languages.first?.texts.entries.keys.map(\.self) ?? []) }
}

/// The texts of one language, for Swift code: plain, not escaped.
package struct LanguageTexts: Sendable {
    struct Entry: Sendable {
        let location: Location
        let markup: [Node]
        let plain: [Piece]
    }

    private(set) var entries: [String: Entry] = [:]

    init() {}

    init(reading bytes: [UInt8], file: String, _ errors: inout TemplateError) {
        guard String(validating: bytes, as: UTF8.self) != nil else {
            errors.add("the file is not UTF-8", at: Location(file: file, line: 1, column: 1))
            return
        }
        for (index, line) in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated() {
            let line = line.trimmed
            let place = Location(file: file, line: index + 1, column: 1)
            guard let first = line.first, first != UInt8(ascii: "#") else { continue }
            guard let sign = line.firstIndex(of: UInt8(ascii: "=")) else {
                errors.add("a line is key = text", at: place)
                continue
            }
            let key = String(decoding: line[..<sign].trimmed, as: UTF8.self)
            let text = line[(sign + 1)...].trimmed
            guard !key.isEmpty, key.utf8.allSatisfy(isKeyByte), !text.isEmpty else {
                errors.add(
                    "a key has letters, digits, dots, hyphens and underscores, and its text is not empty", at: place)
                continue
            }
            guard entries[key] == nil else {
                errors.add("the text \(key) is there twice", at: place)
                continue
            }
            add(key, text, in: line, at: place, &errors)
        }
    }

    private mutating func add(
        _ key: String, _ text: ArraySlice<UInt8>, in line: ArraySlice<UInt8>, at place: Location,
        _ errors: inout TemplateError
    ) {
        let before = line[..<text.startIndex].count { $0 & 0xC0 != 0x80 }
        let start = Location(file: place.file, line: place.line, column: before + 1)
        do throws(TemplateError) {
            let markup = try Parser.text(Array(text), at: start, escaped: true)
            let plain = try Parser.text(Array(text), at: start, escaped: false)
            var expander = Expander { _ in nil }
            entries[key] = Entry(location: place, markup: markup, plain: try expander.expand(plain).pieces)
        } catch {
            errors.add(error)
        }
    }

    /// The text of `key`; a key that does not exist shows itself in brackets, so that a page survives it and a test sees it.
    package subscript(_ key: String, _ values: [String: Value] = [:]) -> String {
        guard let entry = entries[key] else { return "⟦\(key)⟧" }
        var output = Output()
        ValueRenderer(partials: [], isPlain: true).render(entry.plain, [.object(values)], into: &output)
        return String(decoding: output.bytes, as: UTF8.self)
    }

    /// Whether there is such a text, before it is asked for by a key put together.
    package func has(_ key: String) -> Bool { entries[key] != nil }
}

private func isKeyByte(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"): true
    default: false
    }
}

extension ArraySlice<UInt8> {
    /// Without white space at both ends.
    fileprivate var trimmed: ArraySlice<UInt8> {
        let front = drop { $0 <= 0x20 }
        guard let last = front.lastIndex(where: { $0 > 0x20 }) else { return front.prefix(0) }
        return front[...last]
    }
}
