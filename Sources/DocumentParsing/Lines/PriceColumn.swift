import Recognition

/// Where the prices of a receipt stand, and where the names begin.
///
/// The unit price of a quantity line stands left of the column, so a line whose only amount is there has no price.
struct PriceColumn: Sendable {
    /// By page: every photo has its own size and margins.
    private let edges: [Int: Edges]

    /// Nothing when no page shows it.
    init?(_ lines: [ReadLine]) {
        let pages = Dictionary(grouping: lines, by: \.line.page)
        edges = pages.compactMapValues { Edges($0) }
        if edges.isEmpty { return nil }
    }

    /// Whether an amount ends where prices end.
    func holds(_ line: PrintedLine, _ range: Range<Int>) -> Bool { edges[line.page]?.holds(line, range) ?? true }

    /// Something short stands where the price belongs, with room before it: a price that could not be read.
    func unreadable(_ line: PrintedLine) -> PriceCell? { edges[line.page]?.unreadable(line) }

    /// How many words in front of the line stand left of all names: dirt beside the paper.
    func dirtInFront(_ line: PrintedLine) -> Int { edges[line.page]?.dirtInFront(line) ?? 0 }
}

extension ReadLine {
    /// An amount behind a name.
    fileprivate var isNamed: Bool { line.text[nameRange].count(where: \.isLatinLetter) >= 3 }
}

/// An amount that was read without doubt, in pixels.
private struct Cell {
    /// Where its line begins.
    let left: Int
    /// Top of the line's first word.
    let top: Int
    /// Where the amount ends.
    let right: Int
    /// No more than a blank stands before it.
    let isNarrow: Bool

    init?(_ line: ReadLine) {
        guard let price = line.price, price.isExact, let first = line.line.words.first else { return nil }
        let box = line.line.box(price.range)
        let name = line.line.words.last { $0.box.maxX <= box.x }
        (left, top, right) = (first.box.x, first.box.y, box.maxX)
        isNarrow = name.map { box.x - $0.box.maxX < box.height } ?? false
    }
}

/// The column on one page.
private struct Edges {
    /// Right edge of the prices and left edge of the names, in pixels, and how far a line may be off.
    let right: Int
    let left: Int
    let tolerance: Int
    /// Where the names begin near the upper and near the lower end: on a page that leans it is not the same.
    private let ends: (upper: (x: Int, y: Int), lower: (x: Int, y: Int))?

    /// Nothing when fewer than three lines show it.
    init?(_ lines: [ReadLine]) {
        let cells = lines.filter(\.isNamed).compactMap(Cell.init)
        let named = cells.map(\.left)
        guard cells.count >= 3, !named.isEmpty else { return nil }
        right = cells.map(\.right).sorted()[cells.count / 2]
        left = named.sorted()[named.count / 2]
        guard right > left else { return nil }
        let tolerance = (right - left) * 14 / 100
        // Text without columns: amounts end wherever their names leave them, one blank behind.
        let edge = right - tolerance
        guard
            cells.count(where: \.isNarrow) * 2 <= cells.count || cells.allSatisfy({ $0.right >= edge })
        else { return nil }
        self.tolerance = tolerance
        let third = cells.count / 3
        let rows = cells.sorted { $0.top < $1.top }
        ends = third < 3 ? nil : (Self.middle(rows.prefix(third)), Self.middle(rows.suffix(third)))
    }

    private static func middle(_ cells: ArraySlice<Cell>) -> (x: Int, y: Int) {
        (cells.map(\.left).sorted()[cells.count / 2], cells.map(\.top).sorted()[cells.count / 2])
    }

    /// Where names begin at most, that far down: in doubt further to the left.
    private func left(at y: Int) -> Int {
        guard let (upper, lower) = ends, lower.y > upper.y else { return left }
        return min(left, upper.x + (lower.x - upper.x) * (y - upper.y) / (lower.y - upper.y))
    }

    func holds(_ line: PrintedLine, _ range: Range<Int>) -> Bool {
        // Glued to its class or a sign, the word ends later, never earlier.
        line.box(range).maxX >= right - tolerance
    }

    func unreadable(_ line: PrintedLine) -> PriceCell? {
        guard line.words.count >= 2, let last = line.words.last, last.text.unicodeScalars.count <= 8,
            // A class behind a name whose price stands on another line is no price.
            last.text.unicodeScalars.count > 2 || last.text.unicodeScalars.contains(where: \.isDigit),
            // Nor is a word or a size that ends a name.
            !DamagedPrice.isSize(Array(last.text.unicodeScalars)),
            !(last.confidence >= 60 && last.text.unicodeScalars.count >= 4
                && last.text.unicodeScalars.allSatisfy(\.isLatinLetter)),
            last.box.x >= right - (right - left) * 32 / 100, last.box.maxX >= right - 2 * tolerance,
            last.box.x - line.words[line.words.count - 2].box.maxX >= last.box.height / 2,
            let start = line.wordAt.firstIndex(of: line.words.count - 1)
        else { return nil }
        return PriceCell(
            range: start..<line.text.count, value: nil, printed: line.string(start..<line.text.count), isExact: false,
            vat: nil,
            end: line.text.count)
    }

    func dirtInFront(_ line: PrintedLine) -> Int {
        line.words.prefix { $0.box.maxX < left(at: $0.box.y) - 2 && $0.text.unicodeScalars.count <= 3 }.count
    }
}
