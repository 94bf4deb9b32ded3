import DocumentParsing
import Domain
import Testing

/// Counts beside an article number, or beside a unit price without a multiplication sign.
@Suite(.timeLimit(.minutes(5))) struct `Counts beside article numbers and unit prices` {
    private func receipt(_ rows: String, total: String) -> ParsedReceipt {
        Layout.parse(
            """
            LADEN HUBER
            12345 Ort
            \(rows)
            SUMME                            \(total)
            Kartenzahlung                    \(total)
            07.03.2026 13:28
            TSE-Start 2026-03-07T13:28:01
            """)
    }

    @Test func `reads a count and a unit price between name and amount if their product is the amount`() {
        let parsed = receipt(
            """
            Ketchup 500ML 2 2,20 EUR          4,40
            Honig 500G 3 3,00 EUR             9,00
            Sauerkraut 500G 1 1,00 EUR        1,00
            """, total: "14,40")
        #expect(parsed.items.map(\.quantity.value.thousandths) == [2_000, 3_000, 1_000])
        #expect(parsed.items.map(\.name.value) == ["Ketchup 500ML", "Honig 500G", "Sauerkraut 500G"])
    }

    @Test(arguments: ["1090664905095 Honig Blüten   ", "   1090664905095 Honig Blüten"])
    func `does not prove a quantity of one if the place of its count before the name is empty`(name: String) {
        let parsed = receipt(
            """
            6 4054543199753 Haferflocken      8,88
            \(name)    48,90
            9193523022369 Eistee Pfirs.       0,92
            4016458444658 Sahne               0,79
            """, total: "59,49")
        #expect(parsed.items.map(\.quantity.value.thousandths) == [6_000, 1_000, 1_000, 1_000])
        #expect((parsed.state == .proven) == !name.hasPrefix(" "), "\(parsed.reasons)")
    }

    @Test(arguments: ["64519048499035 Riesling Wachau", "   4519048499035 Riesling Wachau"])
    func `does not prove a quantity of one if the article number begins in the column of the counts`(name: String) {
        let parsed = receipt(
            """
            1 1578075963027 Toast Weizen      1,69
            3 6491847448787 Rotwein          12,57
            \(name)   31,14
            2 8962739797347 Basmatireis       5,38
            """, total: "50,78")
        #expect(parsed.items.map(\.quantity.value.thousandths) == [1_000, 3_000, 1_000, 2_000])
        #expect(parsed.state == .review, "\(parsed.reasons)")
    }

    @Test func `does not prove a quantity of one if a single name begins with a count and an article number`() {
        let parsed = receipt(
            """
            4498 SCHWARZTEE 500G              4,79
            2578 AYRAN 250ML                  0,69
            2 5190 SOJASAUCE 500ML            8,20
            1185 BULGUR FEIN 1KG              2,09
            """, total: "15,77")
        let isRight = parsed.items.dropFirst(2).first?.quantity.value.thousandths == 2_000
        #expect(isRight || parsed.state == .review, "\(parsed.summary)")
    }

    @Test(arguments: [true, false])
    func `proves counts before names without unit price only if a unit price shows that the numbers are counts`(
        isShown: Bool
    ) {
        let parsed = receipt(
            """
            1 Fischstäbchen                   3,40
            10 Shampoo Brennnessel           12,80
            6 Thunfisch Öl \(isShown ? "1,11" : "    ")               6,66
            1 Kichererbsen                    1,35
            """, total: "24,21")
        #expect(parsed.items.map(\.quantity.value.thousandths) == [1_000, 10_000, 6_000, 1_000])
        #expect((parsed.state == .proven) == isShown, "\(parsed.reasons)")
    }

    @Test func `does not prove counts before names if no name has the count 1`() {
        let parsed = receipt(
            """
            6 Thunfisch Öl 1,11               6,66
            4 Korn Brot                       3,20
            """, total: "9,86")
        #expect(parsed.state == .review)
    }

    @Test func `reads a count with a multiplication sign before an article number, although other lines have none`() {
        let parsed = receipt(
            """
            Leberkäse                         8,80
            2x 7468475098122 Chips Paprika    2,20
            Speisequark mager                 0,89
            3x 9092 Rapsöl 1L 2,05            6,15
            HOLZLEIM Menge 3 EP 5,89         17,67
            """, total: "35,71")
        #expect(
            parsed.items.map(\.name.value) == [
                "Leberkäse", "Chips Paprika", "Speisequark mager", "Rapsöl 1L", "HOLZLEIM",
            ])
        #expect(parsed.items.map(\.quantity.value.thousandths) == [1_000, 2_000, 1_000, 3_000, 3_000])
        #expect(parsed.items[4].unitPrice?.value.figure() == "5,89")
    }
}
