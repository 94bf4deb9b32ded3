import Domain

/// Finds the class of each line with the tax table: the lines of a class add up to its gross amount.
///
/// If the class of an item was not read, or is not in the table, it is set to the class that all fitting assignments
/// give the item.
struct TaxClassSearch {
    /// The maximum number of lines without a class; three rows give 3^8 assignments.
    private static let maximumOpen = 8
    /// The maximum number of search steps, which take some milliseconds. It applies to all labellings (assignments of
    /// classes to the rows of the table) together.
    private static let maximumSteps = 200_000

    /// The class of each row of the table; empty if unknown.
    private let labels: [String]
    /// For each item, the row of its class; nil if unknown.
    private let rows: [Int?]
    /// For each item without a row, its rows in the assignments that add up; empty if no assignment does. Nil if there
    /// are too many to try, or if all rows are known and do not add up.
    private let possibleRows: [Int: Set<Int>]?

    /// Returns nil if the table does not give the total, an amount is missing, or no labelling fits, or several do.
    init?(_ items: [DraftItem], rows table: [ParsedReceipt.TaxRow], total: Int64?) {
        guard !table.isEmpty, table.count <= 4, let total, table.reduce(0, { $0 + $1.gross }) == total,
            items.allSatisfy({ $0.value != nil })
        else { return nil }
        let targets = table.map(\.gross)
        let labellings = Self.labellings(items, table)
        var found: [TaxClassSearch] = []
        var steps = Self.maximumSteps
        for labels in labellings {
            let search = TaxClassSearch(items, targets: targets, labels: labels, steps: &steps)
            // If a labelling could not be tried completely, it may fit too. Then no labelling is certain.
            if labellings.count > 1, search.fits == nil { return nil }
            if labellings.count == 1 || search.fits == true { found.append(search) }
        }
        guard found.count == 1, let only = found.first else { return nil }
        self = only
    }

    private init(_ items: [DraftItem], targets: [Int64], labels: [String], steps: inout Int) {
        self.labels = labels
        let rows = items.map { item in
            item.vatClass.flatMap { vatClass in
                labels.firstIndex(of: vatClass) ?? vatClass.first.flatMap { labels.firstIndex(of: String($0)) }
            }
        }
        self.rows = rows
        var rest = targets
        for (index, row) in rows.enumerated() { if let row { rest[row] -= items[index].value ?? 0 } }
        let unassigned = rows.indices.filter { rows[$0] == nil }
        guard unassigned.count <= Self.maximumOpen else {
            possibleRows = nil
            return
        }
        var possibleRows: [Int: Set<Int>] = [:]
        var taken: [(item: Int, row: Int)] = []
        Self.search(unassigned[...], items, &rest, &taken, &possibleRows, &steps)
        guard steps > 0 else {
            self.possibleRows = nil
            return
        }
        self.possibleRows = unassigned.isEmpty ? (rest.allSatisfy { $0 == 0 } ? [:] : nil) : possibleRows
        isTried = true
    }

    /// Whether all assignments were tried.
    private var isTried = false

    /// Tries every assignment of the `open` items to rows, and adds those that use up `rest` to `possibleRows`.
    private static func search(
        _ open: ArraySlice<Int>, _ items: [DraftItem], _ rest: inout [Int64], _ taken: inout [(item: Int, row: Int)],
        _ possibleRows: inout [Int: Set<Int>], _ steps: inout Int
    ) {
        guard let item = open.first else {
            if rest.allSatisfy({ $0 == 0 }) {
                for choice in taken { possibleRows[choice.item, default: []].insert(choice.row) }
            }
            return
        }
        for row in rest.indices where steps > 0 {
            steps -= 1
            rest[row] -= items[item].value ?? 0
            taken.append((item, row))
            search(open.dropFirst(), items, &rest, &taken, &possibleRows, &steps)
            taken.removeLast()
            rest[row] += items[item].value ?? 0
        }
    }

    /// Whether the classes can add up to the rows' amounts; nil if there were too many assignments to try.
    var fits: Bool? {
        guard isTried else { return nil }
        guard let possibleRows else { return false }
        return rows.contains(nil) ? !possibleRows.isEmpty : true
    }

    /// Returns the class of an item. This is the printed class if the table has it or if no assignment adds up.
    /// Otherwise it is the class that all assignments give the item; nil if they differ.
    func vatClass(of index: Int, in items: [DraftItem]) -> String? {
        guard fits == true, rows[index] == nil else { return items[index].vatClass }
        // Reductions may be printed without a class.
        if items[index].vatClass == nil, [.discount, .coupon, .rounding].contains(items[index].kind) { return nil }
        guard let possibleRows = possibleRows?[index], possibleRows.count == 1, let row = possibleRows.first else {
            return nil
        }
        let printed = items.indices.filter { rows[$0] == row }.compactMap { items[$0].vatClass }
        let forms = Dictionary(grouping: printed, by: { $0 }).max {
            ($0.value.count, $1.key) < ($1.value.count, $0.key)
        }
        return forms?.key ?? (labels[row].isEmpty ? nil : labels[row])
    }

    /// Returns the possible labels of the rows. A row keeps its class in the table if a line has this class. Otherwise
    /// its label is a class that is printed on lines, or empty if there is none.
    private static func labellings(_ items: [DraftItem], _ table: [ParsedReceipt.TaxRow]) -> [[String]] {
        let printed = table.map { $0.vatClass ?? "" }
        let named = items.compactMap { item in
            item.vatClass.map { vatClass in printed.contains(vatClass) ? vatClass : String(vatClass.prefix(1)) }
        }
        let open = printed.indices.filter { printed[$0].isEmpty || !named.contains(printed[$0]) }
        let counts = Dictionary(grouping: named.filter { !printed.contains($0) }, by: { $0 }).mapValues(\.count)
        let hasSigns = open.contains { !printed[$0].isEmpty }
        var names = counts.filter { !hasSigns || $0.value > 1 }
            .sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(open.count).map(\.key)
        // If the lines name no other classes, the rows keep their own.
        if counts.isEmpty { return [printed] }
        while names.count < open.count { names.append("") }
        return names.permutations.map { order in
            var labels = printed
            for (row, name) in zip(open, order) { labels[row] = name }
            return labels
        }
    }
}
