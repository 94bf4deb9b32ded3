import Domain

/// Slashed and dotted zeros that were taken for eights, nines or sixes.
enum ZeroRepair {
    /// The only way in which three amounts of a tax row hold when such digits may be zeros; nil when none or several do.
    static func row(_ amounts: [Int64], rates: [VATRate]) -> (net: Int64, tax: Int64, gross: Int64)? {
        guard amounts.count == 3, amounts.allSatisfy({ $0 > 0 }) else { return nil }
        let choices = amounts.map(variants)
        var found: [(net: Int64, tax: Int64, gross: Int64)] = []
        for gross in 0..<3 {
            let others = (0..<3).filter { $0 != gross }
            for first in choices[others[0]] {
                for second in choices[others[1]] where choices[gross].contains(first + second) {
                    let (net, tax) = (max(first, second), min(first, second))
                    let allowed = (rates.isEmpty ? VATRate.known : rates).contains {
                        $0.tenthsOfPercent > 0 && TailReader.allows($0, net: net, tax: tax)
                    }
                    if allowed, tax > 0 { found.append((net, tax, first + second)) }
                }
            }
        }
        guard let only = found.first, found.allSatisfy({ $0 == only }) else { return nil }
        return only
    }

    /// One value for each list of variants, whose first is what was read, so that their sum is less by `difference`:
    /// the choice with the fewest changes; nil when there is none, or another with as few.
    static func choice(_ variants: [[Int64]], difference: Int64) -> [Int64]? {
        struct Way {
            var changes: Int
            var isUnique: Bool
            var values: [Int64]
        }
        guard variants.count <= 80 else { return nil }
        var ways: [Int64: Way] = [0: Way(changes: 0, isUnique: true, values: [])]
        for choices in variants {
            guard let read = choices.first else { return nil }
            var next: [Int64: Way] = [:]
            for (sum, way) in ways {
                for value in choices {
                    let changes = way.changes + (value == read ? 0 : 1)
                    guard changes <= 8 else { continue }
                    let key = sum + read - value
                    guard let known = next[key], known.changes <= changes else {
                        next[key] = Way(changes: changes, isUnique: way.isUnique, values: way.values + [value])
                        continue
                    }
                    if known.changes == changes { next[key]?.isUnique = false }
                }
            }
            guard next.count <= 20_000 else { return nil }
            ways = next
        }
        guard let best = ways[difference], best.isUnique else { return nil }
        return best.values
    }

    /// How many zeros were read as such in amounts and unit prices.
    static func zeros(in items: [DraftItem]) -> Int {
        items.reduce(0) { zeros, item in
            [item.value, item.quantity?.phrase.unitPrice.map { $0 / 1_000 }].compactMap { $0 }.reduce(zeros) {
                $0 + AmountText.german($1).count { $0 == "0" }
            }
        }
    }

    /// Whether `read` is `meant` with zeros taken for other digits.
    static func mayMean(_ read: Int64, _ meant: Int64) -> Bool { variants(read).contains(meant) }

    /// The amount with each of its eights, nines and sixes as it is or as a zero; itself first.
    static func variants(_ amount: Int64) -> [Int64] {
        var result = [Int64(amount.magnitude)]
        var scale: Int64 = 1
        while scale <= amount.magnitude, result.count <= 64 {
            let digit = Int64(amount.magnitude) / scale % 10
            if digit == 8 || digit == 9 || digit == 6 { result += result.map { $0 - digit * scale } }
            scale *= 10
        }
        return amount < 0 ? result.map { -$0 } : result
    }
}
