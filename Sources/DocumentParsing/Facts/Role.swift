/// The meaning that a key word gives to its line. The raw value is the key in the facts file.
enum Role: String, CaseIterable, Sendable {
    case total
    case subtotal
    case weakTotal = "total_weak"
    case rounding
    case payment
    case change
    case rest
    case vatHeader = "vat_header"
    case vatTotal = "vat_total"
    case count
    case countBehind = "count_behind"
    case slip
    case footer
    case hours
    case header
    case columnHeader = "column_header"
    case deposit
    case depositReturn = "deposit_return"
    case noDeposit = "no_deposit"
    case discount
    case coupon
    case saved
    case void
    case handEntry = "hand_entry"
    case articleLabel = "article_label"
    case quantityLabel = "quantity_label"
    case weightHeader = "weight_header"
    case basePrice = "base_price"
    case tare
    case points
    case weakDeposit = "deposit_weak"
    case training
    case cancelled
    case cancelledAlone = "cancelled_alone"
    case returned
    case paidOut = "paid_out"
    case tax
    case otherDay = "other_day"
    case ownDay = "own_day"
    case good
    case trade
    case shopKind = "shop_kind"
}
