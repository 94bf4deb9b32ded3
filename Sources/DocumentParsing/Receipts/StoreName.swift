import Recognition

/// Rates the lines of the head as the name of the store.
enum StoreName {
    /// Returns the median print height of the items; nil if no item was read.
    static func itemHeight(_ lines: [ReadLine]) -> Int? {
        lines.filter { $0.price?.isExact ?? false }.compactMap(height).median
    }

    /// Whether the line can be read as a name: not much smaller than the items, with at least one legible word. Wood
    /// grain, shadows and drawn letters give short words of low confidence.
    static func isReadable(_ line: ReadLine, itemHeight: Int?) -> Bool {
        guard let own = height(line), own * 10 >= 7 * (itemHeight ?? 0) else { return false }
        return line.line.words.contains { word in
            word.confidence >= Confidence.dirt && Set(word.text.lowercased().filter(\.isLetter)).count >= 3
        }
    }

    /// Only lines with a higher score can name a store.
    static let scoreLimit = -6
    /// The deduction from the score of a line below the address.
    static let belowAddress = 8

    /// Returns a score for the line as the store's name. A place near the top, large print, a web address with the same
    /// word and a word for the kind of store raise it. Words of the till, payments, greetings, slogans and the owner's
    /// name lower it.
    ///
    /// - Parameters:
    ///   - rank: number of candidates above the line.
    ///   - itemHeight: the print height of the items; nil if no item was read.
    static func score(_ top: ArraySlice<ReadLine>, _ index: Int, rank: Int, itemHeight: Int?) -> Int {
        let read = top[top.startIndex + index]
        var score = -2 * rank
        if let own = height(read), let itemHeight, itemHeight > 0 {
            if own * 10 >= 15 * itemHeight { score += 2 } else if own * 10 >= 12 * itemHeight { score += 1 }
        }
        let words = read.line.string.lowercased().split { !$0.isLetter && $0 != "." }.map(String.init)
        if words.contains(where: legalForms.contains) { score += 1 }
        // The owner's name: `di Rossi Mario & C. S.n.c.`.
        if words.contains(where: ownerWords.contains) || words.first == "di" { score -= 4 }
        // The street below the name, without its number: `VIA ROMA BOLOGNA`.
        if rank > 0, words.count >= 2,
            StoreReader.streetsInFront.contains(String(words[0].trimmingSuffix { $0 == "." }))
        {
            score -= 4
        }
        if read.has(.trade) || read.has(.storeKind) || words.contains(where: { $0.hasSuffix("markt") }) { score += 1 }
        if words.contains(where: { $0.count >= 4 && isInAddress($0, top) }) { score += 4 }
        let till: [Role] = [
            .payment, .change, .total, .subtotal, .footer, .vatHeader, .count, .weakTotal, .cancelledAlone, .tax,
        ]
        if till.contains(where: { role in read.begins(with: role) && read.roles[role]?.distance == 0 }) { score -= 6 }
        if words.contains(where: greetings.contains) { score -= 5 }
        if isSlogan(withoutSlogan(read.line.string)) { score -= 4 }
        if words.count >= 3 { score -= 2 * min(2, words.count(where: sentenceWords.contains)) }
        if read.line.text.last.map({ "!?".unicodeScalars.contains($0) }) ?? false { score -= 2 }
        if read.line.digitCount > 0 { score -= 1 }
        if read.isDated || read.has(.hours) { score -= 8 }
        let confidence = read.line.words.reduce(0) { $0 + $1.confidence } / max(1, read.line.words.count)
        if confidence < Confidence.dirt { score -= 3 } else if confidence >= Confidence.verySure { score += 1 }
        return score
    }

    /// Whether a register number follows the name: `MERCADONA, S.A.   A-46103834`.
    static func isNumbered(_ line: PrintedLine) -> Bool {
        guard let last = line.words.last?.text, line.words.count >= 2, last.count(where: \.isNumber) >= 5 else {
            return false
        }
        return line.words.dropLast().allSatisfy { !$0.text.contains(where: \.isNumber) }
            && line.words.dropLast().letterCount >= 5
    }

    /// Returns the name without a slogan or number after it: `MERCADONA, S.A.  A-46103834`.
    static func withoutSlogan(_ text: String) -> String {
        var name = text[...]
        if let quote = name.firstIndex(where: { "\"„“”«".contains($0) }),
            name[..<quote].count(where: \.isLetter) >= 4
        {
            name = name[..<quote]
        }
        var words = name.split(separator: " ")
        while words.count > 1, let last = words.last, last.count(where: \.isNumber) >= 5 { words.removeLast() }
        return words.joined(separator: " ")
    }

    /// Whether the text is a slogan, with lowercase words or short sentences: `Frisch. Nah. Gut.`.
    private static func isSlogan(_ text: String) -> Bool {
        let words = text.split(separator: " ").filter { $0.count(where: \.isLetter) >= 3 }
        let small = words.count { word in
            word.first?.isLowercase ?? false && word.count(where: \.isLetter) >= 4 && !word.contains(".")
        }
        let ended = words.count { $0.hasSuffix(".") && $0.dropLast().allSatisfy(\.isLetter) }
        return words.count >= 2 && (small >= 2 || (small == 1 && words.count >= 3) || ended >= 2)
    }

    /// Whether a web or mail address in the head contains the word.
    private static func isInAddress(_ word: String, _ top: ArraySlice<ReadLine>) -> Bool {
        top.contains { read in
            read.line.string.lowercased().split(separator: " ").contains { part in
                (part.contains("www") || part.contains("@") || part.contains(".de") || part.contains(".at"))
                    && part.contains(word) && part.count > word.count
            }
        }
    }

    /// Returns the name in a web address, for heads that do not name the store: `www.hofladen-huber.de`.
    static func inAddress(_ lines: [ReadLine]) -> String? {
        for line in lines {
            for word in line.line.string.lowercased().split(separator: " ") {
                guard let start = word.firstRange(of: "www.")?.upperBound else { continue }
                let parts = word[start...].prefix { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "." }
                    .split(separator: ".")
                guard parts.count >= 2, let ending = parts.last, (2...4).contains(ending.count),
                    case let name = parts[parts.count - 2], name.count(where: \.isLetter) >= 4,
                    !services.contains(where: name.contains)
                else { continue }
                return name.split(separator: "-").map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined(
                    separator: " ")
            }
        }
        return nil
    }

    /// Companies whose web addresses are printed on receipts of many stores.
    private static let services = [
        "payback", "deutschlandcard", "joe-club", "feedback", "umfrage", "survey", "bonus", "facebook", "instagram",
        "google", "paypal", "klarna", "payone", "concardis", "nexi", "sumup", "girocard", "lieferando", "trustpilot",
        "bundes", "finanz",
    ]

    private static let ownerWords: Set<String> = [
        "inh.", "inh", "inhaber", "inhaberin", "geschäftsführer", "fam.", "familie",
    ]
    private static let legalForms: Set<String> = [
        "gmbh", "ohg", "kg", "e.k.", "ek", "ag", "ug", "gbr", "e.u.", "mbh", "ges.m.b.h.", "sarl", "s.r.l.", "srl",
        "ltd", "b.v.", "sp.", "s.a.",
    ]
    private static let greetings: Set<String> = [
        "willkommen", "vielen", "dank", "danke", "kundenbeleg", "kassenbon", "kassenzettel", "rechnung", "quittung",
        "beleg", "duplikat", "bonkopie", "kartenzahlung", "kartenbeleg", "händlerbeleg", "barverkauf",
        "bewirtungsbeleg", "kopie", "thank", "merci", "grazie",
    ]
    /// Words of sentences that are rare in store names.
    private static let sentenceWords: Set<String> = [
        "wir", "fürs", "geld", "leben", "sie", "ihr", "ihre", "ihren", "uns", "unser", "für", "mit", "immer", "ist",
        "sind", "alles", "einfach", "gut", "mehr", "jeden", "tag", "so", "da", "die", "das", "hier", "bei", "aus",
        "der", "einkauf", "besuch", "von", "seit", "you", "your", "for",
    ]

    /// Returns the kind of store if the line holds nothing else: `Gartencenter`.
    static func kind(_ line: ReadLine) -> (text: String, isExact: Bool)? {
        guard let match = line.roles[.storeKind], line.figures.isEmpty, line.price == nil else { return nil }
        let others = line.line.skeletons.indices.filter { !match.words.contains($0) }
        guard others.allSatisfy({ line.line.skeletons[$0].count <= 1 }) else { return nil }
        return (line.line.words[match.words].map(\.text).joined(separator: " "), match.distance == 0)
    }

    /// Joins name and kind of store: `Starkl` below or above `Gartencenter`.
    static func joined(_ kind: String, _ name: String) -> String { name.hasSuffix("-") ? name : kind + " " + name }

    /// Removes single characters in front of the name that are specks: `w Tankstelle Huber`.
    static func withoutSpecks(_ name: String) -> String {
        let words = name.split(separator: " ")
        let specks = words.prefix {
            $0.count == 1 && !($0.first?.isUppercase ?? false) && !($0.first?.isNumber ?? false)
        }
        return specks.isEmpty || words.count - specks.count < 2 ? name : words[specks.count...].joined(separator: " ")
    }

    /// Whether the line is a street with a misread word: `Roserwag 25/27` above `58239 Schwerte`.
    static func isStreet(_ line: ReadLine, above next: ReadLine?) -> Bool {
        guard let next, StoreReader.isTown(next), let last = line.line.words.last?.text else { return false }
        return line.line.words.count > 1 && last.first?.isNumber ?? false
    }

    private static func height(_ line: ReadLine) -> Int? { line.line.words.map(\.box.height).max() }
}
