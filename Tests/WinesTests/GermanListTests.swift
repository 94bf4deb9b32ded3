import Testing

@testable import Wines

/// Lists as restaurants in Germany print them.
@Suite(.timeLimit(.minutes(5))) struct GermanListTests {
    @Test func `reads the producer in the first line and the grape in the second`() {
        let list = """
            Weißwein                                      0,2 l    0,75 l
            Weingut Wittmann, Rheinhessen
            Riesling trocken 2022                        € 8,90   € 32,00
            Weingut Salwey, Baden
            Grauburgunder Kaiserstuhl 2022               € 8,50   € 29,50
            Weingut Rudolf Fürst, Franken
            Silvaner pur mineral 2021                    € 9,50   € 35,00
            """
        #expect(
            readServings(list) == [
                "Weingut Wittmann, Rheinhessen Riesling trocken 2022: glass 200 890, bottle 750 3200",
                "Weingut Salwey, Baden Grauburgunder Kaiserstuhl 2022: glass 200 850, bottle 750 2950",
                "Weingut Rudolf Fürst, Franken Silvaner pur mineral 2021: glass 200 950, bottle 750 3500",
            ])
        #expect(
            readList(list).map(\.name) == ["Riesling trocken", "Grauburgunder Kaiserstuhl", "Silvaner pur mineral"])
    }

    @Test func `applies heads to prices directly after the names`() {
        let list = """
            Weisswein offen 0,1 l | 0,2 l
            Riesling Classic (Mosel), Dr. Loosen 4,50 | 8,50
            Weißburgunder (Pfalz), Bergdolt 4,90 | 9,20
            Chardonnay (Baden), Bernhard Huber 6,20 | 11,80
            """
        #expect(
            readServings(list) == [
                "Riesling Classic (Mosel), Dr. Loosen: glass 100 450, glass 200 850",
                "Weißburgunder (Pfalz), Bergdolt: glass 100 490, glass 200 920",
                "Chardonnay (Baden), Bernhard Huber: glass 100 620, glass 200 1180",
            ])
    }

    @Test func `reads three sizes with slashes`() {
        let list = """
            WEISSWEINE
            Riesling vom Löss, Wagner-Stempel, Rheinhessen   0,1l 3,90 / 0,2l 7,50 / 0,75l 26,00
            Grauer Burgunder, Kopp, Baden                    0,1l 4,20 / 0,2l 7,90 / 0,75l 27,00
            Sauvignon Blanc, von Winning, Pfalz              0,1l 5,20 / 0,2l 9,90 / 0,75l 36,00
            """
        #expect(
            readServings(list) == [
                "Riesling vom Löss, Wagner-Stempel, Rheinhessen: glass 100 390, glass 200 750, bottle 750 2600",
                "Grauer Burgunder, Kopp, Baden: glass 100 420, glass 200 790, bottle 750 2700",
                "Sauvignon Blanc, von Winning, Pfalz: glass 100 520, glass 200 990, bottle 750 3600",
            ])
    }

    @Test func `reads a table with numbers, vintages and sizes`() {
        let list = """
            Nr.  Wein                                     Jahrgang   Inhalt    Preis
            12   Grauburgunder, Weingut Salwey            2022       0,75 l    32,00
            13   Riesling "Vom Stein", Emrich-Schönleber  2021       0,75 l    38,00
            17   Chardonnay, Bernhard Huber               2020       0,75 l    54,00
            21   Spätburgunder, Jean Stodden              2019       0,75 l    62,00
            """
        #expect(
            readServings(list) == [
                "Grauburgunder, Weingut Salwey 2022: bottle 750 3200",
                "Riesling \"Vom Stein\", Emrich-Schönleber 2021: bottle 750 3800",
                "Chardonnay, Bernhard Huber 2020: bottle 750 5400",
                "Spätburgunder, Jean Stodden 2019: bottle 750 6200",
            ])
    }

    @Test func `leaves out sentences below the names`() {
        let list = """
            Cabernet Sauvignon Reserva, Casa Silva, Chile 2020          34
            Aromen von Cassis und Paprika. Kräftiger Körper mit weichen Tanninen.
            Malbec Reserve, Trapiche, Argentinien 2021                  36
            Dichte, dunkle Farbe. Am Gaumen Pflaume, Vanille und Schokolade.
            Passt zu Steak und Wild.
            Shiraz Bin 28, Penfolds, Australien 2019                    58
            Würzig, nach Brombeere und schwarzem Pfeffer. Langer Nachhall.
            """
        #expect(
            readServings(list) == [
                "Cabernet Sauvignon Reserva, Casa Silva, Chile 2020: bottle - 3400",
                "Malbec Reserve, Trapiche, Argentinien 2021: bottle - 3600",
                "Shiraz Bin 28, Penfolds, Australien 2019: bottle - 5800",
            ])
    }

    @Test func `leaves out a description that ends with the price`() {
        let list = """
            Chablis 1er Cru Montmains 2020, Domaine Long-Depaquit
            Frisch, mineralisch, elegant, mit Noten von Zitrus und Feuerstein 68,00
            Sancerre Les Baronnes 2022, Henri Bourgeois
            Duftig, mit Stachelbeere und Cassis, trocken und lang am Gaumen 52,00
            Pouilly-Fuissé 2021, Louis Jadot
            Reif und rund, mit einem Hauch Vanille und gelbem Apfel 58,00
            """
        #expect(
            readServings(list) == [
                "Chablis 1er Cru Montmains 2020, Domaine Long-Depaquit: bottle - 6800",
                "Sancerre Les Baronnes 2022, Henri Bourgeois: bottle - 5200",
                "Pouilly-Fuissé 2021, Louis Jadot: bottle - 5800",
            ])
    }

    @Test func `ends rosé at a heading of natural wines`() {
        let list = """
            ROSÉWEINE
            Saigner Rosé 2022, Weingut Aldinger, Württemberg           29
            Miraval Rosé 2022, Côtes de Provence                       48
            Pinot Noir Rosé 2022, Weingut Huber, Baden                 34
            NATURWEINE
            Theodora 2021, Gut Oggau, Burgenland                       62
            Frizzante Rosé, Fuchs & Hase, Kamptal                      44
            """
        #expect(
            readServings(list) == [
                "Saigner Rosé 2022, Weingut Aldinger, Württemberg: bottle - 2900",
                "Miraval Rosé 2022, Côtes de Provence: bottle - 4800",
                "Pinot Noir Rosé 2022, Weingut Huber, Baden: bottle - 3400",
                "Theodora 2021, Gut Oggau, Burgenland: bottle - 6200",
                "Frizzante Rosé, Fuchs & Hase, Kamptal: bottle - 4400",
            ])
        #expect(readList(list).map(\.color) == [.rose, .rose, .rose, nil, .rose])
    }

    @Test func `reads sizes in rows of their own as heads`() {
        let list = """
            Flasche 0,75 l
            Silvaner Spätlese, Juliusspital                  32,50
            Scheurebe Kabinett, Bürgerspital                 28,90
            Schoppen 0,25 l
            Silvaner QbA, GWF                                 5,90
            Domina QbA, GWF                                   6,20
            """
        #expect(
            readServings(list) == [
                "Silvaner Spätlese, Juliusspital: bottle 750 3250",
                "Scheurebe Kabinett, Bürgerspital: bottle 750 2890",
                "Silvaner QbA, GWF: glass 250 590",
                "Domina QbA, GWF: glass 250 620",
            ])
    }

    @Test func `does not read a wine with two further lines as a heading with a price`() {
        let list = """
            Rosé                                5,50
            Pinot Noir, Baden
            Weingut Salwey
            Riesling, Rheingau                  6,50
            Weingut Leitz
            Merlot, Pfalz                       7,00
            Weingut Knipser
            """
        #expect(
            readServings(list) == [
                "Rosé Pinot Noir, Baden Weingut Salwey: bottle - 550",
                "Riesling, Rheingau Weingut Leitz: bottle - 650",
                "Merlot, Pfalz Weingut Knipser: bottle - 700",
            ])
    }

    @Test func `reads sizes beside the colours of a list by the glass`() {
        let list = """
            Offene Weißweine 0,1l/0,2l
            Pinot Blanc, Cleebronn                     3,90/7,20
            Riesling, Fellbacher                       4,20/7,80
            Offene Rotweine 0,1l/0,2l
            Lemberger, Aldinger                        4,50/8,40
            Trollinger, Wöhrwag                        3,90/7,20
            """
        #expect(
            readServings(list) == [
                "Pinot Blanc, Cleebronn: glass 100 390, glass 200 720",
                "Riesling, Fellbacher: glass 100 420, glass 200 780",
                "Lemberger, Aldinger: glass 100 450, glass 200 840",
                "Trollinger, Wöhrwag: glass 100 390, glass 200 720",
            ])
        #expect(readList(list).map(\.color) == [.white, .white, .red, .red])
    }

    @Test func `reads countries above colours`() {
        let list = """
            Weine aus Österreich
            Weiß
            Grüner Veltliner 2022, Ott                32
            Riesling 2021, Jurtschitsch               38
            Rot
            Blaufränkisch 2019, Prieler               44
            Weine aus Italien
            Rot
            Chianti Classico 2020, Isole e Olena      58
            Barbera d'Alba 2021, Conterno             62
            """
        #expect(
            readServings(list) == [
                "Grüner Veltliner 2022, Ott: bottle - 3200",
                "Riesling 2021, Jurtschitsch: bottle - 3800",
                "Blaufränkisch 2019, Prieler: bottle - 4400",
                "Chianti Classico 2020, Isole e Olena: bottle - 5800",
                "Barbera d'Alba 2021, Conterno: bottle - 6200",
            ])
        #expect(readList(list).map(\.color) == [.white, .white, .red, .red, .red])
        #expect(readList(list).map(\.country) == ["Austria", "Austria", "Austria", "Italy", "Italy"])
    }

    @Test func `applies the prices of glass and bottle in a heading to the wines below it`() {
        let list = """
            Alle Weine Glas € 5,50 / Flasche € 29
            Grillo, Cusumano, Sizilien
            Falanghina, Feudi, Kampanien
            Nero d'Avola, Planeta, Sizilien
            """
        #expect(
            readServings(list) == [
                "Grillo, Cusumano, Sizilien: glass - 550, bottle - 2900",
                "Falanghina, Feudi, Kampanien: glass - 550, bottle - 2900",
                "Nero d'Avola, Planeta, Sizilien: glass - 550, bottle - 2900",
            ])
    }
}
