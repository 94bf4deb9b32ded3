import Recognition
import Wines

extension FuzzCommand {
    /// Reads untrusted wine lists and texts, and searches their wines in an index.
    static let wineTargets: [String: @Sendable ([UInt8]) -> Void] = ["wine-list": wineList, "wine-text": wineText]

    private static let index = WineIndex(
        (0..<200).map { number in
            CatalogueWine(
                producer: ["Château Margaux", "Weingut Keller", "Presqu'île", "Forest Hill"][number % 4],
                name: ["Riesling", "Grand Cru Classé", "Pinot Noir Reserve"][number % 3], vintage: 1990 + number % 30,
                country: "France", region: "Margaux", color: WineColor.allCases[number % 6])
        })

    /// The first two bytes of each word are its horizontal position and its height. A word ends with a blank, a line
    /// with a line feed.
    @Sendable private static func wineList(_ bytes: [UInt8]) {
        let lines = bytes.split(separator: 0x0A).prefix(300).enumerated().map { y, row in
            let words = row.split(separator: 0x20).filter { $0.count > 2 }.map { word in
                let (x, height) = (Int(word[word.startIndex]) * 16, Int(word[word.startIndex + 1]) % 60)
                return RecognizedWord(
                    text: String(decoding: word.dropFirst(2), as: UTF8.self),
                    box: PixelBox(x: x, y: y * 30, width: word.count * 12, height: height), confidence: height + 40)
            }
            return RecognizedLine(words: words)
        }
        let page = RecognizedPage(source: .ocr, width: 4_096, height: 9_000, lines: lines)
        let entries = WineList.read([page, page])
        check(entries.count <= WineList.maximumEntries, "no more entries are returned than allowed")
        for entry in entries.prefix(20) {
            check(entry.prices.allSatisfy { $0.amount > 0 }, "a price is positive")
            check(entry.page == 0 || entry.page == 1, "an entry is on an existing page")
            checkMatches(index.match(entry))
        }
    }

    @Sendable private static func wineText(_ bytes: [UInt8]) {
        let text = String(decoding: bytes, as: UTF8.self)
        check(WineText.key(text).utf8.count <= 4 * WineText.maximumLength, "a key has a limit")
        checkMatches(index.match(text: text))
        let other = WineText.vintage(in: text).flatMap { index.wine(ofVintage: $0, like: 0) }
        check(other.map { (0..<200).contains($0) } ?? true, "another vintage is a wine of the index")
        checkMatches(index.search(text, fuzzy: true, limit: 3))
    }

    private static func checkMatches(_ matches: [WineMatch]) {
        check(matches.count <= 3, "no more matches are returned than requested")
        check(matches.allSatisfy { (0..<200).contains($0.wine) }, "a match is a wine of the index")
        check(matches.allSatisfy { (1...1000).contains($0.confidence) }, "a confidence is between 1 and 1000")
    }
}
