import Domain
import Recognition

/// A receipt as it was understood: every value with its place on the page, what was repaired and what is doubtful.
package struct ParsedReceipt: Sendable {
    /// What is to become of the receipt; the raw values are stable.
    package enum State: String, Sendable {
        /// The total, every line total, quantity and unit price are implied by independent evidence and nothing disagrees.
        case proven
        /// Read, and `reasons` say what a person should look at.
        case review
        /// No line and no total could be read.
        case unreadable
    }

    /// Why a receipt is not proven; the raw values are stable.
    package enum Reason: String, Sendable, CaseIterable {
        /// No line of goods was found.
        case nothingRead = "nothing_read"
        /// What was to be paid was not found.
        case totalMissing = "total_missing"
        /// No second witness says the same total, or one misread digit would go unnoticed.
        case totalUnconfirmed = "total_unconfirmed"
        /// The lines add up to something else than the total.
        case sumDiffers = "sum_differs"
        /// No currency was found, or it is one whose receipts are not understood well enough to be proven.
        case currencyForeign = "currency_foreign"
        /// A line has no legible amount.
        case lineUnreadable = "line_unreadable"
        /// An amount was taken for another than was read, and nothing else bears it out.
        case repairUnconfirmed = "repair_unconfirmed"
        /// Quantity × unit price is not the line's total; for weights one minor unit is forgiven.
        case quantityDiffers = "quantity_differs"
        /// A quantity could belong to the line above or below.
        case quantityAmbiguous = "quantity_ambiguous"
        /// A quantity was read once, and no product fixes its digits; or there may be one nobody read.
        case quantityUnconfirmed = "quantity_unconfirmed"
        /// A line among the goods is neither a good nor anything else that is known.
        case unexplainedLine = "unexplained_line"
        /// There is room for a line where none was read.
        case gapBetweenLines = "gap_between_lines"
        /// A line may be goods, or a deposit or its return; or it was cancelled at the till.
        case kindDoubtful = "kind_doubtful"
        /// The table of taxes adds up to another total.
        case taxTableDiffers = "tax_table_differs"
        /// The lines of a class do not add up to that class's row of the table.
        case taxClassDiffers = "tax_class_differs"
        /// The printed number of articles is not that of the lines, in any way that tills count.
        case articleCountDiffers = "article_count_differs"
        /// What was paid, less the change, is another total.
        case paymentDiffers = "payment_differs"
        /// The fiscal code has another total or another day.
        case fiscalCodeDiffers = "fiscal_code_differs"
        /// No day was found, though a time, a broken day or the receipt's foot was.
        case dateMissing = "date_missing"
        /// The day was read once, and nothing else says it.
        case dateUnconfirmed = "date_unconfirmed"
        /// Two places print different days.
        case dateDisagrees = "date_disagrees"
        /// Below the total stands another, larger than half of it.
        case laterTotal = "later_total"
        /// The till was training: nothing was bought.
        case training
        /// The whole receipt was cancelled.
        case cancelled
        /// More lines than are read; the rest was left out.
        case tooLong = "too_long"
        /// Two photos show nothing in common: a part between them may be missing.
        case pagesApart = "pages_apart"
    }

    /// Proven, or for a person to look at.
    package var state: State
    /// What keeps it from being proven; empty where nothing does.
    package var reasons: [Reason]
    /// The chain's name in the facts, or what the head of the receipt says.
    package var chain: String?
    /// What the head says of the shop, as printed.
    package var store: Store
    /// The day of the purchase; nil when none could be read.
    package var date: Reading<LocalDate>?
    /// Nil when none could be read.
    package var time: Reading<LocalTime>?
    /// Of every amount; euro if neither the print nor its language says another.
    package var currency: Currency
    /// Lines in the printed order: goods, deposits, discounts and the like.
    package var items: [Item]
    /// What was to be paid; nil when it could not be read and nothing implies it.
    package var total: Reading<Money>?
    /// The paper says the total: its own line, payments less change, the table of taxes, a card slip or a fiscal code. When
    /// false, `total` is what the lines add up to: a proposal that a person has to confirm.
    package var isTotalRead = true
    /// The rows of the table by rate, without its sum.
    package var taxTable: [TaxRow]
    /// In the printed order; what was given in cash comes before the change is taken off.
    package var payments: [Payment]
    /// What was handed back, in cash; nil when none is printed.
    package var change: Money?
    /// The printed number of articles.
    package var articleCount: Int?
    /// Nil when no code was found, or none that is a receipt's.
    package var fiscalCode: FiscalCode?
    /// The same data where they are printed as text.
    package var fiscalText: FiscalText?
    /// Another sheet with amounts lies beside the receipt on a photo.
    package var hasOtherSheet = false
    /// Places that, read once more, could settle what is doubtful; at most `ReceiptParser.mostRereads`.
    package var rereads: [RereadRequest]

    /// What a receipt's head tells of the shop; each part is nil where it was not found.
    package struct Store: Sendable, Equatable {
        /// What the head is headed by, else the chain's name.
        package var name: String?
        /// With the house number, as printed.
        package var street: String?
        /// Four digits in Austria and Switzerland, five in Germany.
        package var postalCode: String?
        /// As printed behind the postal code.
        package var town: String?
        /// `DE` and nine digits, or `ATU` and eight, without blanks.
        package var vatNumber: String?
    }

    /// A line: what it is, how much of it, and what it costs.
    package struct Item: Sendable {
        /// As printed, without article number, VAT class and price.
        package var name: Reading<String>
        /// The chain's own, where it is printed in front of the name; figures.
        package var articleNumber: String?
        /// One piece, without a place, where nothing else is printed.
        package var quantity: Reading<Quantity>
        /// Nil when neither printed nor implied.
        package var unitPrice: Reading<UnitPrice>?
        /// Nil when it could not be read.
        package var total: Reading<Money>?
        /// As printed beside the price; nil where there is none.
        package var vatClass: String?
        /// What the receipt's own table says of the class; nil where it does not.
        package var vatRate: VATRate?
        /// What the line means for the total and for prices.
        package var kind: LineKind
        /// For a discount: the index of the item that it reduces, when the receipt prints it so.
        package var reducedItem: Int?
    }

    /// A row of the table of taxes, in minor units of the receipt's currency.
    package struct TaxRow: Sendable, Equatable {
        /// Nil where the table goes by rates alone.
        package var vatClass: String?
        /// Nil where neither print nor amounts tell.
        package var rate: VATRate?
        /// Without the tax.
        package var net: Int64
        /// The tax itself; `net` and it make `gross`.
        package var tax: Int64
        /// With the tax.
        package var gross: Int64
    }

    /// One means by which it was paid.
    package struct Payment: Sendable, Equatable {
        /// As printed: `BAR`, `Mastercard`.
        package var name: String
        /// In the receipt's currency.
        package var amount: Money
    }
}

/// A value with its place.
package struct Reading<Value: Sendable>: Sendable {
    /// Repaired where `repair` says so.
    package var value: Value
    /// 0…100, as the engine says of the least certain word.
    package var confidence: Int
    /// Counted over all files of the document, from 0.
    package var page: Int
    /// In pixels of the reading picture; nil for values that are not printed, such as a quantity of one.
    package var box: PixelBox?
    /// For a person to look at: repaired without a second witness, at odds with other print, or hardly read.
    package var isDoubtful: Bool = false
    /// Nil when the value is what the engine read.
    package var repair: Repair?
}

/// Why a value differs from the print as the engine read it.
package struct Repair: Sendable, Equatable {
    /// What the value was changed for; the raw values are stable.
    package enum Reason: String, Sendable {
        /// The only reading with which the lines add up to the total.
        case sum
        /// Quantity × unit price.
        case product
        /// The only reading with which the table of taxes agrees.
        case taxTable = "tax_table"
        /// What was paid, less the change.
        case payment
        /// A second reading of the same place.
        case reread
    }

    /// What the engine read.
    package var printed: String
    /// What it is taken for.
    package var value: String
    /// By which witness.
    package var reason: Reason

    /// `1,16 statt 116: Summe`.
    package func text(_ language: Language) -> String {
        switch language {
        case .german: "\(value) statt \(printed): \(label(language))"
        case .english: "\(value) instead of \(printed): \(label(language))"
        }
    }

    private func label(_ language: Language) -> String {
        switch (reason, language) {
        case (.sum, .german): "Summe"
        case (.sum, .english): "sum"
        case (.product, .german): "Menge × Einzelpreis"
        case (.product, .english): "quantity × unit price"
        case (.taxTable, .german): "Steuertabelle"
        case (.taxTable, .english): "tax table"
        case (.payment, .german): "Zahlung"
        case (.payment, .english): "payment"
        case (.reread, .german): "zweite Lesung"
        case (.reread, .english): "second reading"
        }
    }
}
