import Domain

/// Receipts for money that the store pays to the customer, with amounts printed without a sign.
enum PaidOut {
    enum Certainty { case certain, likely }

    /// How certain it is that all items are returned bottles or crates, `LEERGUT KASTEN  3,10`, for which the store
    /// paid.
    ///
    /// - Returns: nil for other receipts; `certain` if a key word says that money was paid out.
    static func empties(_ items: [DraftItem], _ lines: [ReadLine], tail: TailReader, total: Int64?, fiscal: FiscalCode?)
        -> Certainty?
    {
        guard !items.isEmpty, let total, total > 0, fiscal?.total != total, tail.change ?? 0 == 0,
            items.allSatisfy({ item in
                item.kind == .depositReturn && item.value ?? 0 > 0
                    && item.lines.contains { lines[$0].roles[.depositReturn]?.distance == 0 }
            })
        else { return nil }
        if tail.isPaidOut { return .certain }
        // Money for returned bottles is paid out in cash. Another means of payment suggests that the deposit was
        // charged.
        let isCash = tail.payments.allSatisfy { payment in
            payment.name.uppercased().split { !$0.isLetter }.allSatisfy {
                ["BAR", "BARGELD", "EUR", "CHF"].contains($0)
            }
        }
        return isCash ? .likely : nil
    }
}

extension ParsedReceipt {
    /// Returns the receipt with all amounts negated, because the store paid them.
    func negated() -> ParsedReceipt {
        func negative(_ money: Money) -> Money { Money(minorUnits: -money.minorUnits, currency: money.currency) }
        var copy = self
        copy.total?.value = negative(total?.value ?? Money(minorUnits: 0, currency: currency))
        for index in copy.items.indices {
            if let total = copy.items[index].total?.value { copy.items[index].total?.value = negative(total) }
            if let price = copy.items[index].unitPrice?.value {
                copy.items[index].unitPrice?.value = UnitPrice(
                    thousandthsOfMinor: -price.thousandthsOfMinor, currency: price.currency, per: price.unit)
            }
        }
        for index in copy.payments.indices { copy.payments[index].amount = negative(copy.payments[index].amount) }
        copy.taxTable = taxTable.map {
            .init(vatClass: $0.vatClass, rate: $0.rate, net: -$0.net, tax: -$0.tax, gross: -$0.gross)
        }
        return copy
    }
}
