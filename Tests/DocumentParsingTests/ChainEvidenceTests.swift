import DocumentParsing
import Testing

/// What makes a shop one of a chain, and what does not.
@Suite(.timeLimit(.minutes(5))) struct `Evidence for a chain` {
    /// The wording of tills that one group of chains uses, and others that bought the same till.
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
    func `A shop that says its name belongs to no chain by the look of its till`(head: String) {
        #expect(Layout.parse(receipt(head)).chain == head)
    }

    @Test func `The name on top is the chain, not the one its owner belongs to`() {
        let head = "MARKTKAUF\nEDEKA Handelsgesellschaft mbH\nEDEKA Nord"
        #expect(Layout.parse(receipt(head)).chain == "Marktkauf")
    }

    @Test(arguments: ["2 ie WU m", "Markus Muster oHG", "Dein EDEKA"])
    func `A till's wording tells the chain only where no other shop is named`(head: String) {
        let chain = Layout.parse(receipt(head)).chain
        #expect(chain == (head == "Dein EDEKA" ? "EDEKA" : "REWE"))
    }
}
