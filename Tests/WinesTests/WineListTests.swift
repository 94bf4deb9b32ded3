import Recognition
import Testing

@testable import Wines

@Suite(.timeLimit(.minutes(5))) struct WineListTests {
    @Test(arguments: [
        ("28", 2800, nil as String?), ("28,–", 2800, nil), ("28,50", 2850, nil), ("€28.50", 2850, "EUR"),
        ("7,5€", nil, nil),
        ("$64", 6400, "USD"), ("Margaux", nil, nil),
    ])
    func `reads prices`(text: String, amount: Int?, currency: String?) {
        #expect(PrintedPrice(text)?.amount == amount)
        #expect(PrintedPrice(text)?.currency == currency)
    }
}
