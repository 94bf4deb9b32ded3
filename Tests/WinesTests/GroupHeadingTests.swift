import Recognition
import Testing

@testable import Wines

/// Headings that no vocabulary lists, found by their place and shape.
@Suite(.timeLimit(.minutes(5))) struct GroupHeadingTests {
    @Test(arguments: [
        ("Leicht & fruchtig", "Kräftig und würzig", "Unsere Empfehlungen"),
        ("Fürs Picknick am See", "Zum langen Abend", "Aus Omas Keller"),
        ("Fresh & crisp", "For the curious", "Something sweet"),
        ("Pour l’apéro", "Les copains d’abord", "Nos coups de cœur"),
    ])
    func `finds headings with a gap above them`(first: String, second: String, third: String) {
        let entries = readList(
            """
            #Weinkarte

            \(first)
            Muskateller, Tement 2022                 32,00
            Welschriesling, Polz 2022                28,00
            Sauvignon Blanc, Gross 2021              38,00

            \(second)
            Chardonnay, Velich 2019                  58,00
            Roter Veltliner, Leth 2020               36,00

            \(third)
            Gemischter Satz, Wieninger 2022          34,00
            """)
        #expect(
            entries.map(\.text) == [
                "Muskateller, Tement 2022", "Welschriesling, Polz 2022", "Sauvignon Blanc, Gross 2021",
                "Chardonnay, Velich 2019", "Roter Veltliner, Leth 2020", "Gemischter Satz, Wieninger 2022",
            ])
    }

    @Test(arguments: [
        ("Fresh & crisp", "Rich & oaky", "Juicy & easy"), ("Zu Fisch", "Zu Geflügel", "Zu Wild"),
        ("UNSERE LIEBLINGE", "ZU FISCH UND MEERESFRÜCHTEN", "ZU FLEISCH & WILD"),
    ])
    func `finds headings without a gap above them if all lines without a price are above wines`(
        first: String, second: String, third: String
    ) {
        let entries = readList(
            """
            \(first)
            Picpoul, Beauvignac 2022                  7.50   28
            Albariño, Martín Códax 2022               9.00   36
            Sauvignon Blanc, Greywacke 2021          11.00   44
            \(second)
            Chardonnay, Kumeu River 2020             14.00   56
            Chenin Blanc, Chidaine 2019              22.00   88
            \(third)
            Gamay, Chignard 2021                     10.00   40
            Frappato, COS 2020                       12.00   48
            """)
        #expect(
            entries.map(\.text) == [
                "Picpoul, Beauvignac 2022", "Albariño, Martín Códax 2022", "Sauvignon Blanc, Greywacke 2021",
                "Chardonnay, Kumeu River 2020", "Chenin Blanc, Chidaine 2019", "Gamay, Chignard 2021",
                "Frappato, COS 2020",
            ])
    }

    @Test func `finds headings if each wine has a line of notes below it`() {
        let entries = readList(
            """
            Kräftig und würzig
            Blaufränkisch, Moric 2019                   44,00
            Südburgenland, dunkle Beeren und Pfeffer
            Merlot, Planeta 2018                        39,00
            Sizilien, Schokolade und Kirsche
            Barolo, Vietti 2017                         95,00
            Piemont, Rosen und Teer

            Für besondere Abende
            Brunello, Il Poggione 2016                  70,00
            Toskana, feine Tannine
            Rioja Gran Reserva, Ardanza 2012            64,00
            Spanien, Leder und Tabak
            """)
        #expect(entries.count == 5)
        #expect(entries[0].text.hasPrefix("Blaufränkisch, Moric 2019"))
        #expect(entries[2].text == "Barolo, Vietti 2017 Piemont, Rosen und Teer")
        #expect(entries[3].text.hasPrefix("Brunello, Il Poggione 2016"))
    }

    @Test func `reads lines above each wine below a heading as parts of names`() {
        let entries = readList(
            """
            #Rotwein
            Pannobile
            Heinrich, Gols 2019             39
            Tiglat
            Velich, Apetlon 2018            95
            Opus Eximium
            Gesellmann, Neckenmarkt 2020    48
            """)
        #expect(
            entries.map(\.text) == [
                "Pannobile Heinrich, Gols 2019", "Tiglat Velich, Apetlon 2018",
                "Opus Eximium Gesellmann, Neckenmarkt 2020",
            ])
    }

    @Test func `reads the first line of a name of two lines as a part of the name`() {
        let entries = readList(
            """
            #Rotwein
            Château Margaux, 1er Grand Cru Classé,
            Margaux 2005                                       890
            Blaufränkisch Reihburg, Weingut Wachter-
            Wiesler, Südburgenland 2018                         68
            Zweigelt, Umathum 2020                              34
            Blaufränkisch, Moric 2019                           44
            Merlot, Planeta 2018                                39
            Barolo, Vietti 2017                                 95
            """)
        #expect(entries.map(\.text).first == "Château Margaux, 1er Grand Cru Classé, Margaux 2005")
        #expect(entries.count == 6)
    }

    @Test func `reads the only line without a price above a wine as a part of its name`() {
        let entries = readList(
            """
            #Weinkarte
            Zweigelt, Umathum 2021                      34
            Blaufränkisch Reserve
            Weingut Moric 2019                          45
            Merlot, Planeta 2018                        39
            Barolo, Vietti 2017                         95
            """)
        #expect(entries.count == 4)
        #expect(entries.contains { $0.text.contains("Blaufränkisch Reserve") })
        #expect(entries.last?.grape != "Blaufränkisch")
    }

    @Test func `reads a grape above a producer as a name if most names are above the line with the price`() {
        let entries = readList(
            """
            Lugana I Frati
            Ca' dei Frati, Lombardei 2022               39,00

            Sangiovese Superiore
            Drei Donà, Romagna 2021                     36,00

            Primitivo
            Gianfranco Fino 2020                        79,00
            """)
        #expect(entries.map(\.text).last == "Primitivo Gianfranco Fino 2020")
    }

    @Test func `reads a grape as a heading if each wine below it has a line of notes`() {
        let entries = readList(
            """
            Riesling

            Dönnhoff, Nahe 2021                             48
            Schiefer und Pfirsich
            Keller, Rheinhessen 2020                        65
            Kalk und Limette

            Silvaner

            Luckert, Franken 2021                           39
            Heu und Birne
            """)
        #expect(entries.map(\.grape) == ["Riesling", "Riesling", "Silvaner"])
        #expect(entries.allSatisfy { !$0.text.hasPrefix("Riesling") && !$0.text.hasPrefix("Silvaner") })
    }

    @Test func `finds headings in capitals, with or without a colour, without a gap above them`() {
        let entries = readList(
            """
            LIGHT BODIED REDS                     175ml   Bottle
            Pinot Noir, Vila Nova, Portugal        £6.95   £27.00
            Beaujolais, Duboeuf, France            £7.50   £30.00
            FULL BODIED WHITES
            Chardonnay, Andeluna, Argentina        £8.25   £33.00
            Viognier, Heirloom, Australia         £10.50   £42.00
            BEFORE YOU GO
            Sauternes, Castelnau, France          £10.50   £45.00
            """)
        #expect(
            entries.map(\.text) == [
                "Pinot Noir, Vila Nova, Portugal", "Beaujolais, Duboeuf, France", "Chardonnay, Andeluna, Argentina",
                "Viognier, Heirloom, Australia", "Sauternes, Castelnau, France",
            ])
        #expect(entries.map(\.color).prefix(4) == [.red, .red, .white, .white])
    }

    @Test func `finds places without a gap above them if the first one is above all wines`() {
        let entries = readList(
            """
            #VINOS TINTOS
            D.O.Ca. Rioja                              Copa   Botella
            Luis Cañas Crianza 2019                    3,50     18,00
            Muga Reserva 2018                          4,80     26,00
            D.O. Ribera del Duero
            Pago de los Capellanes Roble 2021          4,20     23,00
            Emilio Moro 2020                           4,90     28,00
            D.O. Bierzo
            Pétalos 2020                               4,00     22,00
            IVA incluido
            """)
        #expect(entries.map(\.region) == ["Rioja", "Rioja", "Ribera del Duero", "Ribera del Duero", "Bierzo"])
        #expect(entries.map(\.text).last == "Pétalos 2020")
    }

    @Test func `finds producers without a gap above them`() {
        let entries = readList(
            """
            #WACHAU
            Weingut Knoll, Unterloiben
            Veltliner Federspiel Kreutles 2022          38
            Veltliner Smaragd Schütt 2020               72
            Weingut F.X. Pichler, Oberloiben
            Veltliner Smaragd Kellerberg 2019           89
            Riesling Smaragd Unendlich 2017            160
            """)
        #expect(
            entries.map(\.producer) == [
                "Weingut Knoll", "Weingut Knoll", "Weingut F.X. Pichler", "Weingut F.X. Pichler",
            ])
    }

    @Test func `does not apply the place of a heading with a colour to headings of other colours`() {
        let entries = readList(
            """
            #CHAMPAGNE                        10 cl    75 cl
            Brut Impérial, Moët                18       110
            Rosé, Ruinart                      26       175
            #WHITE WINE                       15 cl    75 cl
            Chablis, William Fèvre 2021        14        68
            Riesling, Dr. Loosen 2021          11        52
            """)
        #expect(entries.map(\.region) == ["Champagne", "Champagne", "Chablis", nil])
    }

    @Test func `finds colours above one wine without a gap above them if a colour is above all wines`() {
        let entries = readList(
            """
            Aus unserem Keller

            Weiß
            Gelber Muskateller, Sattlerhof    1/8  5,20
            Welschriesling, Skoff             1/8  4,20
            Rosé
            Schilcher, Reiterer               1/8  4,40
            Rot
            Zweigelt, Scheiblhofer            1/8  4,60
            Blaufränkisch, Igler              1/8  4,90
            """)
        #expect(entries.map(\.color) == [.white, .white, .rose, .red, .red])
        #expect(entries[1].text == "Welschriesling, Skoff")
    }

    @Test func `finds headings between dashes in a list in lower case`() {
        let entries = readList(
            """
            ~ vins de soif ~
            gamay, domaine de la bonne tonne 2021 .... 34
            grolleau, bertin-delatte 2022 ............ 31
            ~ on pousse un peu ~
            morgon, lapierre 2021 .................... 52
            arbois, tissot 2020 ...................... 58
            ~ plus sérieux ~
            cornas, balthazar 2018 ................... 95
            """)
        #expect(
            entries.map(\.text) == [
                "gamay, domaine de la bonne tonne 2021", "grolleau, bertin-delatte 2022", "morgon, lapierre 2021",
                "arbois, tissot 2020", "cornas, balthazar 2018",
            ])
        #expect(entries.allSatisfy { $0.prices.map(\.serving) == [.bottle] })
    }

    @Test func `finds headings of a kind of wine and of other drinks, without a gap above them`() {
        let entries = readList(
            """
            WHITE WINE
            (175ml / 250ml / bottle)
            Sauvignon Blanc, Tokomaru Bay    7.5 / 10 / 29
            Chenin Blanc, Franschhoek        6.5 / 8.5 / 25
            ROSÉ WINE
            (175ml / 250ml / bottle)
            Blush, Barefoot                  6.2 / 8.2 / 24
            Alcohol free
            Sparkling Tea, Copenhagen        8.0 / 11 / 42
            """)
        #expect(
            entries.map(\.text) == ["Sauvignon Blanc, Tokomaru Bay", "Chenin Blanc, Franschhoek", "Blush, Barefoot"])
        #expect(entries.map(\.color) == [.white, .white, .rose])
    }
}
