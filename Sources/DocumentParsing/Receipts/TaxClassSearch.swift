import Domain

/// Lets the tax table say which class each line belongs to: the lines of a class make its gross amount.
///
/// A class that was not read, or that the table does not have, is taken from the only way in which all rows add up.
struct TaxClassSearch {
    /// Most lines without a class; with three rows that is 3^8 ways.
    private static let mostOpen = 8
    /// Most lines tried in a row, over all ways to name the rows; some milliseconds.
    private static let mostSteps = 200_000

    private let targets: [Int64]
    private let labels: [String]
    /// For each item the row its class names; nil where that is open.
    private let rows: [Int?]
    /// For each open item the rows it takes in some way that adds up; nil when there are too many to try.
    private let ways: [Int: Set<Int>]?

    /// Nothing where the table does not hold, says another total or has a class the lines do not name.
    init?(_ items: [DraftItem], rows table: [ParsedReceipt.TaxRow], total: Int64?) {
        guard !table.isEmpty, table.count <= 4, let total, table.reduce(0, { $0 + $1.gross }) == total,
            items.allSatisfy({ $0.value != nil })
        else { return nil }
        let targets = table.map(\.gross)
        let labellings = Self.labellings(items, table)
        var found: [TaxClassSearch] = []
        var steps = Self.mostSteps
        for labels in labellings {
            let search = TaxClassSearch(items, targets: targets, labels: labels, steps: &steps)
            // With some ways untried no other is the only one.
            if labellings.count > 1, search.fits == nil { return nil }
            if labellings.count == 1 || search.fits == true { found.append(search) }
        }
        guard found.count == 1, let only = found.first else { return nil }
        self = only
    }

    private init(_ items: [DraftItem], targets: [Int64], labels: [String], steps: inout Int) {
        self.targets = targets
        self.labels = labels
        let rows = items.map { item in
            item.vat.flatMap { vat in
                labels.firstIndex(of: vat) ?? vat.first.flatMap { labels.firstIndex(of: String($0)) }
            }
        }
        self.rows = rows
        var rest = targets
        for (index, row) in rows.enumerated() { if let row { rest[row] -= items[index].value ?? 0 } }
        let open = rows.indices.filter { rows[$0] == nil }
        guard open.count <= Self.mostOpen else {
            ways = nil
            return
        }
        var ways: [Int: Set<Int>] = [:]
        var taken: [(item: Int, row: Int)] = []
        Self.search(open[...], items, &rest, &taken, &ways, &steps)
        guard steps > 0 else {
            self.ways = nil
            return
        }
        self.ways = open.isEmpty ? (rest.allSatisfy { $0 == 0 } ? [:] : nil) : ways
        isTried = true
    }

    /// All ways were tried.
    private var isTried = false

    private static func search(
        _ open: ArraySlice<Int>, _ items: [DraftItem], _ rest: inout [Int64], _ taken: inout [(item: Int, row: Int)],
        _ ways: inout [Int: Set<Int>], _ steps: inout Int
    ) {
        guard let item = open.first else {
            if rest.allSatisfy({ $0 == 0 }) { for way in taken { ways[way.item, default: []].insert(way.row) } }
            return
        }
        for row in rest.indices where steps > 0 {
            steps -= 1
            rest[row] -= items[item].value ?? 0
            taken.append((item, row))
            search(open.dropFirst(), items, &rest, &taken, &ways, &steps)
            taken.removeLast()
            rest[row] += items[item].value ?? 0
        }
    }

    /// Whether the classes can make the rows' amounts; nil when there were too many ways to try.
    var fits: Bool? {
        guard isTried else { return nil }
        guard let ways else { return false }
        return rows.contains(nil) ? !ways.isEmpty : true
    }

    /// The class of an item as the table has it; its own where the table leaves a choice, and none where the table lacks it.
    func vat(of index: Int, in items: [DraftItem]) -> String? {
        guard fits == true, rows[index] == nil else { return items[index].vat }
        // What is taken off may stand without a class.
        if items[index].vat == nil, [.discount, .coupon, .rounding].contains(items[index].kind) { return nil }
        guard let ways = ways?[index], ways.count == 1, let row = ways.first else { return nil }
        let printed = items.indices.filter { rows[$0] == row }.compactMap { items[$0].vat }
        let forms = Dictionary(grouping: printed, by: { $0 }).max {
            ($0.value.count, $1.key) < ($1.value.count, $0.key)
        }
        return forms?.key ?? (labels[row].isEmpty ? nil : labels[row])
    }

    /// The ways to name the rows: by their own signs where a line bears them, by what several lines say where none does,
    /// and not at all (an empty name) where row and lines contradict each other.
    private static func labellings(_ items: [DraftItem], _ table: [ParsedReceipt.TaxRow]) -> [[String]] {
        let printed = table.map { $0.vatClass ?? "" }
        let named = items.compactMap { item in
            item.vat.map { vat in printed.contains(vat) ? vat : String(vat.prefix(1)) }
        }
        let open = printed.indices.filter { printed[$0].isEmpty || !named.contains(printed[$0]) }
        let counts = Dictionary(grouping: named.filter { !printed.contains($0) }, by: { $0 }).mapValues(\.count)
        let hasSigns = open.contains { !printed[$0].isEmpty }
        var names = counts.filter { !hasSigns || $0.value > 1 }
            .sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(open.count).map(\.key)
        // A lone row that no line names keeps its sign where the lines bear none.
        if counts.isEmpty { return [printed] }
        while names.count < open.count { names.append("") }
        return orders(of: names).map { order in
            var labels = printed
            for (row, name) in zip(open, order) { labels[row] = name }
            return labels
        }
    }

    private static func orders(of labels: [String]) -> [[String]] {
        guard labels.count > 1 else { return [labels] }
        return labels.indices.filter { labels.firstIndex(of: labels[$0]) == $0 }.flatMap { index in
            var others = labels
            let first = others.remove(at: index)
            return orders(of: others).map { [first] + $0 }
        }
    }
}
