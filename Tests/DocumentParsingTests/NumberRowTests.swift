import DocumentParsing
import Domain
import Testing

/// Below the name of an item, a row can have its amount and a number: an article number, a pump number or the count of
/// returned crates.
@Suite(.timeLimit(.minutes(5))) struct `Rows of numbers below names` {
    private func receipt(_ rows: String, total: String, paid: String, change: String) -> ParsedReceipt {
        Layout.parse(
            """
            Laden Huber
            06108 Halle
            Tee lose               4,15 A
            \(rows)
            SUMME                 \(total)
            BAR                   \(paid)
            RÜCKGELD               \(change)
            07.03.2026 10:12
            07.03.2026
            """)
    }

    @Test func `does not read a medicine number as the name`() {
        let receipt = receipt(
            """
            IBU RATIO 400MG AKUT 20St
              PZN 10019638         4,98 A
            NASENSPRAY 10ml
              PZN 00794597         6,79 A
            """, total: "15,92", paid: "20,00", change: "4,08")
        #expect(
            receipt.summary == [
                "Tee lose 1 Stk 4,15 4,15 A item", "IBU RATIO 400MG AKUT 20St 1 Stk 4,98 4,98 A item",
                "NASENSPRAY 10ml 1 Stk 6,79 6,79 A item",
            ])
        #expect(receipt.state == .proven, "\(receipt.reasons)")
    }

    @Test func `does not read a medicine number on a row of its own as the name`() {
        let receipt = receipt(
            """
            IBU RATIO 400MG AKUT 20St
              PZN 10019638 FTA
                                   4,98 A
            NASENSPRAY 10ml
              PZN 00794597 NAS
                                   6,79 A
            """, total: "15,92", paid: "20,00", change: "4,08")
        #expect(
            receipt.summary.dropFirst() == [
                "IBU RATIO 400MG AKUT 20St 1 Stk 4,98 4,98 A item", "NASENSPRAY 10ml 1 Stk 6,79 6,79 A item",
            ])
    }

    @Test func `reads a name beside a medicine number that touches its label`() {
        let receipt = receipt(
            """
            PZN-10019638 IBUPROFEN AKUT
                                   4,98 A
            """, total: "9,13", paid: "10,00", change: "0,87")
        #expect(receipt.items.last?.name.value.contains("IBUPROFEN") == true)
        #expect(receipt.items.last?.total?.value.figure() == "4,98")
    }

    @Test(arguments: ["PZN 10019638", "10019638", "505.221.87"])
    func `does not read an article number beside the first item's amount as a name`(number: String) {
        let receipt = Layout.parse(
            """
            Apotheke Huber
            06108 Halle
            IBU RATIO 400MG AKUT 20St
              \(number)         4,98 A
            NASENSPRAY 10ml
              PZN 00794597         6,79 A
            SUMME                 11,77
            BAR                   20,00
            RÜCKGELD               8,23
            """)
        #expect(receipt.summary.first == "IBU RATIO 400MG AKUT 20St 1 Stk 4,98 4,98 A item")
        #expect(receipt.summary.count == 2)
    }

    @Test func `does not read a pump number as the first item's name`() {
        let receipt = Layout.parse(
            """
            Tankstelle Huber
            24116 Kiel
            *Super E5
             Säule 03
             38,42 l x 1,859 EUR/l 71,42 A
            SUMME                 71,42
            BAR                   80,00
            RÜCKGELD               8,58
            """)
        #expect(receipt.summary == ["*Super E5 38,42 l 1,859 71,42 A item"])
    }

    @Test func `reads fuel with the unit of the price before the price, and the amount on the next row`() {
        let receipt = receipt(
            """
            *Super E5
             Säule 03
             28,59 Liter  EUR/Liter 1,819
             EUR                  52,01 A
            """, total: "56,16", paid: "60,00", change: "3,84")
        #expect(receipt.summary.last == "*Super E5 28,59 l 1,819 52,01 A item")
    }

    @Test func `reads counts before article numbers left of indented weights`() {
        let receipt = Layout.parse(
            """
            Vollkorb
            Kirchplatz 12, 04617 Brückheim
            17.08.2024  20:05
            13529336 Emmentaler Stk
              Netto 1,444 kg  18,19 €/kg              26,27
            13319013 Minutensteak
              Netto 0,972 kg  10,59 €/kg              10,29
            1 91670248 Rapsöl 0,75L                    2,20
            85816347 Zwetschgen
              Netto 1,586 kg  2,39 €/kg                3,79
            2 30848187 Apfelmus                        9,10
            23236361 Kartoffeln festk.
              Netto 0,436 kg  1,79 €/kg                0,78
            Summe                                EUR  52,43
            VISA                                 EUR  52,43
            """)
        #expect(receipt.summary.contains("Apfelmus 2 Stk 4,55 9,10 - item"))
        #expect(receipt.summary.contains("Rapsöl 0,75L 1 Stk 2,20 2,20 - item"))
    }

    @Test func `does not read a number and a quantity beside the amount as the name`() {
        let receipt = receipt(
            """
            PHILIPS LATTE GO
              Art. 2690099 1 x 10,99 10,99 A
            """, total: "15,14", paid: "20,00", change: "4,86")
        #expect(receipt.summary.last == "PHILIPS LATTE GO 1 Stk 10,99 10,99 A item")
    }

    @Test func `does not read a pump number as a quantity`() {
        let receipt = receipt(
            """
            *Super E5
             Säule 03
             38,42 l x 1,859 EUR/l 71,42 A
            """, total: "75,57", paid: "80,00", change: "4,43")
        #expect(receipt.summary.last == "*Super E5 38,42 l 1,859 71,42 A item")
    }

    @Test(arguments: ["-3 x 3,10", "3 x -3,10", "-3 Stk x 3,10"])
    func `reads the count of returned crates`(quantity: String) {
        let receipt = Layout.parse(
            """
            Getränke Huber
            12057 Berlin
            Spreequell 12x0,7     10,98 A
            Leergut Kasten
              \(quantity)          -9,30 A
            SUMME                  1,68
            BAR                    2,00
            RÜCKGELD               0,32
            """)
        #expect(receipt.summary.last == "Leergut Kasten 3 Stk -3,10 -9,30 A deposit_return")
    }

    @Test func `accepts an article count between the word and the amount of a total`() {
        let receipt = Layout.parse(
            """
            Metzgerei Huber
            87437 Kempten
                      kg   EUR/kg     EUR
            Lyoner grob
                   0,212    15,80    3,35
            Tara 0,004
            Wiener
                   0,406    14,90    6,05
            POSTEN 2    EUR          9,40
            inkl. 7% MwSt            0,61
            07.03.2026 10:11
            """)
        #expect(receipt.total?.value.figure() == "9,40")
        #expect(receipt.summary.count == 2)
    }
}
