import Domain

/// One digit taken for another wherever it stands, as slashed zeros are taken for eights: sums do not notice it when
/// every figure was misread alike.
enum DigitConfusion {
    /// What a whole print may be misread as: slashed and dotted zeros first of all.
    private static let likely: [Int64: [Int64]] = [0: [8, 9, 6], 1: [7], 3: [8], 5: [6], 6: [5], 7: [1]]

    /// Whether some digit of the lines may stand for one that was not read in any amount, so that all sums and products
    /// hold as well.
    static func isPossible(_ items: [DraftItem], total: Int64?, tail: TailReader) -> Bool {
        guard let total else { return false }
        let shown =
            items.compactMap(\.value) + [total] + tail.payments.map(\.amount) + [tail.change ?? 0]
            + tail.taxRows.flatMap { [$0.net, $0.tax, $0.gross] }
        let seen = shown.reduce(into: Set<Int64>()) { $0.formUnion(digits($1)) }
        for (meant, look) in likely where !seen.contains(meant) {
            for read in look where items.contains(where: { digits($0.value ?? 0).contains(read) }) {
                if holds(items, total, tail, exchange: { exchanged($0, read, meant) }) { return true }
            }
        }
        return false
    }

    /// Whether `total` is `meant` with one digit taken for another, and the amounts show that digit nowhere.
    static func isPossible(_ total: Int64, meant: Int64, _ items: [DraftItem], tail: TailReader) -> Bool {
        let (read, own) = (Array(String(total)), Array(String(meant)))
        guard read.count == own.count, read != own else { return false }
        let changes = zip(read, own).filter { $0 != $1 }
        guard let first = changes.first, changes.allSatisfy({ $0 == first }), let digit = first.1.wholeNumberValue
        else { return false }
        let shown = items.compactMap(\.value) + [total] + tail.payments.map(\.amount) + [tail.change ?? 0]
        return !shown.contains { digits($0).contains(Int64(digit)) }
    }

    /// Whether a digit of the day may stand for one that occurs nowhere on the print, so that all prints of the day were
    /// misread alike: `24.03.2025` where no six was read at all.
    static func isPossible(_ day: LocalDate, lines: [ReadLine], asOf today: LocalDate) -> Bool {
        let text = lines.flatMap(\.line.text)
        let seen = Set(text.lazy.filter(\.isDigit).map(\.digitValue))
        let shown = [day.day, day.monthNumber, day.year].map(Int64.init)
        for (meant, look) in likely where !seen.contains(meant) {
            for read in look {
                let other = shown.map { exchanged($0, read, meant, places: 1) }
                guard other != shown,
                    let changed = LocalDate(year: Int(other[2]), month: Int(other[1]), day: Int(other[0]))
                else { continue }
                if changed.dayNumber <= today.dayNumber + 1, changed.year >= 2000 { return true }
            }
        }
        return false
    }

    private static func holds(
        _ items: [DraftItem], _ total: Int64, _ tail: TailReader, exchange: (Int64) -> Int64
    ) -> Bool {
        guard items.reduce(0, { $0 + exchange($1.value ?? 0) }) == exchange(total) else { return false }
        let hasProducts = items.allSatisfy { item in
            guard let phrase = item.quantity?.phrase, phrase.unit == .piece, let price = phrase.unitPrice,
                let value = item.value, item.quantity?.isDerived == false
            else { return true }
            let count = exchange(phrase.quantity / 1_000)
            return abs(count * exchange(price / 1_000)) == abs(exchange(value))
        }
        guard hasProducts else { return false }
        if let change = tail.change, change != 0, tail.paid == total {
            let given = tail.payments.reduce(0) { $0 + abs(exchange($1.amount)) }
            if given - exchange(change) != exchange(total) { return false }
        }
        return (tail.taxRows + [tail.taxTotal].compactMap { $0 }).allSatisfy {
            exchange($0.net) + exchange($0.tax) == exchange($0.gross)
        }
    }

    /// The digits of an amount as it is printed, with at least three places.
    private static func digits(_ amount: Int64) -> Set<Int64> {
        var rest = Int64(amount.magnitude)
        var result: Set<Int64> = []
        for place in 0..<12 where place < 3 || rest > 0 {
            result.insert(rest % 10)
            rest /= 10
        }
        return result
    }

    private static func exchanged(_ amount: Int64, _ read: Int64, _ meant: Int64, places: Int = 3) -> Int64 {
        var rest = Int64(amount.magnitude)
        var result: Int64 = 0
        var scale: Int64 = 1
        for place in 0..<12 where place < places || rest > 0 {
            let digit = rest % 10
            result += (digit == read ? meant : digit) * scale
            rest /= 10
            scale *= 10
        }
        return amount < 0 ? -result : result
    }
}
