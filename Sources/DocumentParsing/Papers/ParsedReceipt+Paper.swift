import Domain

extension ParsedReceipt {
    /// Adds the likeliest values of `paper`, a reading of the same document. On a supermarket receipt, they only fill
    /// in missing values; on other papers, they also replace values. An added total or date is marked as doubtful.
    package mutating func complete(_ paper: PaperReading) {
        if state == .proven { reviewIfTipFollows(paper) }
        // Supermarket receipts are recognised by their layout; other papers are read better by their words, even the
        // orders of a grocer's online shop.
        let isOtherPaper = paper.kind == .order || paper.kind != nil && !isOfGrocer
        let isNoReceipt = state == .unreadable && paper.kind == nil && paper.totals.isEmpty
        if isNoReceipt, !isStoreConfirmed { (chain, store.name) = (nil, nil) }
        let needsName = chain == nil && store.name == nil && state != .proven && !isNoReceipt
        if isOtherPaper || needsName, let found = paper.merchants.first {
            if chain != nil { chain = found.value }
            store.name = found.value
        }
        guard state != .proven, items.isEmpty || paper.kind != nil else { return }
        if total == nil || isOtherPaper, let found = paper.totals.first, total?.value.minorUnits != found.value,
            paper.currency == nil || Self.isPossible(paper.currency)
        {
            if let code = paper.currency?.code, let known = Currency(rawValue: code) { currency = known }
            total = Reading(
                value: Money(minorUnits: found.value, currency: currency), confidence: 50, page: found.page,
                box: found.box, isDoubtful: true)
            isTotalRead = true
            reasons.removeAll { $0 == .nothingRead || $0 == .totalMissing }
            if !reasons.contains(.totalUnconfirmed) { reasons.append(.totalUnconfirmed) }
            if state == .unreadable { state = .review }
        }
        if date == nil || isOtherPaper, let found = paper.days.first, date?.value != found.value {
            date = Reading(value: found.value, confidence: 50, page: found.page, box: found.box, isDoubtful: true)
            reasons.removeAll { $0 == .dateMissing }
            if !reasons.contains(.dateUnconfirmed) { reasons.append(.dateUnconfirmed) }
        }
    }

    /// Sends a proven bill to review if a tip follows its total, or if the figures of a tip may be unread.
    private mutating func reviewIfTipFollows(_ paper: PaperReading) {
        guard !isOfGrocer, let total else { return }
        let isTipAdded = paper.tip.map { paper.totals.first?.value == total.value.minorUnits + $0.value } ?? false
        guard isTipAdded || paper.hasTipWithoutFigure else { return }
        state = .review
        reasons.append(.totalUnconfirmed)
    }

    /// Whether the chain sells groceries or drugstore products.
    package var isOfGrocer: Bool {
        let category = chain.flatMap { PayeeLexicon.shared.beginning($0) }?.category
        return category == "groceries" || category == "drugstore"
    }

    /// Whether the chain is known, or an address or a VAT number was read. Otherwise the text read as the name may be
    /// anything.
    private var isStoreConfirmed: Bool {
        chain.flatMap { PayeeLexicon.shared.beginning($0) } != nil || store != Store(name: store.name)
    }

    private static func isPossible(_ currency: CurrencyCode?) -> Bool {
        currency.flatMap { Currency(rawValue: $0.code) } != nil
    }
}
