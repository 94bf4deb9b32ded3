import DocumentParsing
import Domain
import Testing

/// Units, deposits, discounts and tax lines as tills of other countries print them. Each is a short invented receipt.
@Suite(.timeLimit(.minutes(5))) struct `Tills of other countries` {
    @Test(arguments: ForeignTills.all)
    func `reads the items and the total of a foreign till`(layout: Layout.Case) {
        let receipt = Layout.parse(layout.text)
        #expect(receipt.summary == layout.items)
        #expect(receipt.total?.value.figure() == layout.total)
        #expect(receipt.currency == layout.currency)
    }

    @Test(arguments: [
        ("JERONIMO MARTINS POLSKA S.A.", "Biedronka"), ("REWE (ROMANIA) SRL", "Penny"),
        ("S.C. PROFI ROM FOOD S.R.L.", "Profi"), ("TESCO Express", "Tesco"), ("E.LECLERC", "E.Leclerc"),
        ("ŻABKA Z1234", "Żabka"), ("Sainsbury's Supermarkets Ltd", "Sainsbury's"), ("H&M", "H&M"),
    ])
    func `names the chain of a foreign store`(head: String, chain: String) {
        let receipt = Layout.parse("\(head)\n12 Main Street\nMilk 1l  1,20\nBread  2,30\nTotal  3,50\n07.03.2026")
        #expect(receipt.chain == chain)
    }

    @Test func `does not name a store by a street without a number`() {
        let receipt = Layout.parse(
            "PANIFICIO ROSSI 2.0\nVIA ROMA BOLOGNA\nPane  1,20\nLatte  2,30\nTotale  3,50\n27.02.2026")
        #expect(receipt.chain == "PANIFICIO ROSSI 2.0")
    }

    @Test(arguments: [
        ("SUMA PTU", "SUMA PLN"), ("SUMA PIU", "SUMA PLN"), ("TOTAL TVA", "TOTAL"), ("Suma PTU", "Sima PLN"),
    ])
    func `does not take the sum of the taxes as the total if an item is missing`(tax: String, total: String) {
        let receipt = Layout.parse(
            """
            SKLEP
            ul. Długa 12
            Mleko UHT 1l              3,49 A
            Chleb wiejski             4,99 A
            \(tax)                  2,81
            \(total)                15,00
            KARTA                    15,00
            07.03.2026 12:00
            """)
        #expect(receipt.total?.value.figure() == "15,00")
    }

    @Test func `does not name a store by an address with a British postal code`() {
        let receipt = Layout.parse(
            "The Red Lion\n14 Crown Passage London SW1Y 6PP\nAle  5,20\nPie  9,30\nTotal  14,50\n07.03.2026")
        #expect(receipt.chain == "The Red Lion")
        let unnamed = Layout.parse(
            "14 Crown Passage London SW1Y 6PP\nAle  5,20\nPie  9,30\nTotal  14,50\n07.03.2026")
        #expect(unnamed.chain == nil)
    }

    @Test(arguments: [
        ("Filiale 12", "BALEA DUSCHE  0,95\nDENKMIT TABS  3,95", "dm"),
        ("Fachcentrum Augsburg", "SCHRAUBEN  0,95\nBOHRER  3,95", "Bauhaus"),
        ("TJX Deutschland Ltd. & Co. KG", "HEMD  0,95\nKISSEN  3,95", "TK Maxx"),
    ])
    func `names the chain by its own brands or its company if the logo was not read`(
        head: String, items: String, chain: String
    ) {
        let receipt = Layout.parse("\(head)\nRathausplatz 1\n90403 Nürnberg\n\(items)\nSumme  4,90\n07.03.2026")
        #expect(receipt.chain == chain)
    }
}

private enum ForeignTills {
    static let all: [Layout.Case] = [
        .init(
            name: "Polish till: abbreviated tax lines, reduced price below the discount, deposit",
            text: """
                LIDL
                ul. Zwycięzców 3, 03-936 Warszawa
                NIP 781-18-97-358
                PARAGON FISKALNY
                Bułka kajzerka       6 * 0,39       2,34 C
                Ser Gouda 400g       1 * 13,99     13,99 C
                 LIDL PLUS rabat                   -4,00 C
                                                    9,99 C
                Pomidory luz         0,654 * 9,99   6,53 C
                Woda gazowana        2 szt. x 2,25  4,50 A
                Kaucja butelka       2 szt. x 0,50  1,00
                Kawa ziarnista       1 * 19,86     19,86 A
                -----------------------------------------
                Sprzed. opod. PTU A                24,36
                Kwota A 23,00%                      4,56
                Sprzed. opod. PTU C                18,86
                Kwota C 05,00%                      0,90
                Podatek PTU                         5,46
                SUMA PLN                           44,22
                Karta płatnicza                    44,22
                #002 Kasjer 112  07.03.2026 19:33
                """,
            items: [
                "Bułka kajzerka 6 Stk 0,39 2,34 C item", "Ser Gouda 400g 1 Stk 13,99 13,99 C item",
                "LIDL PLUS rabat 1 Stk -4,00 -4,00 C discount", "Pomidory luz 0,654 kg 9,99 6,53 C item",
                "Woda gazowana 2 Stk 2,25 4,50 A item", "Kaucja butelka 2 Stk 0,50 1,00 - deposit",
                "Kawa ziarnista 1 Stk 19,86 19,86 A item",
            ], total: "44,22", currency: .pln),
        .init(
            name: "Polish till: abbreviated tax rows before their sum, a discount by its own word",
            text: """
                ŻABKA Z4567
                ul. Długa 3 Kraków
                NIP 5223071241
                PARAGON FISKALNY
                HOT DOG PAROWKA      1 * 6,99   6,99 B
                COCA COLA 0,5L       2 * 5,49  10,98 A
                KAUCJA PET           2 * 0,50   1,00
                OPUST Coca          -2,00 A
                SP.OP.A 8,98 PTU 23%   1,68
                SP.OP.B 6,99 PTU 8%    0,52
                SUMA PTU               2,20
                SUMA PLN              16,97
                BLIK                  16,97
                07.03.2026 17:45
                """,
            items: [
                "HOT DOG PAROWKA 1 Stk 6,99 6,99 B item", "COCA COLA 0,5L 2 Stk 5,49 10,98 A item",
                "KAUCJA PET 2 Stk 0,50 1,00 - deposit", "OPUST Coca 1 Stk -2,00 -2,00 A discount",
            ], total: "16,97", currency: .pln),
        .init(
            name: "French till: a voucher by its own word",
            text: """
                AUCHAN
                59650 VILLENEUVE D'ASCQ
                POULET FERMIER           9,87 €
                CHOCOLAT NOIR   3x1,45   4,35 €
                BON DE REDUCTION        -1,00 €
                TOTAL TTC               13,22 €
                CARTE BLEUE EMV         13,22 €
                27-02-2026 17:45
                """,
            items: [
                "POULET FERMIER 1 Stk 9,87 9,87 - item", "CHOCOLAT NOIR 3 Stk 1,45 4,35 - item",
                "BON DE REDUCTION 1 Stk -1,00 -1,00 - coupon",
            ], total: "13,22"),
        .init(
            name: "Romanian till: quantities in BUC and KG with the currency, deposit",
            text: """
                KAUFLAND ROMANIA SCS
                STR. FABRICII 12, CLUJ-NAPOCA
                BON FISCAL
                2 BUC x 5,49 LEI
                LAPTE ZUZU 1L           10,98 B
                PAINE ALBA 500G          3,29 B
                0,842 KG x 7,99 LEI
                ROSII CHERRY             6,73 B
                DETERGENT ARIEL         39,99 A
                REDUCERE                -5,00 A
                GARANTIE SGR             0,50
                TOTAL LEI               56,49
                CARD                    56,49
                TOTAL TVA A 21%          6,07
                TOTAL TVA B 11%          2,08
                TOTAL TVA BON            8,15
                BON FISCAL NR. 0123  DATA 07-03-2026
                """,
            items: [
                "LAPTE ZUZU 1L 2 Stk 5,49 10,98 B item", "PAINE ALBA 500G 1 Stk 3,29 3,29 B item",
                "ROSII CHERRY 0,842 kg 7,99 6,73 B item", "DETERGENT ARIEL 1 Stk 39,99 39,99 A item",
                "REDUCERE 1 Stk -5,00 -5,00 A discount", "GARANTIE SGR 1 Stk 0,50 0,50 - deposit",
            ], total: "56,49", currency: .ron),
        .init(
            name: "Romanian till: quantity and amount below each name",
            text: """
                PENNY
                BON FISCAL
                ZAHAR MARGARITAR
                  2 BUC * 4,49 RON          8,98 B
                OREZ BOB ROTUND
                  1 BUC * 6,99 RON          6,99 B
                CARTOFI ALBI
                  2,506 KG * 2,99 RON       7,49 B
                TOTAL LEI                  23,46
                NUMERAR LEI                50,00
                REST LEI                   26,54
                07/03/2026 09:12
                """,
            items: [
                "ZAHAR MARGARITAR 2 Stk 4,49 8,98 B item", "OREZ BOB ROTUND 1 Stk 6,99 6,99 B item",
                "CARTOFI ALBI 2,506 kg 2,99 7,49 B item",
            ], total: "23,46", currency: .ron),
        .init(
            name: "Italian till: weight with its rate below the name",
            text: """
                ESSELUNGA S.P.A.
                VIALE PAPINIANO, 27
                DOCUMENTO COMMERCIALE
                DESCRIZIONE         IVA   Prezzo(€)
                LATTE PS MICROF     4%      1,69
                MELE GOLDEN         4%      1,93
                  kg 0,968 x EUR/kg 1,99
                OLIO EXTRA VERG     4%      8,90
                TOTALE COMPLESSIVO         12,52
                DI CUI IVA                  0,48
                Pagamento elettronico      12,52
                07-03-2026 10:44
                """,
            items: [
                "LATTE PS MICROF 4% 1 Stk 1,69 1,69 - item", "MELE GOLDEN 4% 0,968 kg 1,99 1,93 - item",
                "OLIO EXTRA VERG 4% 1 Stk 8,90 8,90 - item",
            ], total: "12,52"),
        .init(
            name: "Dutch till: cash rounding and returned crates",
            text: """
                DIRK
                Heemskerkstraat 3 Amsterdam
                Omschrijving              Bedrag €
                BRUIN BROOD                1,29
                2 STUKS x 0,85
                VANILLEVLA                 1,70
                KOFFIE                     6,99
                KORTING KOFFIE            -1,50
                EMBALLAGE                 -0,50
                SUBTOTAAL                  7,98
                Afronding                  0,02
                TOTAAL                     8,00
                CONTANT                   20,00
                TERUG                     12,00
                07-03-2026 14:55  Kassa 6
                """,
            items: [
                "BRUIN BROOD 1 Stk 1,29 1,29 - item", "VANILLEVLA 2 Stk 0,85 1,70 - item",
                "KOFFIE 1 Stk 6,99 6,99 - item", "KORTING KOFFIE 1 Stk -1,50 -1,50 - discount",
                "EMBALLAGE 1 Stk -0,50 -0,50 - deposit_return", "Afronding 1 Stk 0,02 0,02 - rounding",
            ], total: "8,00"),
        .init(
            name: "English till: an address that ends in the column of amounts",
            text: """
                LIDL
                14 Worple Road London SW19 4JS
                                          £
                 Bananas
                  1.022 kg @ £0.88/kg   £0.90
                 Greek Style Yogurt     £1.59
                 Croissant     0.55 x 4 £2.20
                 Lidl Plus coupon      -£1.00
                 Chicken Breast         £6.65
                TOTAL                  £10.34
                CARD                   £10.34
                07/03/26 10:05
                """,
            items: [
                "Bananas 1,022 kg 0,88 0,90 - item", "Greek Style Yogurt 1 Stk 1,59 1,59 - item",
                "Croissant 4 Stk 0,55 2,20 - item", "Lidl Plus coupon 1 Stk -1,00 -1,00 - coupon",
                "Chicken Breast 1 Stk 6,65 6,65 - item",
            ], total: "10,34", currency: .gbp),
        .init(
            name: "Swiss columns: weights whose amounts are rounded to five rappen",
            text: """
                Coop Winterthur
                Artikel              Menge  Preis Aktion  Total
                Naturaplan Milch        2   1.85          3.70 0
                Pouletbrust         0.482  29.50         14.20 0
                Persil Gel              1  19.95  12.95  12.95 1
                Total CHF                                30.85
                TWINT                                    30.85
                07.03.2026 17:55
                """,
            items: [
                "Naturaplan Milch 2 Stk 1,85 3,70 0 item", "Pouletbrust 0,482 kg 29,50 14,20 0 item",
                "Persil Gel 1 Stk 12,95 12,95 1 item",
            ], total: "30,85", currency: .chf),
    ]
}
