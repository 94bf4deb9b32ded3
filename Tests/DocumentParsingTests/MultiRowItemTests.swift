import DocumentParsing
import Domain
import Testing

/// Items whose name, quantity and amount are on two or three rows.
@Suite(.timeLimit(.minutes(5))) struct `Items over several rows` {
    private func receipt(_ itemLines: String, total: String, change: String) -> ParsedReceipt {
        Layout.parse(
            """
                Feinkost Huber
                4600 Wels
            \(itemLines)
            SUMME          \(total)
            BAR            20,00
            RÜCKGELD       \(change)
            """)
    }

    @Test func `applies a quantity after the name to the amount below`() {
        let parsed = receipt(
            "Semmel         0,59 A\nJoghurt natur 3 x 1,19\n               3,57 A\nSenf           1,99 A",
            total: "6,15",
            change: "13,85")
        #expect(
            parsed.summary == [
                "Semmel 1 Stk 0,59 0,59 A item", "Joghurt natur 3 Stk 1,19 3,57 A item", "Senf 1 Stk 1,99 1,99 A item",
            ])
    }

    @Test func `reads a first item on two rows`() {
        let parsed = receipt(
            "Leberkäse 0,482 kg x 13,99 EUR/kg\n               6,74 A\nSenf           1,99 A", total: "8,73",
            change: "11,27")
        #expect(parsed.items.map(\.name.value) == ["Leberkäse", "Senf"])
        #expect(parsed.items.first?.quantity.value.thousandths == 482)
    }

    @Test func `reads name, weight and amount on three rows`() {
        let parsed = receipt(
            "Semmel         0,59 A\nPUTENSCHNITZEL\n 0,482 kg x 13,99 EUR/kg\n               6,74 A\nSenf           1,99 A",
            total: "9,32", change: "10,68")
        #expect(parsed.items.map(\.name.value) == ["Semmel", "PUTENSCHNITZEL", "Senf"])
        #expect(parsed.items.map(\.quantity.value.thousandths) == [1_000, 482, 1_000])
    }

    @Test(arguments: ["1 Stk", "1 x  ", "1 St."])
    func `reads names above single pieces and their amounts`(count: String) {
        let parsed = receipt(
            """
            2345678  USB-Kabel
              \(count)        8,49
            2876543  Batterien
              2 Stk  á  1,00 2,00
            1122334  Netzteil
              \(count)        3,99
            """, total: "14,48", change: "5,52")
        #expect(parsed.items.map(\.name.value) == ["USB-Kabel", "Batterien", "Netzteil"])
        #expect(parsed.items.compactMap { $0.total?.value.figure() } == ["8,49", "2,00", "3,99"])
        #expect(parsed.items.map(\.quantity.value.thousandths) == [1_000, 2_000, 1_000])
    }

    @Test func `does not read a package size after the name as the quantity of the amount below`() {
        let parsed = receipt(
            "Semmel         0,59 A\nPILS KISTE 6X0,33\n               8,49 A\nSenf           1,99 A", total: "11,07",
            change: "8,93")
        #expect(parsed.items.map(\.name.value) == ["Semmel", "PILS KISTE 6X0,33", "Senf"])
        #expect(parsed.items.map(\.quantity.value.thousandths) == [1_000, 1_000, 1_000])
    }

    @Test func `reports a quantity line below the total as unexplained`() {
        let parsed = Layout.parse(
            """
                Laden
                4600 Wels
            Rittersport    2,58 A
            Senf           1,99 A
            SUMME          4,57
            2 x 1,29
            BAR            5,00
            RÜCKGELD       0,43
            """)
        #expect(parsed.reasons.contains(.unexplainedLine))
    }

    @Test func `keeps a size at the end of a name if all amounts follow quantities`() {
        let parsed = receipt(
            """
            Batterien AA 4er
              1 Stk x 3,49           3,49 A
            Haribo Goldbären 175g
              2 Stk x 1,09           2,18 A
            Latte Fichte 24x48 2m
              3 Stk x 1,55           4,65 A
            Bio Kichererbsen 400g
              1 Stk x 0,99           0,99 A
            """, total: "11,31", change: "8,69")
        #expect(
            parsed.items.map(\.name.value)
                == ["Batterien AA 4er", "Haribo Goldbären 175g", "Latte Fichte 24x48 2m", "Bio Kichererbsen 400g"])
        #expect(parsed.items.map { $0.total?.value.minorUnits } == [349, 218, 465, 99])
        #expect(parsed.items.map(\.quantity.value.thousandths) == [1_000, 2_000, 3_000, 1_000])
    }

    @Test func `reads a tax rate between quantity and amount`() {
        let parsed = receipt(
            """
            Heumilch Glasfl. 1l
              2 x 2,20      10%    4,40
            Pfandflasche
              2 x 0,50      10%    1,00
            Erdäpfel heurige
              2,350 kg x 2,80 10%  6,58
            """, total: "11,98", change: "8,02")
        #expect(parsed.items.map(\.name.value) == ["Heumilch Glasfl. 1l", "Pfandflasche", "Erdäpfel heurige"])
        #expect(parsed.items.map { $0.total?.value.minorUnits } == [440, 100, 658])
    }

    @Test func `restores a lost amount from its quantity line if it is the difference to the total`() {
        let parsed = receipt(
            "Diesel, | u... 8:35 A\n  41,37 l x 1,529 EUR/l\nKaffee gross     3,50 A\nZeitung          2,30 A",
            total: "69,05", change: "-49,05")
        #expect(
            parsed.summary == [
                "Diesel 41,37 l 1,529 63,25 - item", "Kaffee gross 1 Stk 3,50 3,50 A item",
                "Zeitung 1 Stk 2,30 2,30 A item",
            ])
        #expect(parsed.state == .review)
        let other = receipt(
            "Diesel, | u... 8:35 A\n  41,37 l x 1,529 EUR/l\nKaffee gross     3,50 A\nZeitung          2,30 A",
            total: "68,05", change: "-48,05")
        #expect(other.items.count == 2)
    }

    @Test func `restores a lost amount from the quantity line below the name`() {
        let parsed = receipt(
            """
            Butter 250G       4,98 B
              2 Stk x 2,49
            Tofu Natur        1,86 B
            Tofu Natur        1,86 B
            Bergkaese Es Br
              2 Stk x 3,44
            Zeitung           2,30 A
            """, total: "17,88", change: "2,12")
        #expect(
            parsed.items.map(\.name.value) == ["Butter 250G", "Tofu Natur", "Tofu Natur", "Bergkaese Es Br", "Zeitung"])
        #expect(parsed.items.map { $0.total?.value.minorUnits } == [498, 186, 186, 688, 230])
    }
}
