import Foundation
import Testing

/// Compares the texts of the interface with `docs/reference/glossary.md`.
@Suite(.timeLimit(.minutes(5))) struct GlossaryTests {
    /// Texts in which an excluded word has another meaning and is allowed: for each word, the keys of the texts
    /// or the beginnings of the keys.
    private static let exceptions: [String: [String]] = [
        // "Guten Tag", and spending per day.
        "Tag": ["overview.hello", "expenses.per-day", "budgets.per-day"],
        "day": ["expenses.per-day", "budgets.per-day"],
        // An example of a household's name.
        "Familie": ["setup.household-hint"],
        // To join a household.
        "join": ["join.", "invite.lead"],
        // Good light in a kitchen, and bands of wine scores.
        "good": ["overview.step1-how", "scan.camera-hint", "server.wine.band-"],
        // The name of the month for readers in Austria.
        "Jänner": ["server.month.1.at"],
    ]

    /// Column names and date orders that texts quote. They are removed from the texts before the search.
    private static let names = [
        "Name; Price; Category; Shop; Datum", "Tag/Monat/Jahr", "Monat/Tag/Jahr", "day/month/year", "month/day/year",
    ]

    @Test(arguments: ["de", "en"]) func `no text uses a word that the glossary excludes`(language: String) throws {
        let excluded = try Self.excluded(language)
        #expect(excluded.count > 60)
        for (key, text) in try Self.texts(language) {
            let plain = Self.names.reduce(text) { $0.replacing($1, with: "") }
            for word in excluded where try Self.contains(plain, word) {
                let isException = Self.exceptions[word, default: []].contains { key.hasPrefix($0) }
                #expect(isException, "\(key) in \(language).txt says “\(word)”: \(text)")
            }
        }
    }

    @Test func `the glossary has a word in both languages and a list of excluded words for every term`() throws {
        let terms = try Self.rows().filter { $0.count == 5 }
        #expect(terms.count >= 30)
        for term in terms {
            #expect(!term[0].isEmpty && !term[1].isEmpty && !term[3].isEmpty && !term[4].isEmpty, "\(term)")
        }
    }

    @Test func `a text that is one glossary term is the same term in the other language`() throws {
        // A column heading and a tab, which have other words in English.
        let exceptions: Set = ["price.base", "compare.tab"]
        let english = try Dictionary(uniqueKeysWithValues: Self.texts("en").map { ($0.key, $0.text.lowercased()) })
        let texts = try Self.texts("de")
        for term in try Self.rows() where term.count == 5 {
            let (german, words) = (Self.words(term[0]), Self.words(term[1]))
            for (key, text) in texts where german.contains(text.lowercased()) {
                let isSame = english[key].map { words.contains($0) } ?? false
                #expect(isSame || exceptions.contains(key), "\(key) is “\(text)” and “\(english[key] ?? "")”")
            }
        }
    }

    @Test func `finds whole words of the glossary, in capitals and with any ending where the glossary allows it`()
        throws
    {
        for (text, word, isFound) in [
            ("Beleg übernehmen", "übernehm…", true), ("Übernehmen", "übernehm…", true),
            ("Das waren alle", "Waren", false),
            ("Warenkorb", "Waren", false), ("zwei Waren.", "Waren", true), ("a daily price", "day", false),
            ("What day?", "day", true), ("the base price", "base price", true),
        ] { #expect(try Self.contains(text, word) == isFound, "\(word) in \(text)") }
    }

    @Test func `templates contain no words except some names, units and keys`() throws {
        let allowed: Set = [
            "AllesTeurer", "iPhone", "iPad", "Android", "Deutsch", "English", "kg", "g", "l", "ml", "m", "Enter", "Alt",
            "s", "b", "p",
        ]
        for file in Project.files(in: "Views", ending: ".html") where !file.hasPrefix("Views/styleguide/") {
            let template = try Project.text(file)
            let labels = template.matches(of: #/(?:aria-label|placeholder|title|alt)="[^"{]*\p{L}[^"]*"/#)
            #expect(labels.map { String($0.output) } == [], "\(file)")
            // Blocks of the layout whose content becomes an attribute are not displayed as text.
            let shownText = template.replacing(#/\{\{\$(at[A-Z]\w*|bodyClass|changes)\}\}.*?\{\{\/\1\}\}/#, with: " ")
                .replacing(#/<(script|pre|code)\b.*?<\/\1>/#.dotMatchesNewlines(), with: " ")
                .replacing(#/\{\{.*?\}\}/#, with: " ").replacing(#/<[^>]*>/#, with: "\n")
            let words = shownText.matches(of: #/[\p{L}]+/#).map { String($0.output) }.filter { !allowed.contains($0) }
            #expect(words == [], "\(file)")
        }
    }

    // MARK: Reading the glossary

    private static func rows() throws -> [[String]] {
        try Project.text("docs/reference/glossary.md").split(separator: "\n")
            .filter { $0.hasPrefix("| ") && !$0.hasPrefix("| German ") }
            .map { line in
                line.dropFirst().dropLast().split(separator: "|", omittingEmptySubsequences: false)
                    .map { $0.trimmingCharacters(in: .whitespaces) }
            }
    }

    /// The words of one cell in lower case.
    private static func words(_ cell: String) -> Set<String> {
        Set(cell.lowercased().split { ",;".contains($0) }.map { $0.trimmingCharacters(in: .whitespaces) })
    }

    /// Returns the words that the glossary excludes for a language, from the last two columns of its table.
    private static func excluded(_ language: String) throws -> Set<String> {
        let columns = try rows().map { $0.suffix(2) }
        let cells = columns.compactMap { language == "de" ? $0.first : $0.last }
        return Set(cells.flatMap { $0.split(separator: ", ").map(String.init) })
    }

    private static func texts(_ language: String) throws -> [(key: String, text: String)] {
        try Project.text("Views/texts/\(language).txt").split(separator: "\n").compactMap {
            line -> (key: String, text: String)? in
            guard let match = line.firstMatch(of: #/^([A-Za-z0-9._-]+) = (.*)$/#) else { return nil }
            return (String(match.output.1), String(match.output.2.replacing(#/\{\{.*?\}\}/#, with: "")))
        }
    }

    /// Finds whole words. `…` at the end of `word` matches any ending. A lower-case word also matches capitals.
    private static func contains(_ text: String, _ word: String) throws -> Bool {
        let letters = word.hasSuffix("…") ? String(word.dropLast()) : word
        // Most texts do not contain the letters. Without this check, the regular expressions for all texts and words
        // take two minutes.
        guard text.lowercased().contains(letters.lowercased()) else { return false }
        let stem = NSRegularExpression.escapedPattern(for: letters)
        let end = word.hasSuffix("…") ? "" : "(?![\\p{L}])"
        let ignoresCase = word.first?.isLowercase == true
        let pattern = try NSRegularExpression(
            pattern: "(?<![\\p{L}])" + stem + end, options: ignoresCase ? [.caseInsensitive] : [])
        return pattern.firstMatch(in: text, range: NSRange(text.startIndex..., in: text)) != nil
    }
}
