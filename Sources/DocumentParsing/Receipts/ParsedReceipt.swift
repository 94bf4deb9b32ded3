import Domain
import Recognition

/// A receipt as it was understood: every value with its place on the page, what was repaired and what is doubtful.
package struct ParsedReceipt: Sendable {
    package enum State: String, Sendable {
        /// The total, every line total, quantity and unit price are implied by independent evidence and nothing disagrees.
        case proven
        case review
        /// No line and no total could be read.
        case unreadable
    }

    /// Why a receipt is not proven; the raw values are stable.
    package enum Reason: String, Sendable, CaseIterable {
        case nothingRead = "nothing_read"
        case totalMissing = "total_missing"
        case totalUnconfirmed = "total_unconfirmed"
        case sumDiffers = "sum_differs"
        case lineUnreadable = "line_unreadable"
        case repairUnconfirmed = "repair_unconfirmed"
        case quantityDiffers = "quantity_differs"
        case quantityAmbiguous = "quantity_ambiguous"
        case quantityUnconfirmed = "quantity_unconfirmed"
        case unexplainedLine = "unexplained_line"
        case gapBetweenLines = "gap_between_lines"
        case kindDoubtful = "kind_doubtful"
        case taxTableDiffers = "tax_table_differs"
        case taxClassDiffers = "tax_class_differs"
        case articleCountDiffers = "article_count_differs"
        case paymentDiffers = "payment_differs"
        case fiscalCodeDiffers = "fiscal_code_differs"
        case dateMissing = "date_missing"
        case dateUnconfirmed = "date_unconfirmed"
        case dateDisagrees = "date_disagrees"
        case laterTotal = "later_total"
        case training
        case cancelled
        case tooLong = "too_long"
        /// Two photos show nothing in common: a part between them may be missing.
        case pagesApart = "pages_apart"
    }

    package var state: State
    package var reasons: [Reason]
    /// The chain's name in the facts, or what the head of the receipt says.
    package var chain: String?
    package var store: Store
    package var date: Reading<LocalDate>?
    package var time: Reading<LocalTime>?
    package var currency: Currency
    package var items: [Item]
    package var total: Reading<Money>?
    package var taxTable: [TaxRow]
    package var payments: [Payment]
    package var change: Money?
    /// The printed number of articles.
    package var articleCount: Int?
    package var fiscalCode: FiscalCode?
    /// The same data where they are printed as text.
    package var fiscalText: FiscalText?
    /// Places that, read once more, could settle what is doubtful; at most `ReceiptParser.mostRereads`.
    package var rereads: [RereadRequest]

    package struct Store: Sendable, Equatable {
        package var name: String?
        package var street: String?
        package var postalCode: String?
        package var town: String?
        package var vatNumber: String?
    }

    package struct Item: Sendable {
        /// As printed, without article number, VAT class and price.
        package var name: Reading<String>
        package var articleNumber: String?
        package var quantity: Reading<Quantity>
        /// Nil when neither printed nor implied.
        package var unitPrice: Reading<UnitPrice>?
        /// Nil when it could not be read.
        package var total: Reading<Money>?
        package var vatClass: String?
        package var vatRate: VATRate?
        package var kind: LineKind
        /// For a discount: the index of the item that it reduces, when the receipt prints it so.
        package var reducedItem: Int?
    }

    package struct TaxRow: Sendable, Equatable {
        package var vatClass: String?
        package var rate: VATRate?
        package var net: Int64
        package var tax: Int64
        package var gross: Int64
    }

    package struct Payment: Sendable, Equatable {
        package var name: String
        package var amount: Money
    }
}

/// A value with its place.
package struct Reading<Value: Sendable>: Sendable {
    package var value: Value
    /// 0…100, as the engine says of the least certain word.
    package var confidence: Int
    package var page: Int
    /// In pixels of the reading picture; nil for values that are not printed, such as a quantity of one.
    package var box: PixelBox?
    package var isDoubtful: Bool = false
    package var repair: Repair?
}

/// Why a value differs from the print as the engine read it.
package struct Repair: Sendable, Equatable {
    package enum Reason: String, Sendable {
        /// The only reading with which the lines add up to the total.
        case sum
        /// Quantity × unit price.
        case product
        case taxTable = "tax_table"
        case payment
        case reread
    }

    /// What the engine read.
    package var printed: String
    /// What it is taken for.
    package var value: String
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
