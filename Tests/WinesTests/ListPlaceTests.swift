import Testing

@testable import Wines

/// Places in headings and in names.
@Suite(.timeLimit(.minutes(5))) struct ListPlaceTests {
    private func countries(_ text: String) -> [String?] { WineList.read([listPage(text)]).map(\.country) }

    @Test func `does not read two letters of a name as a place`() {
        let list = """
            Franciacorta Brut, Ca’ del Bosco      52
            Chardonnay, Kistler, Sonoma, CA       95
            Amarone, Ca’ Rugate 2018              78
            """
        #expect(countries(list) == ["Italy", "United States", nil])
    }

    @Test func `does not read a place of another country in a name as the country of the wine`() {
        let list = """
            #Spanien
            Vega Sicilia, Valbuena 2018          210
            Torres, Mas La Plana 2017             78
            #Italien
            Conterno, Barolo Francia 2015        290
            Mastroberardino, Taurasi 2014         68
            """
        #expect(countries(list) == ["Spain", "Spain", "Italy", "Italy"])
    }

    @Test func `reads no country from a place in the name of a producer`() {
        let list = """
            Vega Sicilia, Valbuena 2018          210
            Concha y Toro, Don Melchor 2019      115
            Planeta, Sicilia 2020                 32
            """
        #expect(countries(list) == [nil, nil, "Italy"])
    }

    @Test func `reads the stated place of a wine although the heading above it names another country`() {
        let list = """
            #Italien
            Conterno, Monfortino 2015            290
            Leflaive, Les Pucelles, Burgund      195
            """
        #expect(countries(list) == ["Italy", "France"])
    }

    @Test func `finds a country above a region as a heading, without a gap above it`() {
        let entries = WineList.read([
            listPage(
                """
                ÖSTERREICH
                STEIERMARK
                Zieregg, Tement 2019                        98
                Kranachberg, Sattlerhof 2018                74
                ITALIEN
                TOSKANA
                Tignanello, Antinori 2019                  145
                Sassicaia, Tenuta San Guido 2018           320
                """)
        ])
        #expect(entries.map(\.country) == ["Austria", "Austria", "Italy", "Italy"])
        #expect(entries[1].text == "Kranachberg, Sattlerhof 2018")
    }

    @Test func `reads a place with the level of its appellation as a heading`() {
        let entries = WineList.read([
            listPage(
                """
                Vinos tintos                          Copa    Botella
                D.O.Ca. Rioja
                Viña Ardanza Reserva 2016              6,50    34,00
                Marqués de Murrieta 2018               5,50    29,00
                D.O. Ribera del Duero
                Pesquera Crianza 2019                  6,00    32,00
                Protos Reserva 2016                    7,00    39,00
                """)
        ])
        #expect(entries.map(\.region) == ["Rioja", "Rioja", "Ribera del Duero", "Ribera del Duero"])
        #expect(entries[0].text == "Viña Ardanza Reserva 2016")
    }

    @Test func `applies each place in capitals above a single wine to that wine`() {
        let entries = readList(
            """
            WACHAU
            Federspiel 2022, Domäne Wachau                38,00
            KAMPTAL
            Riesling Heiligenstein 2021, Bründlmayer      62,00
            KREMSTAL
            Kremser Freiheit 2023, Nigl                   36,00
            THERMENREGION
            Rotgipfler Tagelsteiner 2022, Alphart         39,00
            """)
        #expect(entries.map(\.region) == ["Wachau", "Kamptal", "Kremstal", "Thermenregion"])
        #expect(
            entries.map(\.text) == [
                "Federspiel 2022, Domäne Wachau", "Riesling Heiligenstein 2021, Bründlmayer",
                "Kremser Freiheit 2023, Nigl", "Rotgipfler Tagelsteiner 2022, Alphart",
            ])
    }

    @Test func `reads places in capitals below each wine as its second line`() {
        let entries = readList(
            """
            Federspiel 2022, Jamek                        38,00
            WACHAU
            Riesling Heiligenstein 2021, Bründlmayer      62,00
            KAMPTAL
            Kremser Freiheit 2023, Nigl                   36,00
            KREMSTAL
            """)
        #expect(entries.map(\.region) == ["Wachau", "Kamptal", "Kremstal"])
    }

    @Test func `does not apply Champagne in a heading of all sparkling wines`() {
        let entries = readList(
            """
            #Champagne & Sparkling
            Roederer Estate Brut NV                 62
            Schramsberg Blanc de Blancs 2019        78
            """)
        #expect(entries.map(\.color) == [.sparkling, .sparkling])
        #expect(entries.map(\.country) == [nil, nil])
    }

    @Test func `applies a place that is beside a word for all sparkling wines`() {
        let entries = readList(
            """
            #Bollicine – Franciacorta
            Bellavista, Alma                        78
            #Sparkling – Champagne
            Ruinart, Blanc de Blancs                99
            """)
        #expect(entries.map(\.region) == ["Franciacorta", "Champagne"])
    }

    @Test func `finds a country above a name of two lines as a heading`() {
        let entries = readList(
            """
            #Rotweine
            Frankreich
            Château Lanessan
            Haut-Médoc 2016             64,00
            Gigondas Tradition
            Saint Cosme 2019            58,00
            Österreich
            Blaufränkisch Ried Hochberg
            Prieler 2020                44,00
            Zweigelt Hallebühl
            Umathum 2019                72,00
            """)
        #expect(entries.map(\.country) == ["France", "France", "Austria", "Austria"])
        #expect(entries.last?.text == "Zweigelt Hallebühl Umathum 2019")
    }

    @Test func `does not apply a place below a heading of a colour to the next colour`() {
        let entries = readList(
            """
            #Carta de Vinos
            TINTOS
            D.O. Rioja
            Marqués de Riscal Reserva 2018           26,50
            Cune Crianza 2020                        17,90
            BLANCOS
            D.O. Rueda
            Verdejo Menade 2023                      18,00
            Verdejo Protos 2022                      19,00
            CAVAS
            Juvé & Camps Reserva de la Familia       28,00
            Gramona Imperial 2017                    35,00
            """)
        #expect(entries.map(\.region) == ["Rioja", "Rioja", "Rueda", "Rueda", nil, nil])
        #expect(entries.suffix(2).map(\.color) == [.sparkling, .sparkling])
    }

    @Test(arguments: ["#ÖSTERREICH", "ÖSTERREICH"])
    func `applies a country above a colour and a region to the next colour`(title: String) {
        let entries = readList(
            """
            \(title)
            ROTWEINE
            BURGENLAND
            Salzberg, Heinrich 2019             95,00
            Pannobile, Beck 2019                39,00
            WEISSWEINE
            Loibenberg, Prager 2021             48,00
            Steinertal, Alzinger 2020           58,00
            """)
        #expect(entries.map(\.country) == ["Austria", "Austria", "Austria", "Austria"])
        #expect(entries.map(\.region) == ["Burgenland", "Burgenland", nil, nil])
    }

    @Test func `applies a country to all colours below it`() {
        let entries = readList(
            """
            ITALIEN
            ROTWEINE
            Tignanello, Antinori 2019                  145
            Sassicaia, San Guido 2018                  320
            WEISSWEINE
            Cervaro della Sala, Antinori 2020           78
            FRANKREICH
            ROTWEINE
            Les Forts, Latour 2015                     390
            WEISSWEINE
            Les Clos, Dauvissat 2020                   180
            """)
        #expect(entries.map(\.country) == ["Italy", "Italy", "Italy", "France", "France"])
        #expect(entries.map(\.color) == [.red, .red, .white, .red, .white])
    }

    @Test func `finds a colour above a place as a heading, without a gap above it`() {
        let entries = readList(
            """
            LES BLANCS
            ALSACE
            Cuvée Frédéric Emile, Trimbach 2015                95 €
            Goldert, Zind-Humbrecht 2018                       78 €
            BOURGOGNE
            Vaillons, Dauvissat 2020                          110 €
            Les Crays, Robert-Denogent 2021                    68 €
            LES ROUGES
            BOURGOGNE
            Gevrey, Rossignol-Trapet 2019                      95 €
            RHÔNE
            La Landonne, René Rostaing 2016                   145 €
            Télégramme, Vieux Télégraphe 2018                  98 €
            """)
        #expect(entries.map(\.color) == [.white, .white, .white, .white, .red, .red, .red])
        #expect(entries.map(\.region) == ["Elsass", "Elsass", "Burgund", "Burgund", "Burgund", "Rhône", "Rhône"])
    }

    @Test func `does not read an appellation with its level as the producer`() {
        let entries = readList(
            """
            AOC Wallis, Petite Arvine, Provins 2022         56
            DOC Ticino, Merlot Carato, Delea 2019           66
            Barolo DOCG, Vietti 2018                        95
            """)
        #expect(entries.map(\.producer) == ["Petite Arvine", "Merlot Carato", "Barolo DOCG"])
        #expect(entries.map(\.region) == ["Wallis", "Tessin", "Barolo"])
    }

    @Test func `reads a producer whose name begins like a level of appellations`() {
        let entries = readList(
            """
            Do Ferreiro, Albariño Cepas Vellas, Gerardo Méndez 2021     72
            AOC Fully, Petite Arvine, Besse 2022                        56
            Doc Ticino, Merlot, Delea 2019                              55
            """)
        #expect(entries.map(\.producer) == ["Do Ferreiro", "Petite Arvine", "Merlot"])
    }

    @Test func `finds regions below countries in capitals as headings, also without a gap above them`() {
        let entries = readList(
            """
            DEUTSCHLAND
            Mosel
            2021   Wehlener Sonnenuhr Kabinett, Prüm                  58,00
            2019   Scharzhofberger Spätlese, Egon Müller             290,00
            Rheingau
            2020   Gräfenberg GG, Robert Weil                        110,00
            ÖSTERREICH
            Wachau
            2021   Loibenberg Smaragd, F.X. Pichler                   98,00
            Burgenland
            2019   Salzberg, Gernot Heinrich                          95,00
            """)
        #expect(entries.map(\.region) == ["Mosel", "Mosel", "Rheingau", "Wachau", "Burgenland"])
        #expect(entries[1].text == "2019 Scharzhofberger Spätlese, Egon Müller")
    }
}
