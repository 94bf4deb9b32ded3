import Domain

/// Lines that take back one above them: `STORNO QUARK  -1,29`, or `Zeilenstorno` on a line of its own above `QUARK  -1,29`.
enum CounterLine {
    /// The word for taking back alone on its line; the line below it is what was taken back.
    static func isHeading(_ line: ReadLine) -> Bool {
        guard let match = line.roles[.void], match.distance == 0, line.price == nil, line.figures.isEmpty,
            line.dates.days.isEmpty
        else { return false }
        let rest = line.line.skeletons.enumerated().filter { !match.words.contains($0.offset) }
        return rest.reduce(0) { $0 + $1.element.count } <= 3
    }

    /// A counter-line is what the line is that it takes back. Nothing is doubtful where a good or a deposit of the same
    /// name and amount stands above, or one of several of it is taken back.
    static func settle(_ items: inout [DraftItem]) {
        var taken: Set<Int> = []
        for index in items.indices where items[index].isVoid {
            let name = bare(items[index].name)
            guard let value = items[index].value, !name.isEmpty,
                let other = items[..<index].lastIndex(where: { !$0.isVoid && bare($0.name) == name }),
                !taken.contains(other), isTakenBack(items[other], by: items[index])
            else { continue }
            taken.insert(other)
            items[index].kind = items[other].kind
            let isSettled = value < 0 && (items[other].kind == .item || items[other].kind == .deposit)
            items[index].isVoidSettled = isSettled
            items[index].isKindDoubtful = !isSettled || items[other].isKindDoubtful
        }
    }

    private static func isTakenBack(_ item: DraftItem, by counter: DraftItem) -> Bool {
        guard let value = item.value, let back = counter.value, !item.lacksWeight, !counter.lacksWeight else {
            return false
        }
        let (own, other) = (item.quantity?.phrase, counter.quantity?.phrase)
        if value == -back, own?.quantity.magnitude == other?.quantity.magnitude, own?.unit == other?.unit {
            return true
        }
        // `3 * 2,99` above it, and one of them comes back.
        guard let own, own.unit == .piece, let price = own.unitPrice, value > 0 else { return false }
        return counter.quantity == nil && price == -back * 1_000
    }

    /// Letters and digits of the name without the word for taking back.
    private static func bare(_ name: String) -> String {
        name.uppercased().split(separator: " ").filter { !$0.contains("STORNO") && !$0.hasPrefix("RETOUR") }.joined()
            .filter { $0.isLetter || $0.isNumber }
    }
}
