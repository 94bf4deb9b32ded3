import Recognition

/// Finds personal details by the labels before them (data of the facts file) and by their shape.
///
/// Prices, days and times are never personal, nor are names and amounts that `receipt` uses: the receipt stays
/// readable.
package struct PersonalDetailFinder: Sendable {
    /// Maximum number of details of one document; a receipt has about a dozen.
    private static let maximumDetails = 200

    private let facts: ChainFacts

    package init(facts: ChainFacts = .builtIn) { self.facts = facts }

    /// The personal details of a document, page by page from top to bottom.
    package func details(in document: RecognizedDocument, sparing receipt: ParsedReceipt?) -> [PersonalDetail] {
        let spared = receipt.map(Self.placesUsed) ?? []
        var found: [PersonalDetail] = []
        for (page, recognized) in document.pages.enumerated() {
            let lines = recognized.lines.prefix(PrintedLine.maximumLines).map {
                PrintedLine(page: page, words: $0.words, isText: recognized.source == .text)
            }
            var isSlip = false
            for (index, line) in lines.enumerated() {
                let next = lines[safe: index + 1]
                isSlip = isSlip || isBelow(line, receipt) && facts.match(.slip, line) != nil
                for (kind, box) in details(on: line, next: next) + (isSlip ? references(on: line) : []) {
                    guard !spared.contains(where: { $0.page == page && $0.box.overlaps(box) }) else { continue }
                    guard found.last?.box != box else { continue }
                    found.append(PersonalDetail(kind: kind, page: page, box: box))
                    if found.count == Self.maximumDetails { return found }
                }
            }
        }
        return found
    }

    /// Whether a line is below the total, where a card slip may begin.
    private func isBelow(_ line: PrintedLine, _ receipt: ParsedReceipt?) -> Bool {
        guard let total = receipt?.total, let box = total.box else { return true }
        return line.page > total.page || line.page == total.page && line.box.y > box.y
    }

    /// Long reference numbers on a card slip. No label is needed, because masked numbers are often misread.
    private func references(on line: PrintedLine) -> [(PersonalDetail.Kind, PixelBox)] {
        line.words.compactMap { word in
            let figure = PrintedFigure(word.text)
            return figure.isReference && !figure.isSpared ? (.terminal, word.box) : nil
        }
    }

    /// The places of all values that the receipt uses.
    private static func placesUsed(_ receipt: ParsedReceipt) -> [(page: Int, box: PixelBox)] {
        func place<Value: Sendable>(_ reading: Reading<Value>?) -> (page: Int, box: PixelBox)? {
            reading.flatMap { reading in reading.box.map { (reading.page, $0) } }
        }
        let whole = [place(receipt.date), place(receipt.time), place(receipt.total)]
        let items = receipt.items.flatMap {
            [place($0.name), place($0.quantity), place($0.unitPrice), place($0.total)]
        }
        return (whole + items).compactMap { $0 }
    }

    // MARK: One line

    /// The personal details of a line. If a label is alone on the line, also the value on the next line.
    private func details(on line: PrintedLine, next: PrintedLine?) -> [(PersonalDetail.Kind, PixelBox)] {
        var details: [(PersonalDetail.Kind, PixelBox)] = []
        var taken: Set<Int> = []
        for kind in PersonalDetail.Kind.allCases {
            guard let match = facts.match(kind, line) else { continue }
            let following = Array(line.words.indices.dropFirst(match.words.upperBound + 1))
            let here = value(of: kind, among: following, on: line)
            for word in here where taken.insert(word).inserted { details.append((kind, line.words[word].box)) }
            // A label may be alone on the line above its value.
            if here.isEmpty, following.isEmpty, let next, !isLabel(next) {
                for word in value(of: kind, among: Array(next.words.indices), on: next) {
                    details.append((kind, next.words[word].box))
                }
            }
        }
        for (kind, words) in shapes(on: line) {
            for word in words where taken.insert(word).inserted { details.append((kind, line.words[word].box)) }
        }
        return details
    }

    private func isLabel(_ line: PrintedLine) -> Bool {
        PersonalDetail.Kind.allCases.contains { facts.match($0, line) != nil }
    }

    /// The words after a label that form its value: a name of up to four words, or figures.
    private func value(of kind: PersonalDetail.Kind, among words: [Int], on line: PrintedLine) -> [Int] {
        if kind.isName {
            let free = words.prefix { !PrintedFigure(line.words[$0].text).isSpared }
            // A word with a colon is the next label: "Bediener 3 Kasse: 2".
            let name = free.prefix { !line.words[$0].text.hasSuffix(":") || $0 == free.first }.prefix(4)
            return name.filter { PrintedFigure(line.words[$0].text).isValue }
        }
        let figures = words.filter { index in
            let figure = PrintedFigure(line.words[index].text)
            return !figure.isSpared && figure.digitOrMaskCount >= 2
        }
        let digitsAndMasks = figures.reduce(0) { $0 + PrintedFigure(line.words[$1].text).digitOrMaskCount }
        return digitsAndMasks >= 4 ? figures : []
    }

    /// Masked numbers and IBANs, which need no label.
    private func shapes(on line: PrintedLine) -> [(PersonalDetail.Kind, [Int])] {
        var shapes: [(PersonalDetail.Kind, [Int])] = []
        for index in line.words.indices {
            let figure = PrintedFigure(line.words[index].text)
            if figure.isMasked {
                // Stars alone are decoration.
                let run = [index] + figuresAround(index, line)
                let digits = run.reduce(0) { $0 + PrintedFigure(line.words[$1].text).digitCount }
                if digits >= 2 { shapes.append((.card, run)) }
            }
            if figure.beginsIBAN {
                var run = [index]
                var length = figure.digitOrMaskCount + 2
                for next in line.words.indices.dropFirst(index + 1) {
                    let part = PrintedFigure(line.words[next].text)
                    guard part.isGroup, length < 34 else { break }
                    run.append(next)
                    length += part.digitOrMaskCount
                }
                if (18...34).contains(length) { shapes.append((.account, run)) }
            }
        }
        return shapes
    }

    /// Groups of figures that belong to a masked one: `1234 56## #### 7890`.
    private func figuresAround(_ index: Int, _ line: PrintedLine) -> [Int] {
        let before = line.words[..<index].indices.reversed().prefix { PrintedFigure(line.words[$0].text).isGroup }
        let after = line.words.indices.dropFirst(index + 1).prefix { PrintedFigure(line.words[$0].text).isGroup }
        return Array(before) + Array(after)
    }
}
