import DocumentParsing
import Domain
import Recognition
import Testing

/// Receipts whose logo no engine can read. Other parts of the receipt name the store.
@Suite(.timeLimit(.minutes(5))) struct `Damaged heads` {
    private let body = """
        Brot         4,20 B
        Zopf         5,50 B
        Topf        49,00 B
        SUMME EUR   58,70
        BAR         60,00
        RUECKGELD    1,30
        07.03.2026 13:28
        """

    private func receipt(_ head: String, _ rows: [String] = [], codes: [RecognizedCode] = []) -> ParsedReceipt {
        Layout.parse(
            ([head, "Hauptstraße 5", "4600 Wels", body] + rows).joined(separator: "\n"), codes: codes)
    }

    @Test(arguments: ["nn un", "ld Lk", "AV v", "EEE EE EEE"])
    func `does not read noise or logo letters as a name`(head: String) {
        #expect(receipt(head).chain == nil)
    }

    @Test func `skips words with low confidence and much smaller print when looking for the name`() {
        var document = Layout.document("ELITE\nTankstelle Huber\nHauptstraße 5\n4600 Wels\n" + body)
        document.pages[0].lines[0].words[0].confidence = 12
        #expect(ReceiptParser(today: Layout.today).parse(document).chain == "Tankstelle Huber")
        document.pages[0].lines[0].words[0].confidence = 90
        document.pages[0].lines[0].words[0].box.height = 9
        #expect(ReceiptParser(today: Layout.today).parse(document).chain == "Tankstelle Huber")
        document.pages[0].lines[0].words[0].box.height = 60
        #expect(ReceiptParser(today: Layout.today).parse(document).chain == "ELITE")
    }

    @Test(arguments: [
        ("w Tankstelle Huber", "Tankstelle Huber"), ("2 Rad Huber", "2 Rad Huber"), ("K Huber", "K Huber"),
    ])
    func `drops a stray small letter before the name, but keeps a digit or a capital`(head: String, name: String) {
        #expect(receipt(head).chain == name)
    }

    @Test func `does not read a misread street as a name`() {
        let parsed = Layout.parse("ld Lk\nRoserwag 25/27\n58239 Schwerte\n\(body)")
        #expect(parsed.chain == nil)
        #expect(parsed.store.town == "Schwerte")
    }

    @Test(arguments: [
        ("Starkl\nGartencenter", "Gartencenter Starkl"),
        ("Bäckerei-Konditorei\nStröhl", "Bäckerei-Konditorei Ströhl"),
        ("HOFLADEN\nAIGNER", "HOFLADEN AIGNER"), ("Horladen\nAIGNER", "AIGNER"), ("APOTHEKE", "APOTHEKE"),
    ])
    func `joins the kind of store and the name`(head: String, name: String) {
        #expect(receipt(head).chain == name)
    }

    @Test(arguments: [
        ("jö Bonus Club", nil), ("PENNY. Erstmal zu Penny.", "Penny"), ("Ums Eck. Ums Leben besser.", "Nah & Frisch"),
        ("Danke - bis bald bei Netto", "Netto"), ("Dein tebonus: 27 Punkte", "Tegut"),
        ("SPAR dankt für Ihren Einkauf", "Spar"), ("Seriously local. Danke!", "MPreis"),
    ])
    func `recognises the chain by a slogan`(slogan: String, chain: String?) {
        #expect(receipt("ld Lk", [slogan]).chain == chain)
    }

    @Test(arguments: [
        ("https://www.tegut.com/app", "Tegut"), ("https://feedback.billa.at/?b=7712", "Billa"),
        ("https://www.beispiel.at/billa.at", nil), ("www.billa.at", nil),
    ])
    func `recognises the chain by the address in a bar code`(text: String, chain: String?) {
        #expect(receipt("ld Lk", codes: [Layout.code("QRCode", text)]).chain == chain)
    }

    @Test func `prefers the chain in the head to the company in the footer`() {
        #expect(receipt("BILLA PLUS", ["BILLA AG, Wiener Neudorf"]).chain == "Billa Plus")
        #expect(receipt("BILLA", ["BILLA AG, Wiener Neudorf"]).chain == "Billa")
        #expect(receipt("ld Lk", ["BILLA AG, Wiener Neudorf"]).chain == "Billa")
        #expect(receipt("Marken-Discount").chain == "Netto")
    }

    @Test func `does not recognise a chain by phrases with low confidence`() {
        var document = Layout.document("ld Lk\nHauptstraße 5\n4600 Wels\n\(body)\nREWF APP")
        let last = document.pages[0].lines.count - 1
        #expect(ReceiptParser(today: Layout.today).parse(document).chain == "REWE")
        for word in document.pages[0].lines[last].words.indices {
            document.pages[0].lines[last].words[word].confidence = 20
        }
        #expect(ReceiptParser(today: Layout.today).parse(document).chain == nil)
    }
}
