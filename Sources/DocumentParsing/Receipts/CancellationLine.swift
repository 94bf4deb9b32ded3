import Domain

/// Lines that cancel an earlier line: `STORNO QUARK  -1,29`, or `Zeilenstorno` on its own line above `QUARK  -1,29`.
enum CancellationLine {
    /// Whether the line holds only the word for a cancellation; the line below it repeats the cancelled item.
    static func isHeading(_ line: ReadLine) -> Bool {
        guard let match = line.roles[.void], match.distance == 0, line.price == nil, line.figures.isEmpty,
            line.dates.days.isEmpty
        else { return false }
        return line.line.characters(outside: match) <= 3
    }

    /// Gives each cancellation the kind of the line that it cancels. The kind is certain if it cancels an earlier item
    /// or deposit of the same name: the whole amount, or one of several pieces.
    static func setKinds(_ items: inout [DraftItem]) {
        var used: Set<Int> = []
        for index in items.indices where items[index].isVoid {
            let name = nameWithoutVoidWord(items[index].name)
            guard let value = items[index].value, !name.isEmpty,
                let other = items[..<index].lastIndex(where: { !$0.isVoid && nameWithoutVoidWord($0.name) == name }),
                !used.contains(other), isCancelled(items[other], by: items[index])
            else { continue }
            used.insert(other)
            items[index].kind = items[other].kind
            let isSettled = value < 0 && (items[other].kind == .item || items[other].kind == .deposit)
            items[index].isVoidSettled = isSettled
            items[index].isKindDoubtful = !isSettled || items[other].isKindDoubtful
        }
    }

    private static func isCancelled(_ item: DraftItem, by cancellation: DraftItem) -> Bool {
        guard let value = item.value, let cancelled = cancellation.value, !item.hasUnreadQuantity,
            !cancellation.hasUnreadQuantity
        else { return false }
        let (own, other) = (item.quantity?.phrase, cancellation.quantity?.phrase)
        if value == -cancelled, own?.quantity.magnitude == other?.quantity.magnitude, own?.unit == other?.unit {
            return true
        }
        // One of several pieces is cancelled: the earlier line reads `3 * 2,99`.
        guard let own, own.unit == .piece, let price = own.unitPrice, value > 0 else { return false }
        return cancellation.quantity == nil && price == -cancelled * 1_000
    }

    private static func nameWithoutVoidWord(_ name: String) -> String {
        name.uppercased().split(separator: " ").filter { !$0.contains("STORNO") && !$0.hasPrefix("RETOUR") }.joined()
            .filter { $0.isLetter || $0.isNumber }
    }
}
