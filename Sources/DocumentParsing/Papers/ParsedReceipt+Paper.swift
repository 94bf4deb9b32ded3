import Domain

extension ParsedReceipt {
    /// Takes the likeliest values of a paper for what was not read of it as a receipt. They are marked to be looked at.
    package mutating func complete(_ paper: PaperReading) {
        guard state != .proven, items.isEmpty || paper.kind != nil else { return }
        if total == nil, let found = paper.totals.first, paper.currency == nil || Self.isPossible(paper.currency) {
            if let code = paper.currency?.code, let known = Currency(rawValue: code) { currency = known }
            total = Reading(
                value: Money(minorUnits: found.value, currency: currency), confidence: 50, page: found.page,
                box: found.box, isDoubtful: true)
            isTotalRead = true
            reasons.removeAll { $0 == .nothingRead || $0 == .totalMissing }
            if !reasons.contains(.totalUnconfirmed) { reasons.append(.totalUnconfirmed) }
            if state == .unreadable { state = .review }
        }
        if date == nil, let found = paper.days.first {
            date = Reading(value: found.value, confidence: 50, page: found.page, box: found.box, isDoubtful: true)
            reasons.removeAll { $0 == .dateMissing }
            if !reasons.contains(.dateUnconfirmed) { reasons.append(.dateUnconfirmed) }
        }
        if chain == nil, store.name == nil { store.name = paper.merchants.first?.value }
    }

    private static func isPossible(_ currency: CurrencyCode?) -> Bool {
        currency.flatMap { Currency(rawValue: $0.code) } != nil
    }
}
