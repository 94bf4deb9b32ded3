/// The texts of the interface in all languages, by key.
///
/// Each language has a file such as `de.txt` of lines `key = text`. Empty lines and lines that begin with `#` are
/// ignored. A text may contain `{{name}}`, `{{#name}}`, `{{^name}}`. Templates insert a text by `{{@key}}`, with its
/// other characters escaped for HTML.
package struct Texts: Sendable {
    private let languages: [(tag: String, texts: LanguageTexts)]

    /// - Parameter sources: the tag, the file name for error messages, and the file's bytes of each language.
    /// - Throws: `TemplateError` with all malformed lines, repeated keys, and keys that are missing in a language.
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

    /// Returns the texts of a language by its tag, or of the first language if it is unknown.
    package subscript(_ language: some RawRepresentable<String>) -> LanguageTexts { self[tag: language.rawValue] }

    /// Returns the texts of a language by its tag, such as `de`, or of the first language if it is unknown.
    package subscript(tag tag: String) -> LanguageTexts {
        languages.first { $0.tag == tag }?.texts ?? languages.first?.texts ?? LanguageTexts()
    }

    /// Tags of the languages, in the order of the sources. The first is the default.
    package var tags: [String] { languages.map(\.tag) }
    /// All keys; the same in every language.
    package var keys: Set<String> { Set(languages.first?.texts.entries.keys.map(\.self) ?? []) }
}
