import Testing

@testable import Wines

/// Drinks that are not wine among wines.
@Suite(.timeLimit(.minutes(5))) struct OtherDrinkTests {
    @Test func `keeps wines whose names have words of other drinks, and leaves out coffee, beer and cocktails`() {
        let list = """
            Wines
            Vin Santo del Chianti, Isole e Olena 2009      78,00
            Barolo Chinato, Cocchi                         52,00
            Cider House Red, Sussex                        29,00
            Sour Grapes, Jumilla 2020                      31,00
            Orange Wine, Gut Oggau                         58,00
            Port of Leith Claret                           34,00
            Pinot Mule 2021                                36,00
            Grüner Veltliner, Bierbaum                     27,00
            Americano Rosso, Cocchi                         9,00
            Weingut Bierbaumer, Zweigelt                   28,00
            Coffee Bean Pinotage, Diemersfontein 2021      33,00
            Gin Tonic                                      11,00
            Espresso                                        3,20
            Cappuccino                                      4,20
            Peroni Nastro Azzurro                           5,50
            """
        #expect(
            readServings(list) == [
                "Vin Santo del Chianti, Isole e Olena 2009: bottle - 7800",
                "Barolo Chinato, Cocchi: bottle - 5200",
                "Cider House Red, Sussex: bottle - 2900",
                "Sour Grapes, Jumilla 2020: bottle - 3100",
                "Orange Wine, Gut Oggau: bottle - 5800",
                "Port of Leith Claret: bottle - 3400",
                "Pinot Mule 2021: bottle - 3600",
                "Grüner Veltliner, Bierbaum: bottle - 2700",
                "Americano Rosso, Cocchi: bottle - 900",
                "Weingut Bierbaumer, Zweigelt: bottle - 2800",
                "Coffee Bean Pinotage, Diemersfontein 2021: bottle - 3300",
            ])
    }

    @Test func `finds wines below aperitifs`() {
        let list = """
            Apéritifs
            Kir vin blanc                         4,50
            Kir royal                             9,00
            Kir pêche                             4,50
            Muscat de Rivesaltes 6 cl             5,00
            Vins blancs
            Chardonnay, Pays d'Oc      15 cl 4,50    75 cl 21,00
            Sancerre, Mellot           15 cl 7,50    75 cl 36,00
            """
        #expect(
            readServings(list) == [
                "Muscat de Rivesaltes: glass 60 500",
                "Chardonnay, Pays d'Oc: glass 150 450, bottle 750 2100",
                "Sancerre, Mellot: glass 150 750, bottle 750 3600",
            ])
    }
}
