import DocumentParsing
import Testing

/// The method of payment that a receipt states.
@Suite(.timeLimit(.minutes(5))) struct PaymentMethodTests {
    @Test(arguments: [
        ("BAR EUR", PaymentMethod.cash), ("Geg. BAR", .cash), ("ESPÈCES", .cash), ("Geg. Mastercard", .card),
        ("EC-Cash", .card), ("electronic cash", .card), ("Kartenzahlung", .card), ("Debit Mastercard", .card),
    ])
    func `recognises cash and cards by the printed name`(name: String, method: PaymentMethod) {
        #expect(PaymentMethod(printed: name) == method)
    }

    @Test(arguments: [
        "GESCHENKKARTE", "GUTSCHEIN EINGELOEST", "Guthaben Karte", "Gift Card", "SODEXO CARD", "ZAHLUNG", "",
    ])
    func `recognises no method in vouchers and other words`(name: String) {
        #expect(PaymentMethod(printed: name) == nil)
    }

    @Test(arguments: [
        ("BAR          1,80", PaymentMethod?.some(.cash)), ("Girocard     1,80", .card),
        ("BAR          1,00\nGirocard     0,80", nil), ("", nil),
    ])
    func `a receipt has a payment method only if all its payments have it`(lines: String, method: PaymentMethod?) {
        let parsed = Layout.parse(
            """
            LADEN
            12345 Ort
            LAUGENBREZE   1,20 R
            SEMMEL        0,60 R
            Summe         1,80
            \(lines)
            15.02.2026 18:45
            """)
        #expect(parsed.paymentMethod == method, "\(parsed.payments)")
    }
}
