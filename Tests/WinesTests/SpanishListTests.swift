import Testing

@testable import Wines

/// Lists as restaurants in Spain print them.
@Suite(.timeLimit(.minutes(5))) struct SpanishListTests {
    @Test func `reads glass and bottle, and regions in brackets`() {
        let list = """
            VINOS BLANCOS                         Copa      Botella
            Albariño Martín Códax (Rías Baixas)   4,50 €    24,00 €
            Verdejo José Pariente (Rueda)         4,00 €    21,00 €
            Godello Louro (Valdeorras)            4,80 €    26,00 €
            VINOS TINTOS                          Copa      Botella
            Ramón Bilbao Crianza (Rioja)          3,80 €    19,50 €
            Pago de Carraovejas (Ribera del Duero)          58,00 €
            Juan Gil Etiqueta Plata (Jumilla)     4,20 €    22,00 €
            """
        #expect(
            readServings(list) == [
                "Albariño Martín Códax (Rías Baixas): glass - 450, bottle - 2400",
                "Verdejo José Pariente (Rueda): glass - 400, bottle - 2100",
                "Godello Louro (Valdeorras): glass - 480, bottle - 2600",
                "Ramón Bilbao Crianza (Rioja): glass - 380, bottle - 1950",
                "Pago de Carraovejas (Ribera del Duero): bottle - 5800",
                "Juan Gil Etiqueta Plata (Jumilla): glass - 420, bottle - 2200",
            ])
        #expect(
            readList(list).map(\.region) == [
                "Rías Baixas", "Rueda", "Valdeorras", "Rioja", "Ribera del Duero", "Jumilla",
            ])
    }

    @Test func `does not apply the last region to sparkling wines`() {
        let list = """
            D.O. CA. RIOJA
            Viña Tondonia Reserva 2010 .................. 55 €
            Marqués de Murrieta Reserva 2017 ............ 34 €
            D.O. RIBERA DEL DUERO
            Vega Sicilia Valbuena 5º 2017 ............... 195 €
            Aalto 2020 .................................. 52 €
            CAVAS Y CHAMPAGNES
            Gramona Imperial ............................ 32 €
            Moët & Chandon Brut Impérial ................ 65 €
            """
        #expect(
            readServings(list) == [
                "Viña Tondonia Reserva 2010: bottle - 5500",
                "Marqués de Murrieta Reserva 2017: bottle - 3400",
                "Vega Sicilia Valbuena 5º 2017: bottle - 19500",
                "Aalto 2020: bottle - 5200",
                "Gramona Imperial: bottle - 3200",
                "Moët & Chandon Brut Impérial: bottle - 6500",
            ])
        #expect(readList(list).map(\.region) == ["Rioja", "Rioja", "Ribera del Duero", "Ribera del Duero", nil, nil])
        #expect(readList(list).map(\.color) == [nil, nil, nil, nil, .sparkling, .sparkling])
    }

    @Test func `reads colours without a gap above them`() {
        let list = """
            VINOS BLANCOS
            Protos Verdejo, D.O. Rueda                       2,80€     16€
            Terras Gauda, D.O. Rías Baixas                   4,50€     26€
            ROSADOS
            Homenaje, D.O. Navarra                           2,50€     14€
            TINTOS
            Luis Cañas Crianza, D.O.Ca. Rioja                3,50€     20€
            Pruno, D.O. Ribera del Duero                     3,90€     23€
            DULCES Y GENEROSOS
            Fino Tío Pepe                                    2,50€     18€
            Pedro Ximénez Néctar                             3,50€     22€
            """
        #expect(
            readServings(list) == [
                "Protos Verdejo, D.O. Rueda: glass - 280, bottle - 1600",
                "Terras Gauda, D.O. Rías Baixas: glass - 450, bottle - 2600",
                "Homenaje, D.O. Navarra: glass - 250, bottle - 1400",
                "Luis Cañas Crianza, D.O.Ca. Rioja: glass - 350, bottle - 2000",
                "Pruno, D.O. Ribera del Duero: glass - 390, bottle - 2300",
                "Fino Tío Pepe: glass - 250, bottle - 1800",
                "Pedro Ximénez Néctar: glass - 350, bottle - 2200",
            ])
        #expect(readList(list).map(\.color) == [.white, .white, .rose, .red, .red, .sweet, .sweet])
    }

    @Test func `leaves out grapes and months in barrels`() {
        let list = """
            RIOJA
            Muga Crianza 2019                                   24,00 €
            Tempranillo, Garnacha, Mazuelo. 24 meses en barrica
            Viña Ardanza Reserva 2016                           32,00 €
            Tempranillo, Garnacha. 36 meses en barrica
            RIBERA DEL DUERO
            Matarromera Crianza 2019                            36,00 €
            100% Tempranillo. 14 meses en barrica
            """
        #expect(
            readServings(list) == [
                "Muga Crianza 2019: bottle - 2400",
                "Viña Ardanza Reserva 2016: bottle - 3200",
                "Matarromera Crianza 2019: bottle - 3600",
            ])
    }

    @Test func `finds wines above beers and soft drinks`() {
        let list = """
            Vinos
            Rioja Crianza Azpilicueta             3,00      18,00
            Ribera Protos Roble                   3,20      19,00
            Cervezas
            Caña                                  1,80
            Tercio Estrella Galicia               2,50
            Refrescos
            Coca-Cola                             2,20
            """
        #expect(
            readServings(list) == [
                "Rioja Crianza Azpilicueta: glass - 300, bottle - 1800",
                "Ribera Protos Roble: glass - 320, bottle - 1900",
            ])
    }
}
