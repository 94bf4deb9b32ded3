import Domain
import Recognition

/// Reads chain, name, street, town and VAT number of the store.
struct StoreReader {
    private(set) var chain: ChainFacts.Chain?
    private(set) var store = ParsedReceipt.Store()
    private var headName: String?

    init(_ lines: [ReadLine], head: Range<Int>, facts: ChainFacts, codes: [RecognizedCode]) {
        store.vatNumber = lines.lazy.compactMap { Self.vatNumber($0.line.text) }.first
        let name = readAddress(lines, head: head)
        chain = ChainFinder(lines, head: head, name: name.map { lines[$0] }, facts: facts, codes: codes).chain
        if headName == nil, chain == nil { headName = StoreName.inAddress(lines) }
        store.name = headName ?? chain?.name
    }

    var chainName: String? { chain?.name ?? headName }

    /// - Returns: the index of the line that names the store.
    private mutating func readAddress(_ lines: [ReadLine], head: Range<Int>) -> Int? {
        var name: Int?
        var kind: (line: Int, text: String, isExact: Bool)?
        var candidates: [(line: Int, text: String, score: Int)] = []
        let itemHeight = StoreName.itemHeight(lines)
        let top = lines[..<min(lines.count, max(head.upperBound, 1))].prefix(16)
        for (index, read) in top.enumerated() {
            let text = Self.trimmed(read.line.string)
            if store.town == nil, let found = Self.town(text) {
                store.postalCode = found.code
                store.town = found.town
                if store.street == nil, let street = found.street { store.street = street }
                if store.street == nil, index > 0 {
                    let above = Self.trimmed(top[top.startIndex + index - 1].line.string)
                    if above.contains(where: \.isNumber) { store.street = above }
                }
            }
            if store.street == nil, Self.isStreet(text) { store.street = text }
            let isAboveAddress = store.street == nil && store.town == nil
            if read.line.letterCount >= 3, read.price?.value == nil,
                StoreName.isReadable(read, itemHeight: itemHeight),
                !read.begins(with: .header), !read.has(.slip), !Self.isColumnHeader(read),
                read.line.letterCount * 2 >= read.line.text.count || StoreName.isNumbered(read.line)
            {
                if let found = StoreName.kind(read) {
                    if kind == nil, isAboveAddress { kind = (index, found.text, found.isExact) }
                } else if !StoreName.isStreet(read, above: top.dropFirst(index + 1).first), !Self.holdsAddress(read) {
                    let score = StoreName.score(top, index, rank: candidates.count, itemHeight: itemHeight)
                    candidates.append(
                        (index, StoreName.withoutSlogan(text), score - (isAboveAddress ? 0 : StoreName.belowAddress)))
                }
            }
        }
        // Of lines with equal scores, the upper line is chosen.
        if let best = candidates.max(by: { ($0.score, $1.line) < ($1.score, $0.line) }),
            best.score > StoreName.scoreLimit
        {
            headName = StoreName.withoutSpecks(best.text)
            name = best.line
        }
        if let kind {
            if let own = headName, let line = name, abs(line - kind.line) <= 2 {
                // A misread kind of store (`Gartencenter`) is not added to the name.
                if kind.isExact { headName = StoreName.joined(kind.text, own) }
            } else if headName == nil {
                headName = kind.text
                name = kind.line
            }
        }
        return name
    }

    /// Whether a line holds a postal code and a town.
    static func isTown(_ line: ReadLine) -> Bool { town(trimmed(line.line.string)) != nil }

    /// Whether the line holds a street, a town with its postal code, or a British postal code at its end.
    static func holdsAddress(_ line: ReadLine) -> Bool {
        let text = trimmed(line.line.string)
        if isStreet(text) || town(text) != nil { return true }
        let words = text.uppercased().split(separator: " ").suffix(2)
        guard words.count == 2, let area = words.first, let place = words.last else { return false }
        return (2...4).contains(area.count) && area.first?.isLetter ?? false && area.contains(where: \.isNumber)
            && place.count == 3 && place.first?.isNumber ?? false && place.dropFirst().allSatisfy(\.isLetter)
    }

    /// Whether a line above the first item is a postal code with a town, or the street above it.
    static func isAddress(_ index: Int, _ lines: [ReadLine], above firstItem: Int) -> Bool {
        guard index < firstItem, lines[index].quantity == nil, lines[index].amounts.isEmpty else { return false }
        if isTown(lines[index]) { return true }
        return isStreet(lines[index].line.string) && lines[(index + 1)..<firstItem].prefix(2).contains(where: isTown)
    }

    /// Whether the line holds only the header of a column: `EUR`, `Preis EUR`.
    private static func isColumnHeader(_ line: ReadLine) -> Bool {
        line.roles[.columnHeader].map { $0.distance == 0 && line.line.characters(outside: $0) == 0 } ?? false
    }

    static func isStreet(_ text: String) -> Bool {
        let lower = text.lowercased()
        guard text.contains(where: \.isNumber), text.count(where: \.isLetter) >= 4 else { return false }
        let words = lower.split { !$0.isLetter && $0 != "/" }.map(String.init)
        // Other languages put the word for a street before the name (`rue X`) or after it as a separate word.
        if let first = words.first(where: { $0.count > 1 }), streetsInFront.contains(first) { return true }
        if words.dropFirst().contains(where: streetsAfterName.contains) { return true }
        return [
            "str", "weg", "platz", "allee", "gasse", "straße", "ring", "damm", "markt ", "ufer", "chaussee", "zeile",
            "straat", "laan", "plein", "gracht",
        ].contains { lower.contains($0) }
    }

    static let streetsInFront: Set<String> = [
        "rue", "avenue", "av", "ave", "bd", "bld", "boulevard", "place", "route", "chemin", "quai", "via", "viale",
        "corso", "piazza", "piazzale", "largo", "ul", "al", "aleja", "aleje", "os", "calle", "c/", "avda", "avenida",
        "plaza", "strada", "calea", "bulevardul", "rua", "unit",
    ]
    private static let streetsAfterName: Set<String> = ["street", "road", "lane", "avenue", "drive", "square"]

    /// Returns postal code, town, and the street on the same line: `1010 Wien`, `Rathstr. 3, 58239 Schwerte`.
    private static func town(_ text: String) -> (code: String, town: String, street: String?)? {
        let words = text.split(separator: " ").map(String.init)
        for (index, word) in words.enumerated() {
            let country = ["A-", "D-", "CH-"].first(where: word.hasPrefix)
            var code = String(word.dropFirst(country?.count ?? 0))
            // A Polish postal code: `61-001 Poznań`.
            if code.utf8.count == 6, code.dropFirst(2).first == "-" {
                code.remove(at: code.index(code.startIndex, offsetBy: 2))
            }
            guard code.isNumber(4...5) else { continue }
            let rest = words[(index + 1)...].joined(separator: " ")
            let before = words[..<index].joined(separator: " ")
            let street = before.isEmpty ? nil : String(before.trimmingSuffix { $0 == "," || $0 == " " })
            guard rest.count(where: \.isLetter) >= 3 || (rest.isEmpty && street != nil && code.utf8.count == 5) else {
                continue
            }
            return (code, rest, street.flatMap { isStreet($0) ? $0 : nil })
        }
        return nil
    }

    private static func trimmed(_ text: String) -> String {
        let body = text.drop { !$0.isLetter && !$0.isNumber }
        return String(body.trimmingSuffix { !$0.isLetter && !$0.isNumber && $0 != "." && $0 != ")" })
    }

    /// Returns a German or Austrian VAT number without spaces: `DE812706034`, `ATU37161204`.
    private static func vatNumber(_ text: [Unicode.Scalar]) -> String? {
        let packed = text.filter { $0 != " " }
        for start in packed.indices {
            for (prefix, length) in [("DE", 9), ("ATU", 8)] where packed[start...].starts(with: prefix.unicodeScalars) {
                let digits = packed[start...].dropFirst(prefix.utf8.count).prefix(while: \.isDigit)
                if digits.count == length { return prefix + PrintedLine.string(digits) }
            }
        }
        return nil
    }
}
