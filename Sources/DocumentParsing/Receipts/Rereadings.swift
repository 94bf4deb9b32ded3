import Domain
import Recognition

/// The results of reading doubtful places again.
struct Rereadings {
    private let answers: [RereadAnswer]

    init(_ answers: [RereadAnswer]) { self.answers = Array(answers.prefix(4 * ReceiptParser.maximumRereads)) }

    private func answers(at place: Place) -> [RereadAnswer] {
        guard let box = place.box else { return [] }
        return answers.filter { $0.request.page == place.page && Self.covers($0.request.box, box) }
    }

    /// Returns the amounts of the rereadings of a price, best first.
    func amounts(at place: Place) -> [PriceCell.Candidate] {
        answers(at: place).flatMap { $0.readings.prefix(4).map { $0.text.replacing("_", with: " ") } }
            .compactMap { FigureScanner.figures(in: $0).last?.amount }
            .map { PriceCell.Candidate(value: $0, source: .reread) }
    }

    /// Returns the likeliest amount that the second engine read at the place alone; nil if its confidence is below 50.
    func secondEngineAmount(at place: Place) -> Int64? {
        let words = answers(at: place).filter { $0.request.alphabet != .text }.flatMap(\.secondEngineReadings)
        guard let best = words.first.flatMap({ Self.amount($0.text) }) else { return nil }
        let percent = words.reduce(0) { $0 + (Self.amount($1.text) == best ? $1.confidence : 0) }
        return percent >= 50 ? best : nil
    }

    static func amount(_ text: String) -> Int64? { FigureScanner.figures(in: text).last?.amount }

    /// Returns the quantities in the rereadings of a quantity line and their confidence, most certain first.
    private func phrases(at quantity: DraftQuantity) -> [(phrase: QuantityPhrase, confidence: Int)] {
        answers(at: quantity.linePlace ?? quantity.place).filter { $0.request.alphabet == .text }.flatMap { answer in
            answer.readings.prefix(4).compactMap { word in
                let scalars = word.text.unicodeScalars.map { $0 == "_" ? " " : $0 }
                return QuantityScanner.phrase(in: scalars).map { ($0, word.confidence) }
            }
        }
    }

    /// Uses the rereading of a quantity line if it gives the item's total and the first reading does not.
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
        // Keeps the positions of the first reading.
        var corrected = quantity
        corrected.phrase.quantity = better.phrase.quantity
        corrected.phrase.unitPrice = better.phrase.unitPrice
        corrected.isDerived = false
        corrected.isConfirmed = better.confidence >= Confidence.legible
        corrected.repair = Repair(printed: quantity.phrase.text, value: corrected.phrase.text, reason: .reread)
        item.quantity = corrected
    }

    /// Confirms a quantity if the rereading shows the same figures.
    func confirmQuantity(_ item: inout DraftItem) {
        guard let quantity = item.quantity, !quantity.isConfirmed else { return }
        let found = phrases(at: quantity)
        guard let unitPrice = quantity.phrase.unitPrice else {
            // Only a rereading confirms a weight without a unit price, and all readings must agree.
            let isSure =
                found.count >= 2 || found.contains { $0.confidence >= Confidence.legible }
                || quantity.place.confidence >= Confidence.verySure
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
        // Count and unit price were each seen in one of the readings, and count × unit price is the amount.
        guard quantity.phrase.unit == .piece, !quantity.isDerived, !found.isEmpty, let value = item.value,
            quantity.phrase.product?.magnitude == value.magnitude
        else { return }
        let all = [quantity.read ?? quantity.phrase] + found.map(\.phrase)
        item.quantity?.isConfirmed =
            all.contains { $0.quantity == quantity.phrase.quantity }
            && all.contains { $0.unitPrice.map(abs) == abs(unitPrice) }
    }

    /// Whether a rereading of the line shows neither a figure nor a unit of quantity.
    func showsNoFigure(on line: PrintedLine) -> Bool {
        let seen = credibleTexts(at: line.place)
        // A single character may be a speck. It is print if a rereading shows text.
        if line.letterCount + line.digitCount <= 1 { return showsNothing(at: line.place) }
        return !seen.isEmpty
            && seen.allSatisfy {
                !$0.contains(where: \.isNumber) && !HiddenQuantity.namesUnit(Array($0.unicodeScalars)[...])
            }
    }

    /// Returns the readings of a place. If one is certain, readings of very low confidence are dropped: dirt at the
    /// paper's edge may look like a digit in one of several readings.
    private func credibleTexts(at place: Place) -> [String] {
        let found = answers(at: place).flatMap { $0.readings.prefix(4) }
        let isClear = found.contains { $0.confidence >= Confidence.sure && $0.text.count <= 3 }
        return found.filter { !isClear || $0.confidence >= Confidence.chance }.map { $0.text.replacing("_", with: " ") }
    }

    /// Whether rereadings found nothing at the place that may be a quantity. Readings of low confidence do not
    /// count, because they may come from specks.
    func showsNothing(at place: Place) -> Bool {
        let found = answers(at: place).filter { $0.request.alphabet == .text }
        return !found.isEmpty
            && found.allSatisfy { answer in
                answer.readings.allSatisfy { word in
                    (word.confidence < Confidence.dirt && !Self.resemblesQuantity(word.text))
                        || (!word.text.unicodeScalars.contains(where: \.isDigit)
                            && word.text.count(where: \.isLetter) <= 2
                            && !HiddenQuantity.namesUnit(Array(word.text.unicodeScalars)[...]))
                }
            }
    }

    /// Whether a short text has the form of a quantity, at any confidence: `2 x 2.18`, `2x8`. Blank paper gives long
    /// rows of letters and dashes, or a lone digit.
    private static func resemblesQuantity(_ text: String) -> Bool {
        let characters = Array(text.unicodeScalars.prefix(40)).filter { $0 != " " }
        guard characters.count <= 24, text.count(where: \.isLetter) <= 5 else { return false }
        if FigureScanner.figures(in: characters).contains(where: { $0.amount != nil }) { return true }
        let signs = Lexicon.times.unicodeScalars
        return zip(characters, characters.dropFirst()).contains { $0.isDigit && signs.contains($1) }
    }

    /// Returns the document with the quantity lines that rereadings found.
    func completed(_ document: RecognizedDocument) -> RecognizedDocument {
        var document = document
        for answer in answers where answer.request.alphabet == .text {
            let request = answer.request
            guard document.pages.indices.contains(request.page), let best = answer.readings.first,
                best.confidence >= Confidence.legible, QuantityScanner.phrase(in: best.text.unicodeScalars) != nil
            else { continue }
            let word = RecognizedWord(text: best.text, box: request.box, confidence: best.confidence)
            let lines = document.pages[request.page].lines
            if isBetweenLines(request.box, document.pages[request.page]) {
                let index = lines.firstIndex { ($0.words.first?.box.y ?? 0) > request.box.y } ?? lines.count
                document.pages[request.page].lines.insert(RecognizedLine(words: [word]), at: index)
            } else if let index = lines.firstIndex(where: { $0.words.allSatisfy { Self.covers(request.box, $0.box) } }),
                QuantityScanner.phrase(in: lines[index].words.text.unicodeScalars) == nil
            {
                document.pages[request.page].lines[index].words = [word]
            }
        }
        return document
    }

    /// Whether no line runs through the middle of the box.
    private func isBetweenLines(_ box: PixelBox, _ page: RecognizedPage) -> Bool {
        let middle = box.doubleMidY
        return !page.lines.contains { line in
            line.words.contains { 2 * $0.box.y <= middle && middle <= 2 * $0.box.maxY && $0.text.count > 2 }
        }
    }

    /// Whether `outer` contains the middle of `inner`.
    private static func covers(_ outer: PixelBox, _ inner: PixelBox) -> Bool {
        let x = inner.x + inner.width / 2
        let y = inner.y + inner.height / 2
        return outer.x <= x && x <= outer.maxX && outer.y <= y && y <= outer.maxY
    }

    /// Returns the amounts of the rereadings of an item's price, then those that the engines offered as
    /// alternatives.
    func otherAmounts(of item: DraftItem, _ lines: [ReadLine]) -> [PriceCell.Candidate] {
        let seen = amounts(at: item.pricePlace)
        guard let index = item.lines.last(where: { lines[$0].price?.range == item.price.range }) ?? item.lines.last
        else { return seen }
        let line = lines[index].line
        let otherEngineAmounts = line.otherEngineAmounts(at: item.price.range)
            .filter { $0.cost <= Costs.unseen && $0.value != item.value }.map(\.value)
        return seen
            + (otherEngineAmounts + line.offeredAmounts(at: item.price.range, maximum: 8))
            .map { PriceCell.Candidate(value: $0, source: .alternative) }
    }
}
