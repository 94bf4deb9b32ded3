import Testing

@testable import Wines

/// Marks of allergens and additives.
@Suite(.timeLimit(.minutes(5))) struct AllergenMarkTests {
    @Test func `leaves out marks between name and price, and after the producer`() {
        let list = """
            Weißwein                                      1/8 l     0,75 l
            Grüner Veltliner Federspiel 2022 L,O          4,60      27,00
            Domäne Wachau A,G,O
            Sauvignon Blanc Klassik 2022 (L, O)           5,20      31,00
            Weingut Polz (O)
            Riesling Steinmassel 2021 1,12                5,80      34,00
            Weingut Loimer
            """
        #expect(
            readServings(list) == [
                "Grüner Veltliner Federspiel 2022 Domäne Wachau: glass 125 460, bottle 750 2700",
                "Sauvignon Blanc Klassik 2022 Weingut Polz: glass 125 520, bottle 750 3100",
                "Riesling Steinmassel 2021 Weingut Loimer: glass 125 580, bottle 750 3400",
            ])
    }

    @Test func `leaves out marks after the price`() {
        let list = """
            Zweigelt 2021, Umathum              1/8   4,20  A,G,O
            Blaufränkisch 2020, Weninger        1/8   4,90  (A, O)
            Cuvée Comondor 2018, Nittnaus       0,75 l  68,00  L , O
            St. Laurent 2019, Rosi Schuster     0,75 l  39,00  1,12
            """
        #expect(
            readServings(list) == [
                "Zweigelt 2021, Umathum: glass 125 420",
                "Blaufränkisch 2020, Weninger: glass 125 490",
                "Cuvée Comondor 2018, Nittnaus: bottle 750 6800",
                "St. Laurent 2019, Rosi Schuster: bottle 750 3900",
            ])
    }

    @Test func `leaves out marks of several words in brackets`() {
        let list = """
            Weißweine
            Sauvignon Blanc Südsteiermark DAC 2022     1/8  € 5,20 (O)
            Weingut Tement, Berghausen
            Morillon Ried Zieregg 2019          0,75 l  € 89,00 (O)
            Weingut Tement, Berghausen
            Gelber Muskateller 2023          1/8  € 4,90 (A, O)
            Weingut Sattlerhof, Gamlitz
            Rotweine
            Cuvée Quattro 2020               1/8  € 6,10 L,O
            Weingut Gager, Deutschkreutz
            """
        #expect(
            readServings(list) == [
                "Sauvignon Blanc Südsteiermark DAC 2022 Weingut Tement, Berghausen: glass 125 520",
                "Morillon Ried Zieregg 2019 Weingut Tement, Berghausen: bottle 750 8900",
                "Gelber Muskateller 2023 Weingut Sattlerhof, Gamlitz: glass 125 490",
                "Cuvée Quattro 2020 Weingut Gager, Deutschkreutz: glass 125 610",
            ])
    }

    @Test func `leaves out numbers of additives after names`() {
        let list = """
            Grauburgunder trocken, Bercher, Baden (12)          6,50   28,00
            Riesling Kabinett, Selbach, Mosel (12)              6,80   29,00
            Spätburgunder, Salwey, Baden (12)                   7,20   32,00
            """
        #expect(
            readServings(list) == [
                "Grauburgunder trocken, Bercher, Baden: glass - 650, bottle - 2800",
                "Riesling Kabinett, Selbach, Mosel: glass - 680, bottle - 2900",
                "Spätburgunder, Salwey, Baden: glass - 720, bottle - 3200",
            ])
    }

    @Test func `leaves out numbers of additives between size and price`() {
        let list = """
            Riesling trocken 0,2l (5,12)     5,90
            Silvaner trocken 0,2l (5,12)     5,50
            Rosé trocken 0,2l (5,12)         5,60
            """
        #expect(
            readServings(list) == [
                "Riesling trocken: glass 200 590",
                "Silvaner trocken: glass 200 550",
                "Rosé trocken: glass 200 560",
            ])
    }

    @Test func `leaves out footnotes after the price`() {
        let list = """
            Chardonnay, Knipser            36,00 1)
            Riesling, Breuer               42,00 2)
            Merlot, Kopp                   38,00 1,2)
            """
        #expect(
            readServings(list) == [
                "Chardonnay, Knipser: bottle - 3600",
                "Riesling, Breuer: bottle - 4200",
                "Merlot, Kopp: bottle - 3800",
            ])
    }

    @Test func `leaves out a letter that ends most names`() {
        let list = """
            Riesling Federspiel, Prager O         5,80
            Zweigelt, Beck O                      4,90
            Muskateller, Tement O                 5,60
            Cuvée Quattro, Gager                  6,10
            """
        #expect(
            readServings(list) == [
                "Riesling Federspiel, Prager: bottle - 580",
                "Zweigelt, Beck: bottle - 490",
                "Muskateller, Tement: bottle - 560",
                "Cuvée Quattro, Gager: bottle - 610",
            ])
    }
}
