import Domain
import Recognition

/// Builds the parsed receipt from its parts.
enum ReceiptBuilder {
    static func build(
        items drafts: [DraftItem], lines: [ReadLine], sections: Sections, total: (value: Int64, isRepaired: Bool)?,
        tail: TailReader, dates: DateFinder, store: StoreReader, fiscal: FiscalCode?,
        articleCount: Int?, currency: Currency, isBalanced: Bool
    ) -> ParsedReceipt {
        var receipt = ParsedReceipt(
            state: .review, reasons: [], chain: store.chainName, store: store.store, date: dates.date, time: dates.time,
            currency: currency, items: [], total: nil, taxTable: tail.taxes.rows,
            payments: tail.payments.map {
                .init(name: $0.name, amount: Money(minorUnits: $0.amount, currency: currency))
            },
            change: tail.change.map { Money(minorUnits: $0, currency: currency) }, articleCount: articleCount,
            fiscalCode: fiscal, rereads: [])
        if let total { receipt.total = reading(of: total, lines, sections, currency) }
        for (index, draft) in drafts.enumerated() {
            var item = Self.item(draft, currency, isBalanced: isBalanced)
            // Sizes are repaired only on pictures, because digital text is read correctly.
            if let line = draft.lines.first, !lines[line].line.isText {
                item.name.value = MisreadSize.repaired(item.name.value)
            }
            item.vatRate = draft.vatClass.flatMap { TaxClasses.row(for: $0, in: tail.taxes.rows)?.rate }
            item.reducedItem = reducedItem(of: index, in: drafts, reducedAbove: receipt.items.map(\.reducedItem))
            receipt.items.append(item)
        }
        return receipt
    }

    private static func reading(
        of total: (value: Int64, isRepaired: Bool), _ lines: [ReadLine], _ sections: Sections, _ currency: Currency
    ) -> Reading<Money> {
        let money = Money(minorUnits: total.value, currency: currency)
        guard let index = sections.total, let price = lines[index].price else {
            return Reading(value: money, confidence: 50, page: 0, box: nil, isDoubtful: true)
        }
        var reading = lines[index].line.place(price.range).reading(of: money)
        if total.isRepaired {
            reading.repair = Repair(printed: price.printed, value: AmountText.german(total.value), reason: .payment)
            reading.isDoubtful = true
        }
        return reading
    }

    private static func item(_ draft: DraftItem, _ currency: Currency, isBalanced: Bool) -> ParsedReceipt.Item {
        let total = draft.value.map { value in
            draft.pricePlace.reading(
                of: Money(minorUnits: value, currency: currency),
                isDoubtful: (draft.repair != nil && !draft.isRepairConfirmed)
                    || (!isBalanced && !draft.isReadClearly), repair: draft.repair)
        }
        var quantity = Reading(value: Quantity.one, confidence: 100, page: draft.namePlace.page, box: PixelBox?.none)
        var unitPrice: Reading<UnitPrice>?
        if let found = draft.quantity {
            let phrase = found.phrase
            quantity = found.place.reading(
                of: Quantity(thousandths: phrase.quantity, unit: phrase.unit),
                repair: found.repair.flatMap { $0.printed == $0.value ? nil : $0 })
            if let price = phrase.unitPrice {
                // A dash beside the unit price is dirt. The unit price has the sign of the total.
                let sign: Int64 = (draft.value ?? 0) < 0 ? -1 : 1
                unitPrice = Reading(
                    value: UnitPrice(thousandthsOfMinor: sign * abs(price), currency: currency, per: phrase.unit),
                    confidence: found.unitPricePlace?.confidence ?? found.place.confidence, page: found.place.page,
                    box: found.unitPricePlace?.box)
            }
            let differs =
                phrase.product.map { abs($0.magnitude.distance(to: (draft.value ?? 0).magnitude)) > 1 } ?? false
            quantity.isDoubtful = found.isAmbiguous || differs || (found.repair != nil && !found.isConfirmed)
            unitPrice?.isDoubtful = differs || found.isDerived
        } else if let value = draft.value {
            unitPrice = Reading(
                value: UnitPrice(thousandthsOfMinor: value * 1_000, currency: currency, per: .piece), confidence: 100,
                page: draft.pricePlace.page, box: draft.pricePlace.box)
        }
        return ParsedReceipt.Item(
            name: draft.namePlace.reading(of: draft.name), articleNumber: draft.articleNumber, quantity: quantity,
            unitPrice: unitPrice, total: total, vatClass: draft.vatClass, vatRate: nil, kind: draft.kind,
            reducedItem: nil)
    }

    /// Returns the index of the item that the discount at `index` reduces: the nearest one above. Nil if there is none,
    /// its tax class differs or the discounts exceed its price.
    ///
    /// - Parameter reducedAbove: for each draft above, the index of the item that it reduces.
    private static func reducedItem(of index: Int, in drafts: [DraftItem], reducedAbove: [Int?]) -> Int? {
        let discount = drafts[index]
        guard discount.kind == .discount, let place = drafts[..<index].lastIndex(where: { $0.kind == .item })
        else { return nil }
        let item = drafts[place]
        if let own = discount.vatClass, let other = item.vatClass, own != other { return nil }
        guard let reduction = discount.value, let price = item.value else { return place }
        let others = reducedAbove.enumerated().reduce(0) {
            $1.element == place ? $0 + (drafts[$1.offset].value ?? 0) : $0
        }
        // A discount cannot exceed the price.
        guard price < 0 || price + others + reduction >= 0 else { return nil }
        return place
    }
}
