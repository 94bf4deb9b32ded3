import Domain
import Recognition

/// Determines the kind of a line item from its key words and its sign.
enum KindReader {
    /// Sets the kind of an item, and whether the kind is doubtful.
    ///
    /// - Parameter isTakenBack: the line above announces a cancellation.
    static func setKind(_ item: inout DraftItem, _ line: ReadLine, isTakenBack: Bool = false) {
        let value = item.value ?? 0
        let unitPrice = (item.quantity?.phrase ?? line.quantity)?.unitPrice.map { $0 / 1_000 } ?? value
        item.isVoid = line.has(.void) || isTakenBack
        if let match = line.roles[.depositReturn], match.distance <= line.roles[.deposit]?.distance ?? .max {
            decideReturn(&item, line, match, unitPrice)
        } else if let match = line.roles[.deposit], !isSoldWithDeposit(line) {
            decideDeposit(&item, line, match, unitPrice)
        } else if isGluedDeposit(line), line.roles[.noDeposit] == nil {
            item.kind = value < 0 ? .depositReturn : .deposit
        } else if let match = line.roles[.weakDeposit], match.distance == 0,
            case let classification = DepositName(line, match).classificationOfWeakWord(unitPrice),
            classification != .item
        {
            // `EINSATZ 0,25`, `Mehrweg 0,15`, but not `FILTER EINSATZ 14,99`.
            item.kind = value < 0 ? .depositReturn : .deposit
            item.isKindDoubtful = classification == .doubtful
        } else if line.begins(with: .rounding), abs(value) <= TailReader.maximumRounding {
            item.kind = .rounding
        } else if let match = line.roles[.coupon], value < 0 || item.value == 0 {
            item.kind = .coupon
            item.isKindDoubtful = match.distance > 1 || isFree(item, line, .coupon)
        } else if let match = line.roles[.discount], value < 0 || item.value == 0 {
            item.kind = .discount
            item.isKindDoubtful = match.distance > 1 || isFree(item, line, .discount)
        } else if value < 0, !item.isVoid, line.figures.contains(where: \.isPercent) {
            item.kind = .discount
        } else if value < 0 {
            item.kind = item.isVoid ? .item : .discount
            item.isKindDoubtful = true
            // Dirt between amount and class looks like a trailing minus sign: `3,99-E`.
            if !item.isVoid { item.price.candidates.append(.init(value: -value, source: .sign)) }
        } else {
            item.kind = .item
            // A reduction may be printed without a sign. The sum decides later.
            if [Role.coupon, .discount].contains(where: { line.roles[$0]?.distance == 0 }), value > 0 {
                item.price.candidates.append(.init(value: -value, source: .sign))
            }
            item.isKindDoubtful = item.isVoid || (DepositLexicon.contains(value) && isIllegible(line))
        }
    }

    /// Whether the line may be an item that costs nothing, `Sticker gratis  0,00`, and not a reduction of 0.
    private static func isFree(_ item: DraftItem, _ line: ReadLine, _ role: Role) -> Bool {
        item.value == 0 && !line.begins(with: role)
    }

    /// Decides about a line with a word such as `LEERGUT`.
    private static func decideReturn(
        _ item: inout DraftItem, _ line: ReadLine, _ match: PhraseMatch, _ unitPrice: Int64
    ) {
        let value = item.value ?? 0
        let name = DepositName(line, match)
        guard !name.isReturnedItem(unitPrice) else {
            item.kind = .item
            item.isKindDoubtful = true
            return
        }
        let isItem =
            name.classificationOfReturn(unitPrice) == .item || (value > 0 && name.mayBePackaging)
        item.kind = .depositReturn
        item.isKindDoubtful = match.distance > 1 || (isItem && value < 0)
        guard value > 0 else { return }
        // `LEERD CARACTERE`, similar to `Leergut`, is an item if its amount is positive.
        if match.distance > 0 || isItem { item.kind = .item }
        // The minus sign may be lost, in print or in reading. The sum decides later.
        item.price.candidates.append(.init(value: -value, source: .sign))
    }

    /// Decides about a line with a word such as `PFAND`.
    private static func decideDeposit(
        _ item: inout DraftItem, _ line: ReadLine, _ match: PhraseMatch, _ unitPrice: Int64
    ) {
        let value = item.value ?? 0
        item.kind = value < 0 ? .depositReturn : .deposit
        let isOther = isOtherWord(line)
        let classification = DepositName(line, match).classification(unitPrice)
        item.isKindDoubtful =
            match.distance > 0 || (isOther && DepositLexicon.contains(value)) || classification == .doubtful
            || (classification == .item && (value < 0 || DepositLexicon.contains(unitPrice)))
        // `Pfanne`, one letter from `Pfand`, and `PFANDL BERGSALZ` are items.
        if match.distance > 0 || isOther, !DepositLexicon.contains(value) { item.kind = .item }
        if classification == .item, value >= 0 { item.kind = .item }
    }

    /// Whether the line is an item sold with its deposit, `COLA M.PFAND`. In `M Pfand 0,15` the first letter is dirt.
    private static func isSoldWithDeposit(_ line: ReadLine) -> Bool {
        guard let match = line.roles[.noDeposit], match.distance == 0 else { return false }
        let before = line.line.words[..<match.words.lowerBound]
        func isWord(_ word: RecognizedWord) -> Bool { word.text.count(where: \.isLetter) > 1 }
        return before.contains(where: isWord)
            || line.line.words[match.words].contains { isWord($0) && !$0.text.uppercased().hasSuffix("PFAND") }
    }

    /// Decides again after a count was read from a separate line: the amount of one piece may be a deposit.
    static func setKindAfterCount(_ item: inout DraftItem, _ line: ReadLine) {
        guard item.quantity?.origin == .ownLine, item.quantity?.phrase.unit == .piece,
            line.has(.depositReturn) ? item.isKindDoubtful : line.has(.deposit) || line.has(.weakDeposit)
        else { return }
        setKind(&item, line, isTakenBack: item.isVoid)
    }

    /// Whether the line's words only begin like the word for deposits: `PFANDL BERGSALZ`, `Pfandflaschensack`.
    private static func isOtherWord(_ line: ReadLine) -> Bool {
        let known = [
            "ART", "FLASCH", "KIST", "DOSE", "KAST", "KÄST", "GELD", "WERT", "BETR", "GEB", "EIN", "MEHR", "EW", "MW",
            "GLAS", "GLÄS", "BECH", "SUM", "PET", "TR", "RÜCK", "RUECK", "RUCK", "BON", "GUT", "PFLICH", "POS", "S",
        ]
        let words = line.line.string(line.nameRange).uppercased().split { !$0.isLetter }
        let deposits = words.filter { $0.contains("PFAND") }
        return !deposits.isEmpty
            && deposits.allSatisfy { word in
                guard word.hasPrefix("PFAND") else { return false }
                let rest = word.dropFirst(5)
                if ["SACK", "BEUTEL", "TASCHE", "LEIHE"].contains(where: rest.hasSuffix) { return true }
                return !rest.isEmpty && !known.contains(where: rest.hasPrefix)
            }
    }

    /// Whether the deposit word touches its amount: `EW-PFAND0,50`.
    private static func isGluedDeposit(_ line: ReadLine) -> Bool {
        guard let price = line.price, price.value.map(DepositLexicon.contains) ?? false else { return false }
        return line.line.string(0..<price.range.lowerBound).uppercased().hasSuffix("PFAND")
    }

    /// Whether no word of the name was read well enough to decide the kind.
    private static func isIllegible(_ line: ReadLine) -> Bool {
        let words = Set(line.nameRange.map { line.line.wordAt[$0] }).map { line.line.words[$0] }
        return !words.contains { $0.confidence >= Confidence.dirt && $0.text.count(where: \.isLetter) >= 4 }
            && words.filter { $0.confidence >= Confidence.clear && $0.text.count(where: \.isLetter) >= 3 }.count < 2
    }
}
