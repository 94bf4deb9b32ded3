import Domain

/// The method by which a receipt was paid.
package enum PaymentMethod: String, Sendable {
    case cash
    /// By card, telephone or direct debit: the money left an account.
    case card

    /// Recognises the printed name of a payment: `BAR EUR`, `Geg. Mastercard`. Nil for vouchers and unknown words.
    package init?(printed name: String) {
        let words = FoldedText.fold(name).split { !$0.isLetter }.map(String.init)
        // `Gift Card` and `Guthaben Karte` are vouchers. `EC-Cash` and `electronic cash` are cards.
        if words.contains(where: Self.voucherWords.contains) {
            return nil
        } else if words.contains(where: Self.cardWords.contains) {
            self = .card
        } else if words.contains(where: Self.cashWords.contains) {
            self = .cash
        } else {
            return nil
        }
    }

    private static let voucherWords: Set = [
        "cadeau", "edenred", "geschenk", "gift", "guthaben", "gutschein", "regalo", "sodexo", "voucher",
    ]

    private static let cashWords: Set = [
        "bar", "bargeld", "barzahlung", "cash", "contant", "contante", "contanti", "efectivo", "especes", "gotowka",
        "numerar",
    ]

    private static let cardWords: Set = [
        "amex", "american", "apple", "bancaire", "bancomat", "bancontact", "bankomat", "bankomatkarte", "bankpas",
        "blik", "card", "cards", "cb", "contactless", "credit", "credito", "debit", "debito", "debitkarte", "ec",
        "eckarte", "electronic", "elettronico", "elv", "girocard", "google", "karta", "karte", "kartenz",
        "kartenzahlung", "kontaktlos", "kreditkarte", "lastschrift", "maestro", "mastercard", "paypal", "pin",
        "pinbetaling", "pinnen", "postcard", "postfinance", "tarjeta", "twint", "unbar", "visa", "vpay",
    ]
}

extension ParsedReceipt {
    /// The method of all printed payments. Nil if no payment is printed, if one of them is a voucher or has an unknown
    /// name, and if they have different methods. A German fiscal code also states whether all payments were in cash; it
    /// does not tell cards from vouchers.
    package var paymentMethod: PaymentMethod? {
        if let code = fiscalCode, !code.payments.isEmpty, code.payments.allSatisfy({ $0.kind.hasPrefix("Bar") }) {
            return .cash
        }
        let methods = Set(payments.map { PaymentMethod(printed: $0.name) })
        return methods.count == 1 ? methods.first ?? nil : nil
    }
}
