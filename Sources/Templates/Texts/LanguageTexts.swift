/// The texts of one language for Swift code, not escaped.
package struct LanguageTexts: Sendable {
    struct Entry: Sendable {
        let location: Location
        let markup: [Node]
        let plain: [Piece]
    }

    private(set) var entries: [String: Entry] = [:]
    /// The suffix of the keys that are looked up first, such as `at` for `server.month.1.at`.
    private var region: String?

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
                errors.add("a line must have the form key = text", at: place)
                continue
            }
            let key = String(decoding: line[..<sign].trimmed, as: UTF8.self)
            let text = line[(sign + 1)...].trimmed
            guard !key.isEmpty, key.utf8.allSatisfy(isKeyByte), !text.isEmpty else {
                errors.add(
                    "a key consists of letters, digits, dots, hyphens and underscores, and its text must not be empty",
                    at: place)
                continue
            }
            guard entries[key] == nil else {
                errors.add("the text \(key) is defined twice", at: place)
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

    /// Returns the text of `key` with these values. If there is no text, returns the key in brackets, for which tests
    /// search the pages.
    package subscript(_ key: String, _ values: [String: Value] = [:]) -> String {
        let regional = region.flatMap { entries["\(key).\($0)"] }
        guard let entry = regional ?? entries[key] else { return "⟦\(key)⟧" }
        var output = Output()
        ValueRenderer(partials: [], isPlain: true).render(entry.plain, [.object(values)], into: &output)
        return String(decoding: output.bytes, as: UTF8.self)
    }

    /// Returns the same texts with the variants of a region: for `at`, `server.month.1.at` replaces `server.month.1`.
    ///
    /// - Parameter region: a country code in lower case; nil for no region.
    package func inRegion(_ region: String?) -> LanguageTexts {
        var texts = self
        texts.region = region
        return texts
    }

    /// Whether there is a text with this key; for keys that are composed at run time.
    package func has(_ key: String) -> Bool { entries[key] != nil }
}

private func isKeyByte(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"): true
    default: false
    }
}

extension ArraySlice<UInt8> {
    /// The slice without white space at both ends.
    fileprivate var trimmed: ArraySlice<UInt8> {
        let front = drop { $0 <= 0x20 }
        guard let last = front.lastIndex(where: { $0 > 0x20 }) else { return front.prefix(0) }
        return front[...last]
    }
}
