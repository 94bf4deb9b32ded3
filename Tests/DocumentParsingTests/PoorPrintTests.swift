import DocumentParsing
import Domain
import Recognition
import Testing

/// Printed rules (rows of dashes), rows of numbers and merged amounts in poor print.
@Suite(.timeLimit(.minutes(5))) struct `Rows in poor print` {
    private func receipt(_ rows: String, total: String, paid: String, change: String) -> String {
        """
        Laden Huber
        91217 Hersbruck
        TRAUBEN HELL 500G           1,99 A
        \(rows)
        ROGGENMISCHBROT             1,15 A
        SUMME                      \(total)
        BAR                        \(paid)
        RÜCKGELD                   \(change)
        07.03.2026 10:12
        07.03.2026
        """
    }

    @Test(arguments: [
        "zzz au smzmzzzumusmazsuanzezumzmmauszur zzzzzzuazanz", "EEE LEE EEE EL EEE EEE EEE nn",
        ".u.——u——| | ||| mm nmmnnun nn nmmumnn nn nn nn ns onm", "=--—=z22z255222 2222222227 zz z222>>",
    ])
    func `does not read a printed rule as an item`(rule: String) {
        var document = Layout.document(receipt(rule, total: "3,14", paid: "5,00", change: "1,86"))
        for word in document.pages[0].lines[3].words.indices {
            document.pages[0].lines[3].words[word].confidence = 40
        }
        let parsed = ReceiptParser(today: Layout.today).parse(document)
        #expect(parsed.items.count == 2)
        #expect(parsed.state == .proven, "\(parsed.reasons)")
    }

    @Test(arguments: ["EEEEEEEEEEE2EEE2EEE2EE223E2EE2EEEE22222211", "2=-----===3222223222333222223232222232223"])
    func `reads long rows of four characters as printed rules, whatever the confidence`(rule: String) {
        let parsed = Layout.parse(receipt(rule, total: "3,14", paid: "5,00", change: "1,86"))
        #expect(parsed.state == .proven, "\(parsed.reasons)")
    }

    @Test func `reads a row as a printed rule if one engine reads only dashes and similar signs`() {
        var document = Layout.document(receipt("nenn ------ee", total: "3,14", paid: "5,00", change: "1,86"))
        for word in document.pages[0].lines[3].words.indices {
            document.pages[0].lines[3].words[word].confidence = 90
            document.pages[0].lines[3].secondEngineWords[word].text = "-_----"
            document.pages[0].lines[3].secondEngineWords[word].confidence = 60
        }
        let parsed = ReceiptParser(today: Layout.today).parse(document)
        #expect(parsed.items.count == 2)
        #expect(parsed.state == .proven, "\(parsed.reasons)")
    }

    @Test(arguments: ["B.36", "b,36", "S.36"])
    func `reads an amount whose first digit was read as a letter that may be a tax class`(amount: String) throws {
        let first = amount.hasPrefix("B") ? 836 : amount.hasPrefix("b") ? 636 : 536
        let total = 249 + first
        let parsed = Layout.parse(
            """
            LADEN
            12345 Ort
            Artikel          Anz   Preis  Betrag
            SPINAT             4    2,09    \(amount) 1
            KAFFEE             1    2,49    2,49 1
            SUMME                          \(total / 100),\(total % 100 < 10 ? "0" : "")\(total % 100)
            """)
        #expect(parsed.items.map { $0.total?.value.minorUnits } == [Int64(first), 249])
    }

    @Test func `does not read a line with a multiplication sign as a printed rule`() {
        var document = Layout.document(receipt("z x l,ig", total: "3,14", paid: "5,00", change: "1,86"))
        for word in document.pages[0].lines[3].words.indices {
            document.pages[0].lines[3].words[word].confidence = 40
            document.pages[0].lines[3].secondEngineWords[word].text = "-_-.-"
        }
        let parsed = ReceiptParser(today: Layout.today).parse(document)
        #expect(parsed.state == .review)
    }

    @Test(arguments: ["KAFFEE REGULÄR               2,86 A", "EINTRITT NORMALPREIS         2,86 A"])
    func `reads items whose names end with a word for regular prices`(row: String) {
        let parsed = Layout.parse(receipt(row, total: "6,00", paid: "6,00", change: "0,00"))
        #expect(parsed.items.count == 3)
    }

    @Test func `does not read the word for rice as the header of a column of prices`() {
        let parsed = Layout.parse(
            receipt("REIS. 400G                  2,86 A", total: "6,00", paid: "6,00", change: "0,00"))
        #expect(parsed.state == .proven, "\(parsed.reasons)")
    }

    @Test func `accepts the head of a table of weights with a zero in place of the letter O`() {
        let parsed = Layout.parse(
            receipt(
                "TOMATEN LOSE\nkg   EUR0/kg   EUR0\n0,442   2,59   1,14 A", total: "4,28", paid: "5,00", change: "0,72")
        )
        #expect(parsed.summary.contains { $0.hasPrefix("TOMATEN LOSE 0,442 kg 2,59 1,14") }, "\(parsed.summary)")
        #expect(!parsed.reasons.contains(.unexplainedLine), "\(parsed.reasons)")
    }

    @Test func `keeps the better reading of a line that a crease shows twice`() {
        let text = receipt("SALZ 1KG                    2,86 A", total: "6,00", paid: "6,00", change: "0,00")
        var document = Layout.document(text)
        var twin = document.pages[0].lines[3]
        for word in twin.words.indices {
            twin.words[word].box.y += 6
            twin.words[word].confidence = 55
        }
        twin.words[0].text = "SAIZ"
        for place in [3, 4] {
            document.pages[0].lines.insert(twin, at: place)
            let parsed = ReceiptParser(today: Layout.today).parse(document)
            #expect(
                parsed.items.map(\.name.value) == ["TRAUBEN HELL 500G", "SALZ 1KG", "ROGGENMISCHBROT"],
                "\(parsed.items.map(\.name.value))")
            #expect(parsed.state == .proven, "\(parsed.reasons)")
            document.pages[0].lines.remove(at: place)
        }
    }

    @Test(arguments: [30, 90])
    func `does not treat a quantity that overlaps a tall name as a second reading of the name`(confidence: Int) {
        let text = receipt(
            "GURKEN FRISCH IM GLAS       2,86 A\n2 STK X 1,43", total: "6,00", paid: "6,00", change: "0,00")
        var document = Layout.document(text)
        let name = document.pages[0].lines[3].words[0].box
        for word in document.pages[0].lines[4].words.indices {
            document.pages[0].lines[4].words[word].confidence = confidence
            document.pages[0].lines[4].words[word].box.y = name.y + 4
        }
        let parsed = ReceiptParser(today: Layout.today).parse(document)
        #expect(parsed.summary.contains("GURKEN FRISCH IM GLAS 2 Stk 1,43 2,86 A item"), "\(parsed.summary)")
    }

    @Test func `keeps VAT classes before names on a tilted page`() {
        let names = ["VOLLMILCH", "BUTTER", "SEMMEL", "KRESSE", "TOPFEN", "HONIG", "SALZ", "REIS", "NUDELN", "KAFFEE"]
        let rows = names.enumerated().map { "\($0 < 6 ? "B" : "C")    \($1) FRISCH           1,0\($0)" }
        var document = Layout.document(
            "SUPERMARKT BERGER\n4020 Linz\n" + rows.joined(separator: "\n") + "\nSUMME          10,45\n07.03.2026 10:12"
        )
        for (index, line) in document.pages[0].lines.enumerated() {
            for word in line.words.indices { document.pages[0].lines[index].words[word].box.x += 200 - 8 * index }
            document.pages[0].lines[index].secondEngineWords = []
        }
        let parsed = ReceiptParser(today: Layout.today).parse(document)
        #expect(parsed.items.map(\.name.value) == names.map { "\($0) FRISCH" }, "\(parsed.items.map(\.name.value))")
        #expect(parsed.items.map(\.vatClass) == (0..<10).map { $0 < 6 ? "B" : "C" })
    }

    @Test func `reads an amount after a star even if the name ends with a size`() {
        let text = """
            CAN MARKET
            51063 Köln
            BARAN BULGUR 1KG           *2,49
            CAYKUR TEE 500G            *5,49
            TOPLAM/SUMME               *7,98
            BAR                       *10,00
            ZURÜCK                     *2,02
            07.03.2026 10:12
            """
        let parsed = Layout.parse(text)
        #expect(
            parsed.summary == ["BARAN BULGUR 1KG 1 Stk 2,49 2,49 - item", "CAYKUR TEE 500G 1 Stk 5,49 5,49 - item"])
        #expect(parsed.total?.value.minorUnits == 798)
    }

    @Test func `reads the count before an extra that begins with a plus sign`() {
        let text = """
            CAFE RITTER
            1170 Wien
            2 Melange                  9,80
            1 Sachertorte              5,80
            2 + Schlagobers            1,80
            GESAMT                    17,40
            BAR                       17,40
            07.03.2026 10:12
            """
        let items = Layout.parse(text).items
        #expect(items.map(\.name.value) == ["Melange", "Sachertorte", "+ Schlagobers"])
        #expect(items.map(\.quantity.value.thousandths) == [2_000, 1_000, 2_000])
    }

    @Test func `does not replace many nines by zeros if zeros are read elsewhere`() {
        let text = """
            Laden Huber
            91217 Hersbruck
            MILCH                      1,99 A
            BROT                       2,99 A
            KAESE                      3,99 A
            WURST                      4,99 A
            SALAT                      2,00 A
            GURKE                      0,60 A
            SUMME                     12,96
            BAR                       12,96
            07.03.2026 10:12
            """
        // The items exceed the total by 3,60, as if the first 9 in each of four amounts were a 0.
        #expect(Layout.parse(text).items.compactMap { $0.total?.value.minorUnits } == [199, 299, 399, 499, 200, 60])
    }

    @Test(arguments: [
        ("SPAGHETTI NR. 5 5006", "SPAGHETTI NR. 5 500G"), ("Kidneybohnen 4009", "Kidneybohnen 400g"),
        ("Kürbiskernöl 0,51", "Kürbiskernöl 0,5l"), ("Ice Tea Lemon 1.51", "Ice Tea Lemon 1.5l"),
        ("Aproz Medium 6x1.5Il", "Aproz Medium 6x1.5l"), ("Cervelas 2x1009", "Cervelas 2x100g"),
        ("Mandarinen Netz 1k9", "Mandarinen Netz 1kg"), ("Zwiebel 1k9 Netz", "Zwiebel 1kg Netz"),
        ("Almdudler 1,51 PET", "Almdudler 1,5l PET"), ("Fendant AOC 70c1", "Fendant AOC 70cl"),
        ("Adapter K9 Netz", "Adapter K9 Netz"), ("Nägel 2x1990", "Nägel 2x1990"), ("Schraube 0,61", "Schraube 0,61"),
        ("Bio Salami fein 806", "Bio Salami fein 80G"), ("BUTTER 2509", "BUTTER 250G"),
        ("MANDEL DRINK IL", "MANDEL DRINK 1L"),
        ("Weizenmehl W700 ikg", "Weizenmehl W700 1kg"), ("Basmatireis 1ikg", "Basmatireis 1kg"),
        ("Kakao 2508", "Kakao 250g"), ("RED BULL DOSE 0, 25L", "RED BULL DOSE 0,25L"), ("MILCH 3, 5%", "MILCH 3,5%"),
        // A number that is not a size stays unchanged.
        ("LEGO 1208", "LEGO 1208"), ("Art. 4, 5 kurz", "Art. 4,5 kurz"), ("WEIN, 2 L", "WEIN, 2 L"),
        ("LEIM TYPE 1056", "LEIM TYPE 1056"), ("RIOJA 2016", "RIOJA 2016"), ("RIOJA 2009", "RIOJA 2009"),
        ("RIOJA 2006", "RIOJA 2006"), ("PEUGEOT 206", "PEUGEOT 206"),
        ("SPRAY WD 40", "SPRAY WD 40"), ("BOHRER 5,0", "BOHRER 5,0"), ("KABEL NR 4006", "KABEL NR 4006"),
        ("SAUCE CHILI 5016", "SAUCE CHILI 5016"), ("FILTER 10006", "FILTER 10006"),
    ])
    func `restores a unit that was read as a digit, on photos only`(
        read: String, name: String
    ) {
        let row = read + String(repeating: " ", count: 28 - read.count) + "2,86 A"
        let text = receipt(row, total: "6,00", paid: "6,00", change: "0,00")
        #expect(Layout.parse(text).items.map(\.name.value) == ["TRAUBEN HELL 500G", name, "ROGGENMISCHBROT"])
        #expect(
            Layout.parse(text, source: .text).items.map(\.name.value) == ["TRAUBEN HELL 500G", read, "ROGGENMISCHBROT"])
    }

    @Test(arguments: ["NUSSNUSSNUSSNUSSNUSS", "2 x 1,11  2 x 1,11 2 x 1,11"])
    func `does not read words with high confidence as a printed rule`(row: String) {
        let parsed = Layout.parse(receipt(row, total: "3,14", paid: "5,00", change: "1,86"))
        #expect(row.hasPrefix("NUSS") || parsed.state != .proven, "\(parsed.summary)")
    }

    @Test func `restores a damaged amount beside a quantity`() {
        let parsed = Layout.parse(
            receipt(
                "PILS 6er\n  2 x      4,49            B, 98*A\nBUTTER                      2,49 A", total: "14,61",
                paid: "15,00", change: "0,39"))
        #expect(parsed.summary.contains { $0.hasPrefix("PILS 6er 2 Stk 4,49 8,98") }, "\(parsed.summary)")
    }

    @Test func `reads litres whose unit was read as a digit`() {
        let parsed = Layout.parse(
            receipt(
                "*Super E5\n  38,42 1 x 1,859 EUR/l      71,42 A", total: "74,56", paid: "80,00", change: "5,44"))
        #expect(parsed.summary.contains("*Super E5 38,42 l 1,859 71,42 A item"), "\(parsed.summary)")
    }

    @Test func `reads a misread 1 before a multiplication sign, and drops marks of the paper's edge before names`() {
        let receipt = Layout.parse(
            """
            Kaufhaus Linde
            8630 Mariazell
            [BAUERNBROT 1KG
            ıx 4,20                4,20 1
            |LANDBUTTER
            2x 2,79                5,58 1
            ‚ANSICHTSKARTE
            l x 0,80               0,80 2
            EINSATZ FL.
            10 x 0,20              2,00 2
            RÜCKGABE FL.
            7x -0,20              -1,40 2
            GESAMT EUR            11,18
            BAR GEGEBEN           12,00
            RÜCKGELD               0,82
            07.03.2026 10:12
            """)
        #expect(
            receipt.summary == [
                "BAUERNBROT 1KG 1 Stk 4,20 4,20 1 item", "LANDBUTTER 2 Stk 2,79 5,58 1 item",
                "ANSICHTSKARTE 1 Stk 0,80 0,80 2 item", "EINSATZ FL. 10 Stk 0,20 2,00 2 deposit",
                "RÜCKGABE FL. 7 Stk -0,20 -1,40 2 deposit_return",
            ])
    }
}
