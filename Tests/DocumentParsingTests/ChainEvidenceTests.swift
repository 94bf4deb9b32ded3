import DocumentParsing
import Testing

/// Which parts of a receipt assign it to a chain.
@Suite(.timeLimit(.minutes(5))) struct `Evidence for a chain` {
    /// A receipt with the wording that the tills of one group of chains print. Other shops use the same tills.
    private func receipt(_ head: String) -> String {
        """
        \(head)
        Feldstraße 9
        92971 Altenfurt
        UID Nr.: DE123456788
                                      EUR
        VOLLMILCH                    1,19 B
        PFAND                        0,25 B
        BROT                         2,49 B
        --------------------------------------
        SUMME                EUR     3,93
        Geg. Mastercard      EUR     3,93
        07.03.2026      10:12      Bon-Nr.:123
        """
    }

    @Test(arguments: ["NAHGUT", "Dorfladen Ellerbach", "K. Muster & Töchter", "Petra Muster e.K."])
    func `assigns no chain by the till's wording to a shop that prints its own name`(head: String) {
        #expect(Layout.parse(receipt(head)).chain == head)
    }

    @Test func `takes the chain from the name on top, not from the owner's company name`() {
        let head = "MARKTKAUF\nEDEKA Handelsgesellschaft mbH\nEDEKA Nord"
        #expect(Layout.parse(receipt(head)).chain == "Marktkauf")
    }

    @Test(arguments: ["2 ie WU m", "Markus Muster oHG", "Dein EDEKA"])
    func `assigns the chain by the till's wording only if no other shop is named`(head: String) {
        let chain = Layout.parse(receipt(head)).chain
        #expect(chain == (head == "Dein EDEKA" ? "EDEKA" : "REWE"))
    }
}
