import Domain
import Recognition

/// Damages a recognised page as poor print and poor recognition do, one error at a time.
package enum Damage {
    /// Damages the first page that has lines, and returns a description; empty if nothing was changed.
    package static func apply(to document: inout RecognizedDocument, _ random: inout SplitMix64) -> String {
        guard let page = document.pages.indices.first(where: { !document.pages[$0].lines.isEmpty }) else { return "" }
        let count = document.pages[page].lines.count
        let row = Int(random.next() % UInt64(count))
        let words = document.pages[page].lines[row].words
        guard !words.isEmpty else { return "" }
        let column = Int(random.next() % UInt64(words.count))
        switch random.next() % 16 {
        case 0:
            document.pages[page].lines.remove(at: row)
            return "line lost: \(words.map(\.text))"
        case 1:
            document.pages[page].lines[row].words.remove(at: column)
            if words.count == 1 { document.pages[page].lines.remove(at: row) }
            return "word lost: \(words[column].text)"
        case 2:
            document.pages[page].lines.insert(document.pages[page].lines[row], at: row)
            return "line repeated: \(words.map(\.text))"
        case 3:
            guard column + 1 < words.count else { return "" }
            let other = words[column + 1]
            document.pages[page].lines[row].words[column].text += other.text
            document.pages[page].lines[row].words[column].box = words[column].box.union(other.box)
            document.pages[page].lines[row].words.remove(at: column + 1)
            return "words joined: \(words[column].text) \(other.text)"
        case 4:
            guard row + 1 < count else { return "" }
            document.pages[page].lines[row].words += document.pages[page].lines[row + 1].words
            document.pages[page].lines.remove(at: row + 1)
            return "lines joined: \(words.map(\.text))"
        case 5: return replaceDigit(&document.pages[page], &random)
        case 6: return cutMargin(&document.pages[page], &random)
        default: return damageFigure(&document.pages[page], &random)
        }
    }

    /// Replaces a digit by another one on the whole page, or in about half of its words.
    private static func replaceDigit(_ page: inout RecognizedPage, _ random: inout SplitMix64) -> String {
        let pairs: [(Character, Character)] = [
            ("0", "8"), ("0", "9"), ("8", "0"), ("1", "7"), ("7", "1"), ("3", "8"), ("5", "6"), ("6", "5"), ("0", "6"),
        ]
        let (from, to) = pairs[Int(random.next() % UInt64(pairs.count))]
        let isEverywhere = random.next() % 2 == 0
        for line in page.lines.indices {
            for word in page.lines[line].words.indices where isEverywhere || random.next() % 2 == 0 {
                page.lines[line].words[word].text = String(
                    page.lines[line].words[word].text.map { $0 == from ? to : $0 })
            }
        }
        return "\(from) read as \(to)\(isEverywhere ? "" : " on half of the words")"
    }

    /// Removes some lines at the upper or lower end, as on a photo that does not show the whole receipt.
    private static func cutMargin(_ page: inout RecognizedPage, _ random: inout SplitMix64) -> String {
        let count = Int(random.next() % UInt64(max(1, page.lines.count / 2)))
        if random.next() % 2 == 0 {
            page.lines.removeFirst(count)
            return "first \(count) lines cut"
        }
        page.lines.removeLast(count)
        return "last \(count) lines cut"
    }

    private static func damageFigure(_ page: inout RecognizedPage, _ random: inout SplitMix64) -> String {
        let places = page.lines.indices.flatMap { line in page.lines[line].words.indices.map { (line, $0) } }
            .filter { page.lines[$0.0].words[$0.1].text.contains(where: \.isNumber) }
        guard !places.isEmpty else { return "" }
        let (line, index) = places[Int(random.next() % UInt64(places.count))]
        var characters = Array(page.lines[line].words[index].text)
        let digits = characters.indices.filter { characters[$0].isNumber }
        let place = digits[Int(random.next() % UInt64(digits.count))]
        let originalText = String(characters)
        switch random.next() % 8 {
        case 0: characters.remove(at: place)
        case 1: characters.insert(Character(String(random.next() % 10)), at: place)
        case 2: characters[place] = ["O", "l", "S", "B", "Z"][Int(random.next() % 5)]
        case 3: characters.removeAll { $0 == "," || $0 == "." || $0 == "-" }
        case 4: characters.insert("-", at: random.next() % 2 == 0 ? 0 : characters.count)
        case 5:
            let other = digits[Int(random.next() % UInt64(digits.count))]
            characters.swapAt(place, other)
        default: characters[place] = Character(String(random.next() % 10))
        }
        page.lines[line].words[index].text = String(characters)
        if characters.isEmpty { page.lines[line].words.remove(at: index) }
        return "\(originalText) → \(String(characters))"
    }
}
