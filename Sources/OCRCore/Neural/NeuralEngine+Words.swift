import Glibc
import Recognition

extension NeuralEngine: LineEngine {
    func words(on strip: LineStrip) -> [RecognizedWord] {
        guard let lattice = lattice(of: strip.picture) else { return [] }
        return LatticeWords(lattice, strip).words
    }
}

/// Splits a lattice into words with their readings and their boxes on the page.
struct LatticeWords {
    private let lattice: CharacterLattice
    private let strip: LineStrip
    /// The columns of the strip per step.
    private let columnsPerStep: Double

    init(_ lattice: CharacterLattice, _ strip: LineStrip) {
        self.lattice = lattice
        self.strip = strip
        columnsPerStep = Double(NeuralEngine.pixelsPerStep) * Double(strip.picture.height) / Double(NeuralEngine.height)
    }

    var words: [RecognizedWord] {
        let groups = characters()
        return groups.indices.map { index in
            // A word extends halfway to its neighbours.
            let start = index == 0 ? 0 : middle(groups[index - 1], groups[index])
            let end = index + 1 == groups.count ? lattice.stepCount : middle(groups[index], groups[index + 1])
            return word(groups[index], in: start..<end)
        }
    }

    private func middle(_ left: [CharacterLattice.Character], _ right: [CharacterLattice.Character]) -> Int {
        ((left.last?.steps.upperBound ?? 0) + (right.first?.steps.lowerBound ?? 0) + 1) / 2
    }

    /// The characters of the likeliest path, grouped by word. Words are separated by spaces and by wide blanks on the
    /// paper.
    private func characters() -> [[CharacterLattice.Character]] {
        var groups: [[CharacterLattice.Character]] = []
        var isNew = true
        for character in lattice.likeliestPath() {
            if character.scalar == " " {
                isNew = true
                continue
            }
            if let last = groups.last?.last, !isNew {
                isNew = strip.hasWideBlank(
                    from: column(last.steps.upperBound - 1), to: column(character.steps.lowerBound))
            }
            if isNew { groups.append([]) }
            groups[groups.count - 1].append(character)
            isNew = false
        }
        return groups
    }

    /// The column of the strip in the middle of a step.
    private func column(_ step: Int) -> Int { Int((Double(step) + 0.5) * columnsPerStep) }

    private func word(_ characters: [CharacterLattice.Character], in steps: Range<Int>) -> RecognizedWord {
        let path = String(String.UnicodeScalarView(characters.map(\.scalar)))
        var readings = ReadingSearch(lattice, AnyText(), width: Self.width).readings(
            in: steps, count: Self.maximumReadings)
        for index in readings.indices { readings[index].text = readings[index].text.withoutSpacesAround }
        let ownReading = readings.first { !$0.text.isEmpty } ?? ScoredReading(text: path, cost: 65_535)
        var otherReadings = readings.filter {
            $0.text != ownReading.text && !$0.text.isEmpty && $0.cost <= ownReading.cost + Self.margin
        }
        if path.mayBeAmount {
            otherReadings = ReadingSearch(lattice, AmountPattern(), width: Self.amountWidth)
                .readings(in: steps, count: Self.maximumReadings).filter {
                    $0.text != ownReading.text && $0.cost <= ownReading.cost + Self.amountMargin
                }
        }
        let first = column(characters.first?.steps.lowerBound ?? 0)
        let last = column((characters.last?.steps.upperBound ?? 1) - 1)
        let lowest = characters.map(\.probability).min() ?? 0
        return RecognizedWord(
            text: ownReading.text, box: strip.box(from: first, to: last, reach: Int(columnsPerStep * 1.5)),
            confidence: Int(max(0, min(100, lowest * 100))), alternatives: otherReadings.map(\.text),
            costs: [ownReading.cost] + otherReadings.map(\.cost))
    }

    /// The width of the beam search: the number of texts that the search continues at each step.
    private static let width = 8
    private static let amountWidth = 24
    /// The maximum number of readings of a word that are kept.
    private static let maximumReadings = 6
    /// The maximum difference between the cost of a reading and the cost of the best reading. A reading with a
    /// difference of 300 is a twentieth as probable as the best one.
    private static let margin = 300
    /// The same maximum for amounts. More readings of amounts are kept, because the sums of the receipt show which one
    /// is right.
    private static let amountMargin = 900
}

extension String {
    fileprivate var withoutSpacesAround: String {
        var view = self[...]
        while view.first == " " { view = view.dropFirst() }
        while view.last == " " { view = view.dropLast() }
        return String(view)
    }

    /// Whether the text is short and has two digits, or a digit and a separator. Its letters may be misread digits.
    fileprivate var mayBeAmount: Bool {
        let digits = unicodeScalars.count { ("0"..."9").contains($0) }
        let separators = unicodeScalars.count { $0 == "," || $0 == "." }
        return unicodeScalars.count <= 11 && unicodeScalars.count >= 3 && digits + separators >= 2 && digits >= 1
    }
}
