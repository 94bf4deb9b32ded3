import Recognition
import Testing

@testable import Wines

/// Wine lists with errors of the OCR.
@Suite(.timeLimit(.minutes(5))) struct MisreadListTests {
    private func prices(_ entries: [WineListEntry]) -> [[String]] {
        entries.map { $0.prices.map { "\($0.size.map(String.init) ?? "-") \($0.amount)" } }
    }

    @Test func `reads misread sizes above the prices`() {
        let entries = WineList.read([
            listPage(
                """
                #Italia                             o.1ı    754
                Tommasi, Amarone 2015 ............     9     60
                Bollini, Merlot 2018 .............     7     42
                Banfi, Brunello 2014 .............    12     88
                """)
        ])
        #expect(prices(entries) == [["100 900", "750 6000"], ["100 700", "750 4200"], ["100 1200", "750 8800"]])
        #expect(entries.allSatisfy { $0.country == "Italy" })
    }

    @Test func `splits prices that were read as one number`() {
        var page = listPage(
            """
            Muga, Rioja Rosado 2019              6     12
            Vacheron, Sancerre 2020             10     20
            Lapierre, Morgon 2018                7     14
            Baudry, Chinon 2017                  8     16
            """)
        let (low, high) = (page.lines[2].words[3], page.lines[2].words[4])
        page.lines[2].words[3...] = [RecognizedWord(text: "714", box: low.box.union(high.box), confidence: 60)]
        let entries = WineList.read([page])
        #expect(entries.map { $0.prices.map(\.amount) } == [[600, 1200], [1000, 2000], [700, 1400], [800, 1600]])
    }

    @Test func `drops rows of dots before prices that were read as letters`() {
        let entries = WineList.read([
            listPage(
                """
                Moric, Blaufränkisch 2017 uuunsssnnseesneneeene  39,00
                Prieler, Leithaberg 2016 z2z222020402002000      4500
                Tement, Zieregg 2015     ..................      58,00
                """)
        ])
        #expect(
            entries.map(\.text) == ["Moric, Blaufränkisch 2017", "Prieler, Leithaberg 2016", "Tement, Zieregg 2015"])
        #expect(entries.map { $0.prices.map(\.amount) } == [[3900], [4500], [5800]])
    }

    @Test func `keeps a wine whose price was not read`() {
        let entries = WineList.read([
            listPage(
                """
                2016 Casa Silva, Carmenère             28
                2007 Erasmo, Cabernet Franc
                2011 Salton, Moscatel                  25
                2014 Faust, Cabernet Sauvignon         57
                """)
        ])
        #expect(entries.map(\.vintage) == [2016, 2007, 2011, 2014])
        #expect(entries.map { $0.prices.map(\.amount) } == [[2800], [], [2500], [5700]])
    }

    @Test func `restores a lost apostrophe if the list prints short years`() {
        let entries = WineList.read([
            listPage(
                """
                Louis Jadot, Chablis ’18               44
                Bowen Estate, Shiraz ’10               39
                Duval-Leroy, Brut 17                   81
                """)
        ])
        #expect(entries.map(\.vintage) == [2018, 2010, 2017])
    }

    @Test(arguments: [("o2ı", 200), ("0.1!", 100), ("754", 750), ("7,5d", 750), ("Wein", nil), ("12,80", nil)])
    func `reads misread sizes`(text: String, milliliters: Int?) {
        #expect(PrintedSize.misread(text) == milliliters)
    }

    @Test(arguments: [("E14€", 1400), ("€HF20,-", 2000), ("1O", 1000), ("2l,50", 2150), ("Merlot", nil), ("n/a", nil)])
    func `reads misread prices`(text: String, amount: Int?) {
        #expect(PrintedPrice.misread(text)?.amount == amount)
    }

    @Test func `recognises a heading with a misread letter`() {
        #expect(ListSection.read("Weißwelne").section.color == .white)
        #expect(ListSection.read("ltalien").section.country == "Italy")
        #expect(ListSection.read("Merlot Reserva").share < 1000)
        #expect(ListSection.read("ltalia").section.country == "Italy")
        #expect(ListSection.read("Deutschlond").section.country == "Germany")
        #expect(ListSection.read("Rouqe").section.color == .red)
    }

    @Test(arguments: ["Marc", "Jamón", "Nino Franco", "Franc", "Gracia", "Caves Rey"])
    func `does not read a word as a country or heading only because it resembles a short one`(text: String) {
        let section = ListSection.read(text).section
        #expect(section.country == nil)
        #expect(section.color == nil)
    }
}
