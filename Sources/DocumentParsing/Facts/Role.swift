/// The meaning that a key word gives to its line. The raw value is the key in the facts file.
enum Role: String, CaseIterable, Sendable {
    case total
    case subtotal
    /// Less certain words for the total, such as `BETRAG`.
    case weakTotal = "total_weak"
    case rounding
    case payment
    case change
    /// The part of the total that is still to be paid.
    case rest
    case vatHeader = "vat_header"
    case vatTotal = "vat_total"
    case count
    /// Words for articles, beside the number of articles: `12 ARTIKEL`, `POSTEN 4`.
    case articleWord = "count_behind"
    /// Words of a card slip.
    case slip
    case footer
    /// Words of opening hours.
    case hours
    case header
    case columnHeader = "column_header"
    case deposit
    case depositReturn = "deposit_return"
    case noDeposit = "no_deposit"
    case discount
    case coupon
    /// Words for an amount saved, which does not reduce the total.
    case saved
    case void
    /// A weight or price that the cashier entered.
    case handEntry = "hand_entry"
    case articleLabel = "article_label"
    case quantityLabel = "quantity_label"
    case weightHeader = "weight_header"
    case basePrice = "base_price"
    case tare
    case points
    /// Words that mean a deposit and also occur in names of items: `EINWEG`.
    case weakDeposit = "deposit_weak"
    case training
    case cancelled
    /// Words that mean a cancelled receipt only if they are alone on a line above the items or below the total.
    case cancelledAlone = "cancelled_alone"
    /// A heading alone on a line above returned items.
    case returned
    /// Money that the store pays to the customer.
    case paidOut = "paid_out"
    /// Words for a tax on a line among the items.
    case tax
    /// Labels of a date that is not the purchase date.
    case otherDay = "other_day"
    /// Labels of the purchase date.
    case ownDay = "own_day"
    /// Words in names of items that look like other key words.
    case itemWord = "good"
    /// Words that show, beside the name of a chain, that the store belongs to another company.
    case trade
    /// The kind of store, alone on a line of the head.
    case storeKind = "shop_kind"

    /// Roles of lines below the total.
    static let closing: [Role] = [.payment, .change, .vatHeader, .slip]
}
