/// Receipts of several countries, with the expected store, date and total.
enum OtherCountries {
    static let all: [`Receipts of other countries and trades`.Case] = [
        .init(
            store: "Carrefour", day: "2026-02-14", total: "27.48",
            text: """
                           Carrefour market
                        12 RUE DE LA REPUBLIQUE
                            69002 LYON
                        TEL : 04 78 12 34 56
                   Ouvert du Lundi au Samedi 8h-21h

                                    QTE x P.U.   MONTANT
                *LAIT DEMI ECREME 1L              1.15€
                *BAGUETTE TRADITION   2 x 1.10€   2.20€
                *JAMBON SUPERIEUR X4              4.59€
                *YAOURT NATURE X8                 2.35€
                 LESSIVE LIQUIDE                  9.99€
                *POMME GALA
                   0.842kg x 2.99€/kg             2.52€
                *EMMENTAL RAPE 200G               2.69€
                *CAFE MOULU 250G                  2.99€
                 REMISE IMMEDIATE                -1.00€

                 9 ARTICLES
                 TOTAL A PAYER                   27.48€
                 CB EMV                          27.48€

                TVA    TAUX      HT     TVA     TTC
                  *    5.50%   17.53    0.96   18.49
                       20.00%   7.49    1.50    8.99

                 14/02/2026  18:42   0123 004 0456 7788
                   MERCI DE VOTRE VISITE
                """),
        .init(
            store: "BAR CENTRALE", day: "2026-06-01", total: "5.40",
            text: """
                BAR CENTRALE
                di Rossi Mario & C. S.n.c.
                Piazza Garibaldi 5
                37121 VERONA
                P.IVA 01234567890
                DOCUMENTO COMMERCIALE
                di vendita o prestazione
                DESCRIZIONE     IVA  Prezzo(€)
                CAFFE ESPRESSO  10%      1,20
                CAPPUCCINO      10%      1,60
                BRIOCHE         10%      1,30
                BRIOCHE         10%      1,30
                TOTALE COMPLESSIVO       5,40
                DI CUI IVA               0,49
                Pagamento contante       5,40
                01-06-2026 08:05
                DOC. N. 1023-0012
                """),
        .init(
            store: "ORLEN S.A.", day: "2026-03-22", total: "245.50",
            text: """
                ORLEN S.A.
                STACJA PALIW NR 1234
                UL. WROCŁAWSKA 50, 60-101 POZNAŃ
                NIP 774-00-01-454
                22-03-2026            nr wydr. 55123
                PARAGON FISKALNY
                ON EFECTA  38,42 L x 6,39     245,50 A
                SPRZEDAŻ OPODATK. A           245,50
                KWOTA A 23,00%                 45,91
                SUMA PTU                       45,91
                SUMA PLN                      245,50
                KARTA VISA                    245,50
                """),
        .init(
            store: "Jumbo", day: "2026-01-31", total: "22.41",
            text: """
                JUMBO
                Jumbo Utrecht Merelstraat
                Merelstraat 46
                3514 CN Utrecht
                OMSCHRIJVING           BEDRAG
                HALFV MELK               1,19
                VOLKOREN BROOD           1,89
                KIPFILET                 6,49
                2 X 0,99
                KOMKOMMER                1,98
                STATIEGELD               0,25
                COLA ZERO                2,09
                TOILETPAPIER             5,99
                PINDAKAAS                3,53
                KORTING                 -1,00
                TOTAAL                  22,41
                PINNEN                  22,41
                BTW OVER      EUR
                9%   15,07   1,24
                31-01-2026 15:48  kassa 4
                """),
        .init(
            store: "Kaufland", day: "2026-02-19", total: "63.27",
            text: """
                KAUFLAND ROMANIA SCS
                BD. BARBU VACARESCU 120-144
                BUCURESTI SECTOR 2
                COD FISCAL: RO15991149
                BON FISCAL
                1.000 BUC x 8.49
                LAPTE ZUZU 1.5%               8.49 B
                2.000 BUC x 3.25
                PAINE ALBA                    6.50 B
                0.654 KG x 12.99
                MERE IDARED                   8.50 B
                1.000 BUC x 32.79
                CAFEA JACOBS 500G            32.79 B
                1.000 BUC x 6.99
                SERVETELE                     6.99 A
                TOTAL                        63.27
                CARD                         63.27
                TVA A 21%                     1.21
                TVA B 11%                     5.58
                DATA: 19/02/2026 ORA: 18:33:21
                """),
        .init(
            store: "Mercadona", day: "2026-02-27", total: "19.23",
            text: """
                MERCADONA, S.A.   A-46103834
                C/ VALENCIA 5
                28012 MADRID
                TELÉFONO: 911234567
                27/02/2026 19:45  OP: 1234567
                FACTURA SIMPLIFICADA: 1234-012-345678
                Descripción      P. Unit   Importe
                1 LECHE ENTERA              0,95
                2 PAN DE MOLDE      1,35    2,70
                1 ACEITE OLIVA              8,95
                1 PLATANO
                  0,954 kg    1,99 €/kg     1,90
                1 DETERGENTE                4,73
                TOTAL (€)                  19,23
                TARJETA BANCARIA           19,23
                IVA BASE IMPONIBLE (€) CUOTA (€)
                10%   13,18   1,32
                """),
        .init(
            store: "Sainsbury's", day: "2026-03-29", total: "8.55",
            text: """
                Sainsbury's
                Sainsbury's Supermarkets Ltd
                33 Holborn London EC1N 2HT
                JS BANANAS            £0.95
                  0.620kg @ £1.53/kg
                JS GREEK YOG          £2.10
                NECTAR PRICE SAVING  -£0.50
                GRANOLA               £3.50
                JS SOURDOUGH          £2.50
                4 BALANCE DUE         £8.55
                Visa Debit            £8.55
                CHANGE                £0.00
                29MAR2026 12:31
                """),
        .init(
            store: "Parkhaus Rathausgalerie", day: "2026-03-28", total: "6.50",
            text: """
                Parkhaus Rathausgalerie
                APCOA PARKING Deutschland GmbH
                Quittung
                Einfahrt: 28.03.2026 10:12
                Ausfahrt: 28.03.2026 13:40
                Parkdauer 3h 28min
                Betrag              6,50 EUR
                inkl. 19% MwSt      1,04 EUR
                Bezahlt Bar        10,00 EUR
                Rückgeld            3,50 EUR
                """),
        .init(
            store: "Elektro Schulz GmbH", day: "2026-03-10", total: "416.50",
            text: """
                Elektro Schulz GmbH
                Handwerkerstr. 8
                04103 Leipzig

                Herrn
                Max Mustermann
                Gartenweg 3
                04105 Leipzig

                Rechnung Nr. 2026-0187
                Rechnungsdatum: 10.03.2026
                Leistungsdatum: 04.03.2026
                Kundennummer: 10234

                Pos  Bezeichnung            Menge  Einzelpreis   Gesamt
                1    Arbeitszeit Monteur    4 Std      62,50 €   250,00 €
                2    Anfahrt                1 Psch     35,00 €    35,00 €
                3    Material Steckdosen    5 Stk      13,00 €    65,00 €

                Nettobetrag                                      350,00 €
                zzgl. 19% MwSt                                    66,50 €
                Rechnungsbetrag                                  416,50 €

                Zahlbar bis 24.03.2026 ohne Abzug.
                IBAN DE12 3456 7890 1234 5678 90
                """),
        .init(
            store: "RISTORANTE BELLA ITALIA", day: "2026-04-16", total: "86.40",
            text: """
                RISTORANTE BELLA ITALIA
                Bahnhofstr. 45
                63065 Offenbach
                St.-Nr. 044 123 45678
                Tisch # 5
                Rechnung
                1 Pizza Margherita          9,50
                1 Spaghetti Carbonara      12,90
                2 Acqua 0,75        6,50   13,00
                1 Fl. Primitivo            28,00
                2 Tiramisu          7,50   15,00
                2 Espresso          4,00    8,00
                ------------------------------
                Total                  EUR 86,40
                Netto 19%   72,61
                MwSt. 19%   13,79
                Es bediente Sie Marco
                16.04.2026 22:03:11
                Bewirtungsaufwand-Angaben
                Bewirtete Personen:
                Anlass der Bewirtung:
                Trinkgeld:
                Gesamtbetrag:
                """),
    ]
}
