import Domain
import Recognition

/// What was read when doubtful places were read once more.
struct SecondReadings {
    private let answers: [RereadAnswer]

    init(_ answers: [RereadAnswer]) { self.answers = Array(answers.prefix(4 * ReceiptParser.mostRereads)) }

    private func texts(at place: Place) -> [String] {
        guard let box = place.box else { return [] }
        return answers.filter {
            $0.request.page == place.page && Self.covers($0.request.box, box)
        }
        .flatMap { $0.readings.prefix(4).map { $0.text.replacing("_", with: " ") } }
    }

    /// Amounts a second reading gives for a price cell, best first.
    func amounts(at place: Place) -> [PriceCell.Candidate] {
        texts(at: place).compactMap(Self.amount).map { PriceCell.Candidate(value: $0, source: .reread) }
    }

    private static func amount(_ text: String) -> Int64? {
        FigureScanner.figures(in: Array(text.unicodeScalars.prefix(40))).last?.amount
    }

    /// Quantity phrases that the second look at a quantity line shows, the most certain first.
    private func phrases(at quantity: DraftQuantity) -> [(phrase: QuantityPhrase, confidence: Int)] {
        guard let box = (quantity.linePlace ?? quantity.place).box else { return [] }
        return answers.filter {
            $0.request.alphabet == .text && $0.request.page == quantity.place.page
                && Self.covers($0.request.box, box)
        }.flatMap { answer in
            answer.readings.prefix(4).compactMap { word in
                let scalars = Array(word.text.unicodeScalars.prefix(PrintedLine.longest)).map { $0 == "_" ? " " : $0 }
                return QuantityScanner.phrase(in: scalars, figures: FigureScanner.figures(in: scalars))
                    .map { ($0, word.confidence) }
            }
        }
    }

    /// Takes the second reading of a quantity line where it makes the item's total and the first does not.
    func correctQuantity(_ item: inout DraftItem) {
        guard let quantity = item.quantity, let value = item.value else { return }
        func fits(_ phrase: QuantityPhrase) -> Bool {
            guard let product = phrase.product else { return false }
            return product.magnitude.distance(to: value.magnitude).magnitude <= (phrase.unit == .piece ? 0 : 1)
        }
        guard !fits(quantity.phrase) || quantity.isDerived,
            let better = phrases(at: quantity).first(where: {
                fits($0.phrase) && $0.phrase.unit == quantity.phrase.unit
            })
        else { return }
        // Its places are those of the first reading.
        var corrected = quantity
        corrected.phrase.quantity = better.phrase.quantity
        corrected.phrase.unitPrice = better.phrase.unitPrice
        corrected.isDerived = false
        corrected.isConfirmed = better.confidence >= 60
        corrected.repair = Repair(
            printed: quantity.phrase.text, value: corrected.phrase.text, reason: .reread)
        item.quantity = corrected
    }

    /// The second reading of quantity and unit price shows the same figures.
    func confirmQuantity(_ item: inout DraftItem) {
        guard let quantity = item.quantity, !quantity.isConfirmed else { return }
        let found = phrases(at: quantity)
        guard let unitPrice = quantity.phrase.unitPrice else {
            // A weight without a price has no product to check it: it has to be read twice without any other reading.
            let isSure = found.count >= 2 || found.contains { $0.confidence >= 60 } || quantity.place.confidence >= 85
            item.quantity?.isConfirmed =
                isSure && !found.isEmpty && found.allSatisfy { $0.phrase.quantity == quantity.phrase.quantity }
            return
        }
        if found.contains(where: {
            $0.phrase.quantity == quantity.phrase.quantity && $0.phrase.unitPrice.map(abs) == abs(unitPrice)
        }) {
            item.quantity?.isConfirmed = true
            return
        }
        // Each of count and unit price was read in one of the two looks, and their product is the total.
        guard quantity.phrase.unit == .piece, !quantity.isDerived, !found.isEmpty, let value = item.value,
            quantity.phrase.product?.magnitude == value.magnitude
        else { return }
        let all = [quantity.read ?? quantity.phrase] + found.map(\.phrase)
        item.quantity?.isConfirmed =
            all.contains { $0.quantity == quantity.phrase.quantity }
            && all.contains { $0.unitPrice.map(abs) == abs(unitPrice) }
    }

    /// A second look at a line that says nothing shows nothing that could be a quantity either.
    func showsNoFigure(on line: PrintedLine) -> Bool {
        let place = Place(page: line.page, box: line.box, confidence: 0)
        let seen = textsWorthBelieving(at: place)
        // A speck that was taken for a sign; what is read of it twice is print.
        if line.letterCount + line.digitCount <= 1 { return showsNothing(at: place) }
        return !seen.isEmpty
            && seen.allSatisfy {
                !$0.contains(where: \.isNumber) && !HiddenQuantity.namesUnit(Array($0.unicodeScalars)[...])
            }
    }

    /// Readings of a place, without what was read with next to no certainty beside a certain one: of dirt at the paper's
    /// edge one of several looks may make a digit.
    private func textsWorthBelieving(at place: Place) -> [String] {
        guard let box = place.box else { return [] }
        let found = answers.filter { $0.request.page == place.page && Self.covers($0.request.box, box) }
            .flatMap { $0.readings.prefix(4) }
        let isClear = found.contains { $0.confidence >= 80 && $0.text.count <= 3 }
        return found.filter { !isClear || $0.confidence >= 20 }.map { $0.text.replacing("_", with: " ") }
    }

    /// The place was looked at again and no figure is there; what the engine makes up of specks is no figure.
    func showsNothing(at place: Place) -> Bool {
        guard let box = place.box else { return false }
        let found = answers.filter {
            $0.request.page == place.page && Self.covers($0.request.box, box) && $0.request.alphabet == .text
        }
        return !found.isEmpty
            && found.allSatisfy { answer in
                answer.readings.allSatisfy { word in
                    (word.confidence < 50 && !Self.resemblesQuantity(word.text))
                        || (!word.text.unicodeScalars.contains(where: \.isDigit)
                            && word.text.count(where: \.isLetter) <= 2
                            && !HiddenQuantity.namesUnit(Array(word.text.unicodeScalars)[...]))
                }
            }
    }

    /// `2 x 2.18`, `2x8`: a few signs in the form of a quantity. Blank paper gives long rows of letters and dashes, or a lone
    /// digit, however little was certain.
    private static func resemblesQuantity(_ text: String) -> Bool {
        let signs = Array(text.unicodeScalars.prefix(40)).filter { $0 != " " }
        guard signs.count <= 24, text.count(where: \.isLetter) <= 5 else { return false }
        if FigureScanner.figures(in: signs).contains(where: { $0.amount != nil }) { return true }
        return zip(signs, signs.dropFirst()).contains { $0.isDigit && "xX×*".unicodeScalars.contains($1) }
    }

    /// The document with the quantity lines that a second look found between its lines, or where nothing was understood.
    func completed(_ document: RecognizedDocument) -> RecognizedDocument {
        var document = document
        for answer in answers where answer.request.alphabet == .text {
            let request = answer.request
            guard document.pages.indices.contains(request.page), let best = answer.readings.first,
                best.confidence >= 60
            else { continue }
            let scalars = Array(best.text.unicodeScalars.prefix(PrintedLine.longest))
            let figures = FigureScanner.figures(in: scalars)
            guard QuantityScanner.phrase(in: scalars, figures: figures) != nil else { continue }
            let word = RecognizedWord(text: best.text, box: request.box, confidence: best.confidence)
            let lines = document.pages[request.page].lines
            if isBetweenLines(request.box, document.pages[request.page]) {
                let index = lines.firstIndex { ($0.words.first?.box.y ?? 0) > request.box.y } ?? lines.count
                document.pages[request.page].lines.insert(RecognizedLine(words: [word]), at: index)
            } else if let index = lines.firstIndex(where: { Self.isRead(by: request, $0) }),
                !Self.saysQuantity(lines[index])
            {
                document.pages[request.page].lines[index].words = [word]
            }
        }
        return document
    }

    /// The place was asked for the sake of this whole line.
    private static func isRead(by request: RereadRequest, _ line: RecognizedLine) -> Bool {
        line.words.allSatisfy { covers(request.box, $0.box) }
    }

    private static func saysQuantity(_ line: RecognizedLine) -> Bool {
        let text = Array(line.words.map(\.text).joined(separator: " ").unicodeScalars.prefix(PrintedLine.longest))
        let figures = FigureScanner.figures(in: text)
        return QuantityScanner.phrase(in: text, figures: figures) != nil
    }

    /// No line runs through the middle of the place.
    private func isBetweenLines(_ box: PixelBox, _ page: RecognizedPage) -> Bool {
        let middle = box.doubleMidY
        return !page.lines.contains { line in
            line.words.contains { 2 * $0.box.y <= middle && middle <= 2 * $0.box.maxY && $0.text.count > 2 }
        }
    }

    /// The asked place contains the middle of the other.
    private static func covers(_ outer: PixelBox, _ inner: PixelBox) -> Bool {
        let x = inner.x + inner.width / 2
        let y = inner.y + inner.height / 2
        return outer.x <= x && x <= outer.maxX && outer.y <= y && y <= outer.maxY
    }
}

/// Other readings the engine itself offered for a price.
enum AlternativeReadings {
    static func amounts(of item: DraftItem, _ lines: [ReadLine]) -> [PriceCell.Candidate] {
        guard let index = item.lines.last(where: { lines[$0].price?.range == item.price.range }) ?? item.lines.last
        else { return [] }
        let line = lines[index].line
        let seen = line.witnessedAmounts(at: item.price.range).filter {
            $0.cost <= Costs.unseen && $0.value != item.value
        }
        .map { PriceCell.Candidate(value: $0.value, source: .alternative) }
        let words = line.wordIndices(item.price.range)
        guard words.count == 1, let word = line.words[safe: words.lowerBound] else { return seen }
        return seen
            + word.alternatives.prefix(8).compactMap { text in
                FigureScanner.figures(in: Array(text.unicodeScalars.prefix(40))).last?.amount
            }.map { .init(value: $0, source: .alternative) }
    }
}
