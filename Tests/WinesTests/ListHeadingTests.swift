import Recognition
import Testing

@testable import Wines

/// Headings, page numbers and lines of entries that look alike.
@Suite(.timeLimit(.minutes(5))) struct ListHeadingTests {
    @Test func `reads the size in headings above few wines`() {
        let entries = readList(
            """
            Weißwein 0,2 l
            Riesling, Prager          6,50
            Sauvignon, Tement         7,00
            Rotwein 0,2 l
            Zweigelt, Umathum         6,00
            Merlot, Planeta           6,50
            """)
        #expect(entries.shownPrices == ["glass 200 650", "glass 200 700", "glass 200 600", "glass 200 650"])
        #expect(entries.map(\.color) == [.white, .white, .red, .red])
    }

    @Test func `reads a fraction of a bottle as a heading`() {
        let entries = readList(
            """
            Merlot, Planeta          29
            Barolo, Vietti           95

            1/2 Flaschen
            Chianti, Antinori        19
            Amarone, Masi            45
            """)
        #expect(entries.shownPrices == ["bottle - 2900", "bottle - 9500", "half - 1900", "half - 4500"])
    }

    @Test func `reads large bottles as a heading without a gap above it`() {
        let entries = readList(
            """
            Merlot, Planeta          29
            Barolo, Vietti           95
            Amarone, Masi            88
            Große Flaschen
            Chablis, Fèvre          110
            """)
        #expect(entries.shownPrices == ["bottle - 2900", "bottle - 9500", "bottle - 8800", "magnum - 11000"])
    }

    @Test func `does not read two prices below the last name as a page number`() {
        let entries = readList(
            """
            Riesling, Prager
            6 / 28

            Sauvignon, Tement
            7 / 33

            Merlot, Planeta
            8 / 36
            """)
        #expect(
            entries.shownPrices == [
                "glass - 600, bottle - 2800", "glass - 700, bottle - 3300", "glass - 800, bottle - 3600",
            ])
    }

    @Test func `does not read a short vintage in the last line as a page number`() {
        let entries = readList(
            """
            Chablis, Fèvre          48
            ’18
            Sancerre, Vacheron      46
            ’19
            """)
        #expect(entries.map(\.vintage) == [2018, 2019])
    }

    @Test func `does not read the parts of a date as prices`() {
        let entries = readList(
            """
            Gavi, La Scolca 2021              38
            Soave, Pieropan 2022              34

            Stand 12/05/2024
            """)
        #expect(entries.shownPrices == ["bottle - 3800", "bottle - 3400"])
    }

    @Test func `reads places in capitals above names in capitals as parts of entries`() {
        let entries = readList(
            """
            PANNOBILE
            Heinrich, Gols 2019             39
            BAROLO
            Vietti, Castiglione 2018        95
            CHABLIS
            Fèvre, Montmains 2020           48
            OPUS
            Mondavi, Reserve 2016          390
            """)
        #expect(
            entries.map(\.text) == [
                "PANNOBILE Heinrich, Gols 2019", "BAROLO Vietti, Castiglione 2018", "CHABLIS Fèvre, Montmains 2020",
                "OPUS Mondavi, Reserve 2016",
            ])
    }

    @Test func `reads a place close to the name above it as a line of that entry`() {
        let entries = readList(
            """
            Louis Fèvre, Montmains 2020    48
            Burgund

            Vacheron, Romains 2021         46
            Loire

            Heinrich, Pannobile 2019       39

            Umathum, Haideboden 2020       36

            Beck, Ink 2021                 34

            Moric, Reserve 2019            44
            """)
        #expect(entries.map(\.region) == ["Burgund", "Loire", nil, nil, nil, nil])
    }

    @Test func `reads the name above a vintage with its price`() {
        let entries = readList(
            """
            Château Batailley, Pauillac 2015     88

            Château Palmer, Alter Ego
            2012                                 95

            Château Talbot, Connétable 2016      78

            Château Gloria, Peymartin 2017       64
            """)
        #expect(
            entries.map(\.text) == [
                "Château Batailley, Pauillac 2015", "Château Palmer, Alter Ego 2012", "Château Talbot, Connétable 2016",
                "Château Gloria, Peymartin 2017",
            ])
    }

    @Test func `an unknown heading above wines ends a section of other drinks`() {
        let entries = readList(
            """
            Biere
            Ottakringer Helles              4,90
            Trumer Pils                     5,20
            Hirter Märzen                   5,10

            Naturweine
            Gut Oggau, Theodora 2021          42
            Claus Preisinger, Puszta 2020     36
            Judith Beck, Ink 2021             34
            Meinklang, Konkret 2019           48
            Velich, Tiglat 2015               95
            """)
        #expect(entries.count == 5)
    }

    @Test func `does not apply the sizes of other drinks to the next page`() {
        let drinks = listPage(
            """
            #Biere                   0,3 l   0,5 l
            Ottakringer Helles        3,90    4,90
            Trumer Pils               4,10    5,20
            """)
        let wines = listPage(
            """
            #Weißweine
            Gavi, La Scolca           6,50   38,00
            Soave, Pieropan           5,50   34,00
            """)
        #expect(
            WineList.read([drinks, wines]).shownPrices == ["glass - 650, bottle - 3800", "glass - 550, bottle - 3400"])
    }

    @Test func `keeps second lines of names in lower case`() {
        let entries = readList(
            """
            riesling federspiel
            domäne prager, spitz an der donau
            28,00

            grüner veltliner smaragd
            domäne knoll, loiben an der donau
            42,00
            """)
        #expect(
            entries.map(\.text) == [
                "riesling federspiel domäne prager, spitz an der donau",
                "grüner veltliner smaragd domäne knoll, loiben an der donau",
            ])
    }

    @Test func `keeps words of names that look like servings or signs, after prices at the beginning of lines`() {
        let entries = readList(
            """
            45   Muga, Rioja Tempranillo
            38   Ramón Bilbao, Crianza
            250  Krug, Grande Cuvée
            52   Moulin à Vent, Lapierre
            """)
        #expect(
            entries.map(\.text) == [
                "Muga, Rioja Tempranillo", "Ramón Bilbao, Crianza", "Krug, Grande Cuvée", "Moulin à Vent, Lapierre",
            ])
        #expect(entries.shownPrices == ["bottle - 4500", "bottle - 3800", "bottle - 25000", "bottle - 5200"])
    }

    @Test func `keeps words of names that resemble strengths and telephone numbers`() {
        let entries = readList(
            """
            Le Vol des Anges, Bonny Doon       58
            Tel Quel, Domaine Villet           34
            Zweigelt, Umathum 13,5 % vol.      36
            Zweigelt, Beck 13,5 vol.           34
            """)
        #expect(
            entries.map(\.text) == [
                "Le Vol des Anges, Bonny Doon", "Tel Quel, Domaine Villet", "Zweigelt, Umathum", "Zweigelt, Beck",
            ])
    }

    @Test func `does not read a name with a vat number as a remark`() {
        let words = WineVocabulary.shared.remarkWords
        #expect(!words.isRemark(WineText.words("Tyrrell’s Vat 1 Semillon")))
        #expect(words.isRemark(WineText.words("All prices include VAT")))
    }

    @Test func `finds a heading of a kind of wine without a gap above it`() {
        let entries = readList(
            """
            Schaumweine                          Glas   Flasche
            Franciacorta, Bellavista               9        52
            Prosecco, Bisol                        6        32
            Trento, Ferrari                       10        58
            Vini bianchi
            Gavi, La Scolca                        7        38
            Vermentino, Capichera                  8        44
            """)
        #expect(entries.map(\.color) == [.sparkling, .sparkling, .sparkling, .white, .white])
        #expect(entries[2].text == "Trento, Ferrari")
    }

    @Test func `reads a kind of wine below each name as its second line`() {
        let entries = readList(
            """
            Pannobile, Heinrich 2019               39
            Rotwein
            Tiglat, Velich 2018                    58
            Weißwein
            Opus, Gesellmann 2017                  62
            Rotwein
            """)
        #expect(entries.map(\.color) == [.red, .white, .red])
    }

    @Test func `finds headings in large letters without a gap above them`() {
        let entries = readList(
            """
            #Unsere Klassiker
            Achleiten, Prager 2020              45
            Loibenberg, Knoll 2021              52
            #Aus dem Keller
            Singerriedel, Hirtzberger 2015      78
            Kellerberg, Pichler 2012            92
            """)
        #expect(entries.count == 4)
        #expect(entries[1].text == "Loibenberg, Knoll 2021")
    }

    @Test func `finds headings of places above two wines each`() {
        let entries = readList(
            """
            #Frankreich
            Burgund
            Leflaive, Les Pucelles 2018       195,00
            Ramonet, Les Ruchottes 2019       180,00
            Bordeaux
            Figeac, Grand Vin 2014            240,00
            Clinet, Grand Vin 2016            160,00
            #Italien
            Piemont
            Conterno, Monfortino 2015         290,00
            Voerzio, La Serra 2016            260,00
            """)
        #expect(entries.map(\.region) == ["Burgund", "Burgund", "Bordeaux", "Bordeaux", "Piemont", "Piemont"])
        #expect(entries[1].text == "Ramonet, Les Ruchottes 2019")
    }
}
