import DocumentParsing
import Testing

/// The parts of a receipt from which its chain is determined.
@Suite(.timeLimit(.minutes(5))) struct `Evidence for a chain` {
    /// A receipt with the wording that the tills of one group of chains print. Other stores use the same tills.
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
    func `assigns no chain by the till's wording to a store that prints its own name`(head: String) {
        #expect(Layout.parse(receipt(head)).chain == head)
    }

    @Test func `takes the chain from the name on top, not from the owner's company name`() {
        let head = "MARKTKAUF\nEDEKA Handelsgesellschaft mbH\nEDEKA Nord"
        #expect(Layout.parse(receipt(head)).chain == "Marktkauf")
    }

    @Test(arguments: ["2 ie WU m", "Markus Muster oHG", "Dein EDEKA"])
    func `assigns the chain by the till's wording only if no other store is named`(head: String) {
        let chain = Layout.parse(receipt(head)).chain
        #expect(chain == (head == "Dein EDEKA" ? "EDEKA" : "REWE"))
    }

    @Test(arguments: [
        // Kaufland sells these brands, too.
        ("Filiale 12", "PARKSIDE AKKU  0,95\nSILVERCREST MIXER  3,95", "Lidl"),
        // Billa Plus and Adeg sell these brands, too.
        ("Filiale 12", "CLEVER MEHL  0,95\nJA NATÜRLICH EIER  3,95", "Billa"),
        ("Filiale 12", "NETZKABEL  0,95\nMAUS  3,95\nSupercard Payment\nSuperpunkte", "Coop"),
        ("Boulangerie Martin\nCentre commercial Carrefour", "BAGUETTE  0,95\nTARTE  3,95", "Carrefour"),
        ("Boulangerie Leclerc", "BAGUETTE  0,95\nTARTE  3,95", "E.Leclerc"),
        ("Sport Huber\nIhre Clubcard", "HEMD  0,95\nSOCKEN  3,95", "Tesco"),
        ("Filiale 12\nBonuskarte", "HEMD  0,95\nSOCKEN  3,95", "Albert Heijn"),
        ("Filiale 12\nTeppich Fachzentrum", "HEMD  0,95\nSOCKEN  3,95", "Bauhaus"),
        ("H. M. Getränke", "HEMD  0,95\nSOCKEN  3,95", "H&M"),
        ("H.M. Getränke", "HEMD  0,95\nSOCKEN  3,95", "H&M"),
        ("Spielwaren Huber", "Biedronka Figur  0,95\nSOCKEN  3,95", "Biedronka"),
    ])
    func `assigns no chain by words that other stores print, too`(head: String, items: String, chain: String) {
        let receipt = Layout.parse("\(head)\nRathausplatz 1\n90403 Nürnberg\n\(items)\nSumme  4,90\n07.03.2026")
        #expect(receipt.chain != chain)
    }
}
