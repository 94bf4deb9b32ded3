/// Corrects printed words that differ from a known word in one letter.
struct RepairedWords {
    /// Minimum length of corrected words in bytes. Shorter words are similar to too many others.
    private static let minimumLength = 7

    /// Known words by their length in bytes.
    private static let known: [Int: [[UInt8]]] = {
        let sets = [
            PaperWords.paid, PaperWords.finalAmount, PaperWords.parts, PaperWords.payments, PaperWords.change,
            PaperWords.tips,
            PaperWords.issued, PaperWords.used, PaperWords.ordered, PaperWords.otherDays, PaperWords.dues,
        ]
        let ofKinds = PaperKind.allCases.flatMap { $0.words.map(\.0) }
        let words = Set(sets.map(\.whole).joined()).union(ofKinds).filter {
            $0.utf8.count >= minimumLength && !$0.hasSuffix("*")
        }
        return Dictionary(grouping: words.sorted().map { Array($0.utf8) }, by: \.count)
    }()

    /// The results for the words so far.
    private var results: [String: String] = [:]

    /// Returns the known word that differs from the printed one in one letter; otherwise the printed one.
    mutating func word(_ printed: String) -> String {
        guard (Self.minimumLength...24).contains(printed.utf8.count) else { return printed }
        if let known = results[printed] { return known }
        let letters = Array(printed.utf8)
        var corrected = printed
        if !(Self.known[letters.count] ?? []).contains(letters) {
            for length in [letters.count, letters.count + 1, letters.count - 1] {
                guard
                    let word = Self.known[length]?.first(where: {
                        Skeleton.distance(letters[...], $0[...], limit: 1) == 1
                    })
                else { continue }
                corrected = String(decoding: word, as: UTF8.self)
                break
            }
        }
        results[printed] = corrected
        return corrected
    }
}
