import Testing

@testable import Wines

/// Lists as restaurants in France print them.
@Suite(.timeLimit(.minutes(5))) struct FrenchListTests {
    @Test func `reads glasses, half litres and bottles above the prices`() {
        let list = """
            VINS BLANCS                                   14 cl   50 cl   75 cl
            Petit Chablis 2022, Domaine Dampt             7 €     23 €    34 €
            Sancerre 2022, Domaine Fouassier              9 €     30 €    44 €
            VINS ROUGES                                   14 cl   50 cl   75 cl
            Saint-Nicolas-de-Bourgueil 2021, Amirault     7 €     23 €    34 €
            Crozes-Hermitage 2021, Domaine Combier        9,50 €  32 €    46 €
            VINS ROSÉS                                    14 cl   50 cl   75 cl
            Côtes de Provence 2022, Minuty                8 €     27 €    39 €
            """
        #expect(
            readServings(list) == [
                "Petit Chablis 2022, Domaine Dampt: glass 140 700, carafe 500 2300, bottle 750 3400",
                "Sancerre 2022, Domaine Fouassier: glass 140 900, carafe 500 3000, bottle 750 4400",
                "Saint-Nicolas-de-Bourgueil 2021, Amirault: glass 140 700, carafe 500 2300, bottle 750 3400",
                "Crozes-Hermitage 2021, Domaine Combier: glass 140 950, carafe 500 3200, bottle 750 4600",
                "Côtes de Provence 2022, Minuty: glass 140 800, carafe 500 2700, bottle 750 3900",
            ])
        #expect(readList(list).map(\.color) == [.white, .white, .red, .red, .rose])
    }

    @Test func `reads appellations, producers and descriptions`() {
        let list = """
            BOURGOGNE
            Chablis 1er Cru « Fourchaume » 2020        68 €
            Domaine Laroche
            Minéral, tendu, notes d'agrumes et de fleurs blanches
            Meursault « Les Tillets » 2019             115 €
            Domaine Javillier
            Beurré, ample, finale noisette
            BORDEAUX
            Pessac-Léognan 2015                        85 €
            Château Carbonnieux
            Puissant et boisé, tanins fondus
            """
        #expect(
            readServings(list) == [
                "Chablis 1er Cru « Fourchaume » 2020 Domaine Laroche: bottle - 6800",
                "Meursault « Les Tillets » 2019 Domaine Javillier: bottle - 11500",
                "Pessac-Léognan 2015 Château Carbonnieux: bottle - 8500",
            ])
    }

    @Test func `reads half bottles, bottles and magnums`() {
        let list = """
                                                       ½ bouteille   Bouteille   Magnum
            Château Talbot 2014, Saint-Julien              58 €         110 €      230 €
            Château de Fieuzal 2016, Pessac-Léognan         –            75 €      155 €
            Château Phélan Ségur 2015, Saint-Estèphe       42 €          82 €       –
            """
        #expect(
            readServings(list) == [
                "Château Talbot 2014, Saint-Julien: half - 5800, bottle - 11000, magnum - 23000",
                "Château de Fieuzal 2016, Pessac-Léognan: bottle - 7500, magnum - 15500",
                "Château Phélan Ségur 2015, Saint-Estèphe: half - 4200, bottle - 8200",
            ])
    }

    @Test func `reads glass and bottle below the producer`() {
        let list = """
            Bourgogne Aligoté « Cuvée Tradition » 2021
            Domaine Faiveley
            Verre 12 cl 7 € – Bouteille 75 cl 36 €
            Menetou-Salon « Morogues » 2022
            Domaine Henry Pellé
            Verre 12 cl 8 € – Bouteille 75 cl 39 €
            Saint-Véran « Les Cras » 2021
            Château de Beauregard
            Verre 12 cl 9 € – Bouteille 75 cl 46 €
            """
        #expect(
            readServings(list) == [
                "Bourgogne Aligoté « Cuvée Tradition » 2021 Domaine Faiveley: glass 120 700, bottle 750 3600",
                "Menetou-Salon « Morogues » 2022 Domaine Henry Pellé: glass 120 800, bottle 750 3900",
                "Saint-Véran « Les Cras » 2021 Château de Beauregard: glass 120 900, bottle 750 4600",
            ])
    }

    @Test func `reads glass, carafe and bottle above the prices`() {
        let list = """
            LES ROUGES                       Verre 15cl   Pichet 50cl   Bouteille
            Côtes-du-Rhône, Guigal              5,50         17,00         25,00
            Gamay de Touraine, Marionnet        5,00         15,50         23,00
            Bordeaux Supérieur, Thieuley        5,80         18,00         27,00
            """
        #expect(
            readServings(list) == [
                "Côtes-du-Rhône, Guigal: glass 150 550, carafe 500 1700, bottle - 2500",
                "Gamay de Touraine, Marionnet: glass 150 500, carafe 500 1550, bottle - 2300",
                "Bordeaux Supérieur, Thieuley: glass 150 580, carafe 500 1800, bottle - 2700",
            ])
    }

    @Test func `reads half bottles and magnums as sections`() {
        let list = """
            DEMI-BOUTEILLES 37,5 cl
            Sancerre, Domaine Vacheron 2022           26 €
            Saint-Émilion, Château Fombrauge 2016     34 €
            MAGNUMS 150 cl
            Bandol, Domaine Tempier 2018             140 €
            """
        #expect(
            readServings(list) == [
                "Sancerre, Domaine Vacheron 2022: half 375 2600",
                "Saint-Émilion, Château Fombrauge 2016: half 375 3400",
                "Bandol, Domaine Tempier 2018: magnum 1500 14000",
            ])
    }

    @Test func `reads a size above the prices in the middle of a region`() {
        let list = """
            #VINS ROUGES
            BORDEAUX                                                    75 cl
            Château Lagrange 2015, Saint-Julien                          89
            Château Gloria 2016, Saint-Julien                            78
                                                                        150 cl
            Château Lagrange 2014, Saint-Julien                         175
            BOURGOGNE                                                   75 cl
            Mercurey 1er Cru 2019, Domaine Faiveley                      68
            Givry 2020, Domaine Joblot                                   56
            """
        #expect(
            readServings(list) == [
                "Château Lagrange 2015, Saint-Julien: bottle 750 8900",
                "Château Gloria 2016, Saint-Julien: bottle 750 7800",
                "Château Lagrange 2014, Saint-Julien: magnum 1500 17500",
                "Mercurey 1er Cru 2019, Domaine Faiveley: bottle 750 6800",
                "Givry 2020, Domaine Joblot: bottle 750 5600",
            ])
    }

    @Test func `reads the bottle before the glass`() {
        let list = """
            Pinot Noir d'Alsace, Wolfberger
            Bouteille 75cl : 28€ - Verre 12,5cl : 5,50€
            Riesling Grand Cru, Domaine Schlumberger
            Bouteille 75cl : 42€ - Verre 12,5cl : 8,50€
            """
        #expect(
            readServings(list) == [
                "Pinot Noir d'Alsace, Wolfberger: bottle 750 2800, glass 125 550",
                "Riesling Grand Cru, Domaine Schlumberger: bottle 750 4200, glass 125 850",
            ])
    }

    @Test func `reads a half bottle beside a bottle`() {
        let list = """
            Chablis, Laroche 2021                               38    ½ 21
            Sancerre, Vacheron 2022                             46    ½ 25
            Pomerol, La Pointe 2016                             72    ½ 39
            """
        #expect(
            readServings(list) == [
                "Chablis, Laroche 2021: bottle - 3800, half - 2100",
                "Sancerre, Vacheron 2022: bottle - 4600, half - 2500",
                "Pomerol, La Pointe 2016: bottle - 7200, half - 3900",
            ])
    }

    @Test func `finds wines between water and spirits`() {
        let list = """
            Eaux minérales
            Evian 1l                                6,00 €
            Badoit 1l                               6,00 €
            Boissons chaudes
            Café expresso                           2,80 €
            Thé                                     4,00 €
            Vins
            Chinon, Baudry 2021                     34,00 €
            Quincy, Rouze 2022                      36,00 €
            Digestifs
            Armagnac 4 cl                           9,00 €
            """
        #expect(
            readServings(list) == [
                "Chinon, Baudry 2021: bottle - 3400",
                "Quincy, Rouze 2022: bottle - 3600",
            ])
    }

    @Test func `reads abbreviated saints in places`() {
        let list = """
            Château Cos d'Estournel, St. Estèphe 2008     210
            Château Gloria, St.-Julien 2014                78
            Château Figeac, St. Émilion 2015              240
            """
        #expect(
            readServings(list) == [
                "Château Cos d'Estournel, St. Estèphe 2008: bottle - 21000",
                "Château Gloria, St.-Julien 2014: bottle - 7800",
                "Château Figeac, St. Émilion 2015: bottle - 24000",
            ])
        #expect(readList(list).map(\.region) == ["Saint-Estèphe", "Saint-Julien", "Saint-Émilion"])
    }
}
