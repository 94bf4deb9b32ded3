import Domain
import Recognition

/// A parsed receipt: every value with its place on the page, repairs and doubts.
package struct ParsedReceipt: Sendable {
    /// The state of the receipt; the raw values are stable.
    package enum State: String, Sendable {
        /// Independent evidence confirms the total, every line total, quantity and unit price; nothing contradicts it.
        case proven
        /// Read, but a person should check it because of `reasons`.
        case review
        /// No line and no total could be read.
        case unreadable
    }

    /// Why a receipt is not proven; the raw values are stable.
    package enum Reason: String, Sendable, CaseIterable {
        /// No item was found.
        case nothingRead = "nothing_read"
        /// The total was not found.
        case totalMissing = "total_missing"
        /// No second source confirms the total, or one misread digit would go unnoticed.
        case totalUnconfirmed = "total_unconfirmed"
        /// The lines do not add up to the total.
        case sumDiffers = "sum_differs"
        /// No currency was found, or receipts in this currency are not understood well enough to be proven.
        case currencyForeign = "currency_foreign"
        /// A line has no legible amount.
        case lineUnreadable = "line_unreadable"
        /// An amount was repaired, and no other evidence confirms the repair.
        case repairUnconfirmed = "repair_unconfirmed"
        /// Quantity × unit price is not the line's total; weights may differ by one minor unit, in francs by two.
        case quantityDiffers = "quantity_differs"
        /// A quantity may belong to the line above or below.
        case quantityAmbiguous = "quantity_ambiguous"
        /// A quantity was read only once, and quantity × unit price does not confirm it, or a line may hold an unread
        /// quantity.
        case quantityUnconfirmed = "quantity_unconfirmed"
        /// A line among the items is neither an item nor another known kind of line.
        case unexplainedLine = "unexplained_line"
        /// A gap between lines has room for an unread line.
        case gapBetweenLines = "gap_between_lines"
        /// A line may be an item, a deposit or a deposit return, or may have been cancelled at the till.
        case kindDoubtful = "kind_doubtful"
        /// The tax table adds up to another total.
        case taxTableDiffers = "tax_table_differs"
        /// The lines of a class do not add up to the row of that class in the tax table.
        case taxClassDiffers = "tax_class_differs"
        /// The printed number of articles differs from every possible count of the lines.
        case articleCountDiffers = "article_count_differs"
        /// Payments less change give another total.
        case paymentDiffers = "payment_differs"
        /// The fiscal code has another total or date.
        case fiscalCodeDiffers = "fiscal_code_differs"
        /// No date was found, but a time, an unreadable date or the receipt's footer was found.
        case dateMissing = "date_missing"
        /// The date was read once, and nothing else confirms it.
        case dateUnconfirmed = "date_unconfirmed"
        /// Different dates are printed.
        case dateDisagrees = "date_disagrees"
        /// Another total is printed below the total and is larger than half of it, or the picture shows another
        /// receipt.
        case laterTotal = "later_total"
        /// The till was in training mode: nothing was bought.
        case training
        /// The whole receipt was cancelled.
        case cancelled
        /// The receipt has more lines than the parser reads; the remaining lines were left out.
        case tooLong = "too_long"
        /// Two photos do not overlap: a part between them may be missing.
        case pagesApart = "pages_apart"
    }

    package var state: State
    /// Reasons against `proven`; empty if there are none.
    package var reasons: [Reason]
    /// The name of the known chain, otherwise the store's name in the head of the receipt.
    package var chain: String?
    /// The store as printed in the head.
    package var store: Store
    /// The date of the purchase; nil if none could be read.
    package var date: Reading<LocalDate>?
    /// The time of the purchase; nil if none could be read.
    package var time: Reading<LocalTime>?
    /// The currency of all amounts; euro if neither the print nor its language indicates another.
    package var currency: Currency
    /// Lines in the printed order: items, deposits, discounts and all other kinds of `LineKind`.
    package var items: [Item]
    /// The total; nil if it could not be read and nothing implies it.
    package var total: Reading<Money>?
    /// Whether the total is printed: as a total line, payments less change, the tax table, a card slip or a fiscal
    /// code. Otherwise `total` is the sum of the lines: a proposal that a person has to confirm.
    package var isTotalRead = true
    /// The rows of the tax table, without its sum.
    package var taxTable: [TaxRow]
    /// The payments in printed order. Cash payments include the change.
    package var payments: [Payment]
    /// The change in cash; nil if none is printed.
    package var change: Money?
    /// The printed number of articles.
    package var articleCount: Int?
    /// Nil if no code of a receipt was found.
    package var fiscalCode: FiscalCode?
    /// The fiscal data that are printed as text.
    package var fiscalText: FiscalText?
    /// Whether a photo shows another sheet with amounts beside the receipt.
    package var hasOtherSheet = false
    /// Places to read again in order to resolve doubts; at most `ReceiptParser.maximumRereads`.
    package var rereads: [RereadRequest]

    /// The store as printed in the head; parts that were not found are nil.
    package struct Store: Sendable, Equatable {
        /// The name in the head, otherwise the chain's name.
        package var name: String?
        /// With the house number, as printed.
        package var street: String?
        /// Four digits in Austria and Switzerland, five in Germany.
        package var postalCode: String?
        /// As printed after the postal code.
        package var town: String?
        /// The VAT number, without blanks: `DE` and nine digits, or `ATU` and eight.
        package var vatNumber: String?
    }

    /// A line item with its kind, quantity and price.
    package struct Item: Sendable {
        /// As printed, without article number, VAT class and price.
        package var name: Reading<String>
        /// The chain's article number, if it is printed in front of the name; digits only.
        package var articleNumber: String?
        /// If no quantity is printed, one piece without a place.
        package var quantity: Reading<Quantity>
        /// Nil if neither printed nor implied.
        package var unitPrice: Reading<UnitPrice>?
        /// Nil when it could not be read.
        package var total: Reading<Money>?
        /// As printed beside the price; nil if none is printed.
        package var vatClass: String?
        /// The rate of the class in the receipt's tax table; nil if the table does not have it.
        package var vatRate: VATRate?
        /// The kind of the line, which determines its effect on the total and on prices.
        package var kind: LineKind
        /// For a discount: the index of the item that it reduces; nil if the receipt does not show which.
        package var reducedItem: Int?
    }

    /// A row of the tax table, in minor units of the receipt's currency.
    package struct TaxRow: Sendable, Equatable {
        /// Nil if the table has no classes.
        package var vatClass: String?
        /// Nil if neither print nor amounts determine it.
        package var rate: VATRate?
        /// Without the tax.
        package var net: Int64
        /// The tax; `net` plus `tax` is `gross`.
        package var tax: Int64
        /// With the tax.
        package var gross: Int64
    }

    /// A payment and its method.
    package struct Payment: Sendable, Equatable {
        /// As printed: `BAR`, `Mastercard`.
        package var name: String
        /// In the receipt's currency.
        package var amount: Money
    }
}
