import Domain

/// Compares the classes printed on lines with the rows of the tax table.
enum TaxClasses {
    /// Returns the row of a class. `AW` belongs to the row `A`.
    static func row(for vatClass: String, in rows: [ParsedReceipt.TaxRow]) -> ParsedReceipt.TaxRow? {
        rows.first { $0.vatClass == vatClass }
            ?? rows.first { row in vatClass.first.map { row.vatClass == String($0) } ?? false }
    }

    /// Whether the lines of each class add up to its row; nil if a class is unknown.
    static func fits(_ items: [DraftItem], rows: [ParsedReceipt.TaxRow]) -> Bool? {
        guard !rows.isEmpty, rows.allSatisfy({ $0.vatClass != nil }) else { return nil }
        var sums: [String: Int64] = [:]
        for item in items {
            guard let vatClass = item.vatClass, let value = item.value, let row = row(for: vatClass, in: rows) else {
                return nil
            }
            sums[row.vatClass ?? "", default: 0] += value
        }
        return rows.allSatisfy { (sums[$0.vatClass ?? ""] ?? 0) == $0.gross }
    }

    /// Corrects misread classes by the classes of the table or of many lines: `8` for `B`, `RB` for `B`.
    static func clean(_ items: inout [DraftItem], rows: [ParsedReceipt.TaxRow]) {
        var counts: [String: Int] = [:]
        for item in items { if let vatClass = item.vatClass { counts[vatClass, default: 0] += 1 } }
        var known = Set(rows.compactMap(\.vatClass))
        if known.isEmpty {
            known = Set(counts.filter { $0.value * 4 >= items.count }.keys)
            // If many lines have `8` and many others have `B`, both are the class `B`.
            known = known.filter { vatClass in
                !vatClass.allSatisfy(\.isNumber)
                    || known.allSatisfy {
                        $0 == vatClass || Skeleton.of($0.unicodeScalars) != Skeleton.of(vatClass.unicodeScalars)
                    }
            }
        }
        guard !known.isEmpty else { return }
        for index in items.indices {
            guard let vatClass = items[index].vatClass, row(for: vatClass, in: known) == nil else { continue }
            let own = Skeleton.of(vatClass.unicodeScalars)
            let fitting = known.filter { Skeleton.of($0.unicodeScalars) == own || vatClass.hasSuffix($0) }
            // If several lines agree and none has the table's class, the table was misread.
            guard fitting.count == 1, let only = fitting.first, counts[only] != nil || counts[vatClass] == 1 else {
                continue
            }
            items[index].vatClass = only
        }
        cleanSecondSigns(&items)
    }

    /// Corrects rare classes: `BX` to `B`, a single `AH` among several `AW`, and a digit among letters to none.
    private static func cleanSecondSigns(_ items: inout [DraftItem]) {
        for index in items.indices {
            if let vatClass = items[index].vatClass, vatClass.count == 2, vatClass.hasSuffix("X") {
                items[index].vatClass = String(vatClass.prefix(1))
            }
        }
        let classes = items.compactMap(\.vatClass)
        for index in items.indices {
            guard let vatClass = items[index].vatClass, classes.count(where: { $0 == vatClass }) == 1 else { continue }
            let longer = Set(classes.filter { $0.count == 2 && $0.prefix(1) == vatClass.prefix(1) && $0 != vatClass })
            let common = longer.filter { form in classes.count { $0 == form } >= 2 }
            if vatClass.count == 2, common.count == 1 { items[index].vatClass = common.first }
            let others = classes.filter { $0 != vatClass }
            let isNumber = vatClass.allSatisfy(\.isNumber)
            if others.count >= 3, others.allSatisfy({ $0.allSatisfy(\.isNumber) != isNumber }) {
                items[index].vatClass = nil
            }
        }
    }

    private static func row(for vatClass: String, in known: Set<String>) -> String? {
        known.contains(vatClass) ? vatClass : vatClass.first.map(String.init).flatMap { known.contains($0) ? $0 : nil }
    }

    /// Takes the class from the beginning of each name: `A BREZEL  2,49` or `*A BREZEL`. Requires that at least four in
    /// five names begin with a class, and that at most one amount in four is followed by one, which may be a speck.
    static func takeFromNames(_ items: inout [DraftItem]) {
        let found = items.map { splitLeadingClass($0.name) }
        let count = found.count { $0 != nil }
        guard count >= 4, count * 5 >= items.count * 4, items.count(where: { $0.vatClass != nil }) * 4 <= items.count
        else { return }
        for (index, found) in found.enumerated() {
            guard let found else { continue }
            items[index].vatClass = found.vatClass
            items[index].name = found.name
        }
    }

    private static func splitLeadingClass(_ name: String) -> (vatClass: String, name: String)? {
        let words = name.split(separator: " ", maxSplits: 1)
        guard words.count == 2, case let letter = words[0].hasPrefix("*") ? words[0].dropFirst() : words[0],
            letter.utf8.count == 1, ("A"..."G").contains(letter), words[1].count(where: \.isLetter) >= 3
        else { return nil }
        return (String(letter), String(words[1]))
    }
}
