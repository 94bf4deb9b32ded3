import Testing

@testable import Domain

@Suite(.timeLimit(.minutes(5))) struct AmountTests {
    @Test(arguments: [
        ("12,50", "EUR", 1_250), ("USD 12", "USD", 1_200), ("12.5 usd", "USD", 1_250), ("1.234,56 €", "EUR", 123_456),
        ("JPY 1200", "JPY", 1_200), ("KWD 1,234", "KWD", 1_234), ("-3,20", "EUR", -320), ("£5", "GBP", 500),
        ("Fr. 3.20", "CHF", 320), ("1'234.50 Fr.", "CHF", 123_450), ("CHF 1\u{2019}234.50", "CHF", 123_450),
        ("12,–", "EUR", 1_200), ("12.-- CHF", "CHF", 1_200), ("€ 12,- ", "EUR", 1_200), ("12-", "EUR", -1_200),
        ("1 200 Ft", "HUF", 120_000), ("9,90 zł", "PLN", 990), ("50 Kč", "CZK", 5_000), ("¥1200", "JPY", 1_200),
    ])
    func `reads an amount with or without its currency`(text: String, currency: String, minorUnits: Int64) throws {
        let amount = try Amount(parsing: text, currency: .eur)
        #expect(amount == Amount(minorUnits: minorUnits, currency: try #require(CurrencyCode(currency))))
    }

    @Test(arguments: [
        "", "x", "1,2,3", "12 euros", "1e5", "--3", "1,005", "12,---", "–12,-", "12 Fr", ",-",
        String(repeating: "1", count: 100),
    ])
    func `refuses texts that are not amounts`(text: String) {
        #expect(throws: NumberError.self) { try Amount(parsing: text, currency: .eur) }
    }

    @Test(
        arguments: [
            ("12,50", 1_250), ("EUR 3", 300), ("0", nil), ("-3,20", nil), ("USD 12", nil), ("x", nil), ("", nil),
        ] as [(String, Int64?)])
    func `reads a positive amount in one currency`(text: String, minorUnits: Int64?) {
        #expect(Amount.positive(text, in: .eur) == minorUnits)
    }

    @Test func `shows the code of a foreign currency`() throws {
        let dollars = Amount(minorUnits: -123_456, currency: try #require(CurrencyCode("USD")))
        #expect(dollars.formatted(.german) == "−1.234,56\u{A0}USD")
        #expect(dollars.formatted(.english) == "−USD\u{A0}1,234.56")
        #expect(Amount(minorUnits: 5, currency: try #require(CurrencyCode("JPY"))).formatted() == "5\u{A0}JPY")
    }
}
