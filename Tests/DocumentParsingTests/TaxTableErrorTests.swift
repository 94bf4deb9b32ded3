import DocumentParsing
import Domain
import Recognition
import Testing

/// Misread totals, VAT classes and dates that contradict a tax table or another date.
@Suite(.timeLimit(.minutes(5))) struct `Errors that tax tables and dates reveal` {
    @Test func `reports a tax table with another total`() {
        let parsed = Layout.parse(
            """
            LADEN
            12345 Ort
            SAFT         0,36 A
            BROT        12,70 B
            SUMME       13,06
            BAR         20,06
            Rückgeld     7,00
            Steuer  %    Netto   Steuer   Brutto
            A= 19,0%      0,29     0,06     0,35
            B=  7,0%     11,87     0,73    12,70
            Gesamtbetrag 12,16     0,89    13,05
            """)
        #expect(parsed.reasons.contains(.taxTableDiffers))
    }

    @Test func `reads the amount of a short tax row as gross if only gross gives the printed tax`() {
        let parsed = Layout.parse(
            """
            LADEN
            12345 Ort
            LIMONADE    25,50 1
            EIS          2,49 2
            SUMME       27,99
            BAR         30,00
            Rückgeld     2,01
            1: 19,0%  Brutto 25,50  MwSt 4,07
            2:  7,0%  Brutto  2,49  MwSt 0,16
            07.03.2026 10:11
            07.03.2026
            """)
        #expect(parsed.taxTable.map { $0.gross } == [2_550, 249])
        #expect(parsed.state == .proven, "\(parsed.reasons)")
    }

    @Test(arguments: [
        ("0,19 von 7,40", "31,80"), ("0,00 von -0,02", "24,38"),
    ])
    func `reads an ambiguous short tax row as gross or net like the other rows`(small: String, total: String) {
        let item = total == "31,80" ? "BROT         7,40" : "Rundung     -0,02"
        let parsed = Layout.parse(
            """
            LADEN
            9000 Ort
            KABEL       10,50
            BOHRER      13,90
            \(item)
            TOTAL CHF   \(total)
            VISA CHF    \(total)
            enthält 2,6% MwSt \(small)
            enthält 8,1% MwSt 1,83 von 24,40
            07.03.2026 10:11
            07.03.2026
            """)
        #expect(!parsed.reasons.contains(.taxTableDiffers), "\(parsed.reasons)")
        #expect(parsed.taxTable.count == 2)
    }

    @Test func `does not read an ambiguous short row as gross because of a row without tax`() {
        let parsed = Layout.parse(
            """
            LADEN
            9000 Ort
            BROT         7,59
            BRIEFMARKE   1,00
            TOTAL CHF    8,59
            VISA CHF     8,59
            enthält 0,0% MwSt 0,00 von 1,00
            enthält 2,6% MwSt 0,19 von 7,40
            07.03.2026 10:11
            07.03.2026
            """)
        #expect(parsed.reasons.contains(.taxTableDiffers), "\(parsed.reasons)")
    }

    @Test func `does not add a balance on a card below the change to the payments`() {
        let parsed = Layout.parse(
            """
            LADEN
            12345 Ort
            LAUGENBREZE   1,20 R
            SEMMEL        0,60 R
            Summe         1,80
            Geg. BAR     50,00
            RÜCKGELD     48,20
            Guthaben Kundenkarte 26,98
            15.02.2026 18:45
            15.02.2026
            """)
        #expect(!parsed.reasons.contains(.paymentDiffers), "\(parsed.reasons)")
        #expect(parsed.payments.map(\.amount.minorUnits) == [5_000])
    }

    @Test func `reads a VAT class that touches its rate, and does not prove errors that cancel out across classes`() {
        let text = { (shower: String, drink: String) in
            """
            dm-drogerie markt
            Bahnhofstr. 12, 79098 Freiburg
            14.03.2026   11:42      2041/2   8812   7734
            Dusche Vanille 300ml          \(shower) 1
            Feuchttücher                  3,45 1
            Waschmittel                   3,95 1
            Hafer Drink 1l                \(drink) 2
            Reiswaffeln 100g              1,90 2
            SUMME EUR                    11,10
            VISA EUR                    -11,10
            MwSt-Satz      Brutto    Netto      MwSt
            1=19,00%        8,05     6,76      1,29
            2=7,00%         3,05     2,85      0,20
            """
        }
        let right = Layout.parse(text("0,65", "1,15"))
        #expect(right.items.map { $0.vatRate?.tenthsOfPercent } == [190, 190, 190, 70, 70])
        #expect(Layout.parse(text("0,66", "1,1 ")).state != .proven)
    }

    @Test func `joins the tax tables of items that are sold for another firm`() {
        let parsed = Layout.parse(
            """
            LADEN
            12345 Ort
            BROT            2,14 B
            SUSHI X01       3,95 B
            PAN OLI         1,35 B
            SUMME EUR       7,44
            Geg. BAR        7,44
            Steuer  %   Netto   Steuer   Brutto
            B=    7,0%   3,26   0,23   3,49
            Gesamtbetrag 3,26   0,23   3,49
            Konzessionär: X01
            B=    7,0%   3,69   0,26   3,95
            Gesamtbetrag 3,69   0,26   3,95
            08.02.2021 13:59
            """, source: .text)
        #expect(parsed.taxTable.map(\.gross) == [744])
        #expect(parsed.taxTable.map(\.net) == [695])
        #expect(parsed.state == .proven, "\(parsed.reasons)")
    }

    @Test(arguments: [("6", "A"), ("B", "A"), ("", "A")])
    func `corrects a misread VAT class by the tax table, or reports it`(read: String, expected: String) {
        let parsed = Layout.parse(
            """
            LADEN
            12345 Ort
            BROT        2,00 A
            SALZ        1,00 \(read)
            MEHL        0,50 A
            WEIN        5,90 B
            SUMME       9,40
            KARTE       9,40
            MwSt     Netto   MwSt   Brutto
            A  7%     3,27   0,23     3,50
            B 19%     4,96   0,94     5,90
            """)
        let isSettled = parsed.items[safe: 1]?.vatClass == expected && parsed.state == .proven
        #expect(isSettled || parsed.reasons.contains(.taxClassDiffers))
        #expect(parsed.items[safe: 3]?.vatClass == "B")
    }

    @Test func `corrects a misread class in the tax table by the items`() {
        let parsed = Layout.parse(
            """
            LADEN
            12345 Ort
            BROT        2,00 A
            SALZ        1,00 A
            WEIN        5,90 B
            SUMME       8,90
            KARTE       8,90
            MwSt     Netto   MwSt   Brutto
            4  7%     2,80   0,20     3,00
            B 19%     4,96   0,94     5,90
            """)
        #expect(parsed.items.map(\.vatClass) == ["A", "A", "B"])
        #expect(parsed.state == .proven, "\(parsed.reasons)")
    }

    @Test func `does not replace an unreadable digit by one that hides the misread amount of another line`() throws {
        // 2,99 was read as 2,49, and the unreadable digit of 3,10 can absorb the difference.
        let document = Layout.document(
            """
            real,- SB-Warenhaus
            33100 Paderborn
            INDISCHES CHICKEN     3,99 E
            MARZIPAN-BROT         3,°0 E
            KIWI                  1,99 E
            MANDARINEN            2,49 E
            SUMME EUR            12,07
            MasterCard EUR       12,07
            E   7,0%  0,79  11,28  12,07
            """)
        let word = try #require(document.pages[0].lines.flatMap(\.words).first { $0.text == "2,49" })
        let answer = RereadAnswer(
            request: RereadRequest(page: 0, box: word.box, alphabet: .amount),
            readings: [RecognizedWord(text: "2,99", box: word.box, confidence: 90)])
        #expect(ReceiptParser(today: Layout.today).parse(document, rereads: [answer]).state != .proven)
    }
}

extension Array {
    fileprivate subscript(safe index: Int) -> Element? { indices.contains(index) ? self[index] : nil }
}
