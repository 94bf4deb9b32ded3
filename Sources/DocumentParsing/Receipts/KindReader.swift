import Domain
import Recognition

/// Decides what a line item is by its key words and its sign.
enum KindReader {
    /// Deposits of one bottle, can or crate, in minor units.
    private static let deposits: Set<Int64> = [8, 9, 15, 25, 29, 36, 48, 50, 75, 150, 300, 310, 330, 342, 450]

    static func decide(_ item: inout DraftItem, _ line: ReadLine) {
        let value = item.value ?? 0
        item.isVoid = line.has(.void)
        if let match = line.roles[.depositReturn], match.distance <= line.roles[.deposit]?.distance ?? .max {
            item.kind = .depositReturn
            item.isKindDoubtful = match.distance > 1
            // `LEERD CARACTERE`, one letter from `Leergut`, is a good when nothing is given back for it.
            if value > 0, match.distance > 0 { item.kind = .item }
            if value > 0 {
                // The minus sign was lost, in print or in reading; only the sum can tell.
                item.price.candidates.append(.init(value: -value, source: .sign))
            }
        } else if let match = line.roles[.deposit], line.roles[.noDeposit]?.distance != 0 {
            item.kind = value < 0 ? .depositReturn : .deposit
            item.isKindDoubtful = match.distance > 0
            // `Pfanne`, one letter from `Pfand`, is a good.
            if match.distance > 0, !isDepositLike(value) { item.kind = .item }
        } else if line.begins(with: .rounding) {
            item.kind = .rounding
        } else if let match = line.roles[.coupon], value < 0 || item.value == 0 {
            item.kind = .coupon
            item.isKindDoubtful = match.distance > 1
        } else if let match = line.roles[.discount], value < 0 || item.value == 0 {
            item.kind = .discount
            item.isKindDoubtful = match.distance > 1
        } else if value < 0, !item.isVoid, line.figures.contains(where: \.isPercent) {
            item.kind = .discount
        } else if value < 0 {
            item.kind = item.isVoid ? .item : .discount
            item.isKindDoubtful = true
            // Dirt between amount and class looks like a minus sign behind: `3,99-E`.
            if !item.isVoid { item.price.candidates.append(.init(value: -value, source: .sign)) }
        } else {
            item.kind = .item
            item.isKindDoubtful = item.isVoid || (isDepositLike(value) && isIllegible(line))
        }
    }

    /// No word of the name that could tell what it is was read with any certainty.
    private static func isIllegible(_ line: ReadLine) -> Bool {
        let words = Set(line.nameRange.map { line.line.wordAt[$0] }).map { line.line.words[$0] }
        return !words.contains { $0.confidence >= 50 && $0.text.count(where: \.isLetter) >= 4 }
            && words.filter { $0.confidence >= 70 && $0.text.count(where: \.isLetter) >= 3 }.count < 2
    }

    private static func isDepositLike(_ value: Int64) -> Bool {
        value != 0
            && (deposits.contains(Int64(value.magnitude)) || (value % 25 == 0 && value.magnitude <= 300)
                || (value % 8 == 0 && value.magnitude <= 48) || (value % 15 == 0 && value.magnitude <= 120))
    }
}
