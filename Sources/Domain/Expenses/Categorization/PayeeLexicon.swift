/// Payees of Austria, Germany and Switzerland with their categories, from `payees.txt`.
package struct PayeeLexicon: CategorizationProvider {
    package struct Entry: Hashable, Sendable {
        /// The usual spelling.
        package let name: String
        /// A key of `CategoryTemplate`.
        package let category: String
    }

    /// The entries by folded name.
    private let entries: [String: Entry]
    /// The number of words of the longest name.
    private let longest: Int

    package static let shared = PayeeLexicon(
        reading: String(decoding: PackageResources.payees_txt, as: UTF8.self))

    /// Reads `category: Name, Name, …` lines; `#` begins a comment. Later lines replace earlier ones.
    init(reading text: String) {
        var entries: [String: Entry] = [:]
        for (category, names) in LexiconText.lines(text) {
            for name in names {
                entries[FoldedWords.words(name).joined(separator: " ")] = Entry(name: name, category: category)
            }
        }
        self.entries = entries
        longest = entries.keys.map { $0.split(separator: " ").count }.max() ?? 0
    }

    package var all: some Collection<Entry> { entries.values }

    /// The entry with a name that occurs in the words; the longest name if there are several.
    package func entry(in words: [String]) -> Entry? {
        for count in stride(from: min(longest, words.count), to: 0, by: -1) {
            for start in 0...(words.count - count) {
                if let entry = entries[words[start..<start + count].joined(separator: " ")] { return entry }
            }
        }
        return nil
    }

    /// The entry at the beginning of the text; the longest name if there are several.
    package func beginning(_ text: some StringProtocol) -> Entry? {
        let words = FoldedWords.words(text)
        for count in stride(from: min(longest, words.count), to: 0, by: -1) {
            if let entry = entries[words[..<count].joined(separator: " ")] { return entry }
        }
        return nil
    }

    package func suggestion(for expense: ExpenseText) -> CategorySuggestion? {
        Self.suggestion(entry(in: expense.words))
    }

    fileprivate static func suggestion(_ entry: Entry?) -> CategorySuggestion? {
        entry.map { CategorySuggestion(category: .builtIn($0.category), payee: $0.name, reason: .payee($0.name)) }
    }
}

/// Suggests the category of the lexicon entry at the beginning of the expense's payee. Later words do not count:
/// `Zum Goldenen Anker` is not a branch of the bakery `Anker`. If the expense has no payee, its whole text is searched.
struct LeadingPayee: CategorizationProvider {
    func suggestion(for expense: ExpenseText) -> CategorySuggestion? {
        let lexicon = PayeeLexicon.shared
        guard !expense.payee.isEmpty else { return lexicon.suggestion(for: expense) }
        return PayeeLexicon.suggestion(lexicon.beginning(expense.payee))
    }
}

/// The format of the lexicon files.
enum LexiconText {
    static func lines(_ text: String) -> [(category: String, words: [String])] {
        text.split(separator: "\n").compactMap { line in
            guard !line.hasPrefix("#"), let colon = line.firstIndex(of: ":") else { return nil }
            let words = line[line.index(after: colon)...].split(separator: ",").map { word in
                String(word.drop { $0 == " " })
            }
            return (String(line[..<colon]), words.filter { !$0.isEmpty })
        }
    }
}
