"""Words and merchants' names on papers of ten kinds, in four languages.

The known names are chains; all other names are invented."""

KINDS = ["restaurant", "fuel", "parking", "pharmacy", "diy", "invoice", "ticket", "hotel", "taxi", "order"]
# Language, currency, decimal mark, thousands separator, VAT rates: full and reduced.
COUNTRIES = {
    "DE": ("de", "EUR", ",", ".", (19, 7)), "AT": ("de", "EUR", ",", ".", (20, 10)), "CH": ("de", "CHF", ".", "'", (8.1, 2.6)),
    "IT": ("it", "EUR", ",", ".", (22, 10)), "FR": ("fr", "EUR", ",", " ", (20, 10)), "IE": ("en", "EUR", ".", ",", (23, 13.5)),
}
TOWNS = {"IT": "Borgo Fiorito,Montelago,Valserena".split(","), "FR": "Beaumont-sur-Lac,Clairval,Rochebelle".split(","), "IE": "Ballyford,Kilmore,Westbridge".split(",")}
STREETS = {"IT": "Via Roma,Piazza Grande,Corso Italia".split(","), "FR": "Rue du Lac,Place de la Gare,Avenue des Tilleuls".split(","), "IE": "Main Street,Station Road,Harbour Lane".split(",")}
PEOPLE = ["Anna Beispiel", "Jörg Mustermann", "Carla Probst", "Timo Niemand", "Petra Irgend", "Lutz Erdacht"]

# For each kind of paper: names from the product's lexicon, then invented names. SHOPS also has the category of each shop.
NAMES = {
    "restaurant": (
        "Vapiano,Nordsee,L'Osteria,Hans im Glück,Block House,Akakiko,Wienerwald,Landzeit,Tibits,Swing Kitchen,Peter Pane,Burger King,Autogrill",
        "Gasthaus zum Hirschen,Pizzeria Bella Vista,Wirtshaus Lindenhof,Café Morgenrot,Sushi Sakura,Trattoria Da Enzo,Zum Goldenen Anker,Ristorante La Fontana,"
        "Bistro Le Canard,The Copper Kettle,Kebap Haus Ali,Brasserie du Pont,Krone Seeblick,Thai Orchid,Osteria Tre Fratelli,Grillstube Mayr"),
    "fuel": (
        "OMV,BP,Shell,Eni,Jet,Turmöl,Avanti,Aral,Esso,TotalEnergies,HEM,Avia,Migrol,Tamoil,Socar,Orlen",
        "Tankstelle Huber,Freie Tankstelle Nord,Station Brenner,Tank & Wasch Ebner,Talgas Energie,Autohof Hohenau,Stazione Sole,Station du Col,Roadside Fuels"),
    "parking": (
        "Apcoa,Wipark,Best in Parking,Contipark,Goldbeck Parking,Q-Park,Parkster",
        "Parkhaus Am Markt,Tiefgarage Rathaus,Garage Stadtplatz,Parkgarage Bahnhof West,City Parken Lindenau,Parcheggio Centrale,Parking de la Gare,Harbour Car Park,Park & Walk Dornau"),
    "pharmacy": (
        "DocMorris,Shop Apotheke,Amavita,Sun Store,Benu",
        "Engel-Apotheke,Apotheke zum Löwen,Stadt-Apotheke,Rosen Apotheke,Bären-Apotheke,Kur-Apotheke am See,Farmacia San Rocco,Pharmacie du Lac,Kilmore Pharmacy"),
    "diy": (
        "Obi,Hornbach,Bauhaus,Hagebau,Toom,Hellweg,Lagerhaus,Jumbo,Dehner,Bellaflora,Raiffeisen Markt",
        "Eisenwaren Brandl,Holzmarkt Leitner,Farben Krüger,Baustoffe Weidner,Werkzeug Pohl,Gartencenter Grünwald,Fliesen & Bad Sommer,Ferramenta Rossi,Bricolage du Lac,Ballyford Hardware"),
    "hotel": (
        "Ibis,Motel One,Hilton,Marriott,Jugendherberge",
        "Hotel Alpenblick,Gasthof zur Post,Pension Edelweiß,Hotel Seerose,Landhotel Tannhof,Albergo Miramonti,Hôtel du Parc,Harbour Inn,Hotel Weißes Lamm,Boutique Hotel Anna"),
    "taxi": (
        "Uber,Bolt,FreeNow",
        "Taxi Schneider,Funktaxi Lindenau,Taxi Yilmaz,City Taxi Hohenau,Taxiunternehmen Gruber,Seetaxi Bergwil,Radio Taxi Montelago,Taxi Clairval,Kilmore Cabs"),
}
SHOPS = {
    "invoice": (
        [("Wien Energie", "energy"), ("EVN", "energy"), ("Vattenfall", "energy"), ("Salzburg AG", "energy"), ("Tibber", "energy"), ("EWZ", "energy"),
         ("Magenta", "telecom"), ("A1", "telecom"), ("Vodafone", "telecom"), ("Swisscom", "telecom"), ("Sunrise", "telecom"), ("Congstar", "telecom"),
         ("Allianz", "insurance"), ("Uniqa", "insurance"), ("Helvetia", "insurance"), ("ÖAMTC", "fees"), ("Fielmann", "health")],
        [("Installateur Berger GmbH", "housing"), ("Elektro Wimmer e.U.", "housing"), ("Malerbetrieb Sommer", "housing"), ("Hausverwaltung Steiner GmbH", "housing"),
         ("Zahnarztpraxis Dr. Keller", "health"), ("Physiotherapie Lang", "health"), ("Dr. med. Eva Brandt", "health"), ("Autohaus Moser KG", "transport"),
         ("KFZ-Werkstatt Pichler", "transport"), ("Musikschule Dornau", "education"), ("Tierarztpraxis Wolf", "pet"), ("Stadtwerke Lindenau", "energy"),
         ("Rauchfangkehrer Eder", "housing"), ("Fitnessstudio Vita", "leisure"), ("Rechtsanwalt Dr. Kunz", "fees")]),
    "ticket": (
        [("ÖBB", "transit"), ("Deutsche Bahn", "transit"), ("Westbahn", "transit"), ("SBB", "transit"), ("Flixbus", "transit"), ("Wiener Linien", "transit"),
         ("BVG", "transit"), ("MVG", "transit"), ("HVV", "transit"), ("ZVV", "transit"), ("Cineplexx", "leisure"), ("Cinemaxx", "leisure"), ("Eventim", "leisure")],
        [("Almtalbahn", "transit"), ("Seenlinie Bus GmbH", "transit"), ("Verkehrsbetriebe Lindenau", "transit"), ("Regiobus Murfeld", "transit"), ("Ferrovie Valserena", "transit"),
         ("Westbridge Trains", "transit"), ("Stadttheater Rosenau", "leisure"), ("Kino Capitol", "leisure"), ("Bergbahnen Hohenstein AG", "leisure")]),
    "order": (
        [("Zalando", "clothing"), ("About You", "clothing"), ("H&M", "clothing"), ("MediaMarkt", "household"), ("Ikea", "household"), ("Conrad", "household"), ("Digitec", "household"),
         ("Thalia", "leisure"), ("Decathlon", "leisure"), ("Hugendubel", "leisure"), ("Zooplus", "pet"), ("Fressnapf", "pet"), ("Mister Spex", "health"), ("Douglas", "drugstore")],
        [("Schuhwerk Online", "clothing"), ("Wollkiste Versand", "clothing"), ("Lesewelt Nord", "leisure"), ("Radteile Express", "transport"), ("Möbelzauber", "household"),
         ("Pfotenglück Shop", "pet"), ("Blattgrün Pflanzenversand", "diy"), ("Spielkiste24", "leisure"), ("Küchenhelfer Direkt", "household"), ("Duft & Pflege Versand", "drugstore")]),
}
CATEGORY = {"restaurant": "dining", "fuel": "fuel", "parking": "parking", "pharmacy": "pharmacy", "diy": "diy", "hotel": "travel", "taxi": "transit"}
FORMS = {"DE": ["GmbH", "GmbH & Co. KG", "e.K.", "KG", ""], "AT": ["GmbH", "GesmbH", "e.U.", "KG", ""], "CH": ["AG", "GmbH", ""], "IT": ["S.r.l.", ""], "FR": ["SARL", ""], "IE": ["Ltd", ""]}

WORDS = {
    "de": {
        "total": ["Summe", "Gesamt", "Gesamtbetrag", "Total", "Zu zahlen", "Endbetrag", "Rechnungsbetrag", "SUMME", "GESAMTSUMME", "Bruttobetrag", "Zahlbetrag", "Betrag"],
        "subtotal": ["Zwischensumme", "Subtotal"], "tip": ["Trinkgeld", "TIP", "Tip", "Trinkgeld/Tip"], "with tip": ["Gesamt inkl. Trinkgeld", "Bezahlt", "Total", "Endbetrag", "Summe mit Trinkgeld", "Gesamtbetrag"],
        "cash": ["Bar", "BAR", "Gegeben", "Barzahlung"], "change": ["Rückgeld", "Zurück", "Retour"], "card": ["Kartenzahlung", "Visa", "Mastercard", "girocard", "Bankomat", "Maestro", "EC-Karte", "Debit Mastercard", "TWINT"],
        "date": ["Datum", "Datum:", "", "", "Belegdatum:", "Rechnungsdatum:"], "time": ["", "Uhrzeit", "Zeit"], "vat": "MwSt", "net": "Netto", "gross": "Brutto", "table": ["Tisch", "Tisch-Nr.", "TISCH"],
        "waiter": ["Bedienung", "Kellner", "Es bediente Sie", "Kassier"], "thanks": ["Vielen Dank für Ihren Besuch!", "Danke und auf Wiedersehen", "Herzlichen Dank", "Beehren Sie uns bald wieder"],
        "receipt": ["Rechnung", "Rechnung Nr.", "Beleg-Nr.", "Bon-Nr.", "Quittung", "Re-Nr."], "slip": ["K-U-N-D-E-N-B-E-L-E-G", "Kundenbeleg", "Kartenzahlung kontaktlos"], "paid": ["Zahlung erfolgt", "Genehmigt", "Autorisiert"],
        "amount": ["Betrag", "Betrag EUR", "Zahlung", "Total"]},
    "en": {
        "total": ["Total", "Total due", "Amount due", "Grand total", "TOTAL", "Balance due"], "subtotal": ["Subtotal"], "tip": ["Tip", "Gratuity", "TIP"], "with tip": ["Total", "Total incl. tip", "Amount paid"],
        "cash": ["Cash"], "change": ["Change"], "card": ["Visa", "Mastercard", "Card payment", "Visa Debit"], "date": ["Date", "Date:", "", "Issued:"], "time": ["", "Time"], "vat": "VAT", "net": "Net", "gross": "Gross",
        "table": ["Table"], "waiter": ["Server", "Served by"], "thanks": ["Thank you for your visit!", "Please come again"], "receipt": ["Receipt", "Receipt No.", "Bill No."], "slip": ["CUSTOMER COPY", "CARDHOLDER COPY"],
        "paid": ["APPROVED", "Thank you"], "amount": ["Amount", "SALE"]},
    "it": {
        "total": ["TOTALE", "Totale", "TOTALE COMPLESSIVO", "Totale documento", "TOTALE EURO"], "subtotal": ["SUBTOTALE", "Subtotale"], "tip": ["Mancia"], "with tip": ["TOTALE", "Importo pagato"],
        "cash": ["CONTANTI"], "change": ["RESTO"], "card": ["CARTA DI CREDITO", "PAGAMENTO ELETTRONICO", "Bancomat", "VISA"], "date": ["Data", "DATA:", ""], "time": ["", "Ora"], "vat": "IVA", "net": "Imponibile", "gross": "Totale",
        "table": ["Tavolo", "TAVOLO"], "waiter": ["Operatore", "Cameriere"], "thanks": ["GRAZIE E ARRIVEDERCI", "Grazie della visita"], "receipt": ["DOCUMENTO N.", "Ricevuta n.", "Scontrino n."], "slip": ["COPIA CLIENTE"],
        "paid": ["TRANSAZIONE ESEGUITA"], "amount": ["IMPORTO", "Importo EUR"]},
    "fr": {
        "total": ["TOTAL", "Total TTC", "TOTAL À PAYER", "Montant TTC", "Net à payer"], "subtotal": ["Sous-total"], "tip": ["Pourboire"], "with tip": ["TOTAL", "Montant payé"],
        "cash": ["Espèces"], "change": ["Rendu"], "card": ["Carte bancaire", "CB", "VISA"], "date": ["Date", "Date :", "Le", ""], "time": ["", "Heure"], "vat": "TVA", "net": "HT", "gross": "TTC",
        "table": ["Table", "TABLE"], "waiter": ["Serveur", "Servi par"], "thanks": ["Merci de votre visite", "À bientôt"], "receipt": ["Ticket N°", "Facture N°", "Reçu N°"], "slip": ["TICKET CLIENT"],
        "paid": ["PAIEMENT ACCEPTÉ"], "amount": ["MONTANT", "Montant"]},
}

DISHES = {
    "de": "Wiener Schnitzel,Gulaschsuppe,Tafelspitz,Käsespätzle,Rostbraten,Backhendlsalat,Pizza Salami,Pizza Tonno,Spaghetti Carbonara,Apfelstrudel,Kaiserschmarrn,Großes Bier,Mineralwasser 0,5,Cola 0,33,Espresso,Melange,Radler 0,5,Weißwein 1/8,Rösti,Flammkuchen,Burger Classic,Pommes,Tagesmenü 1,Beilagensalat",
    "en": "Fish & Chips,Beef Burger,Caesar Salad,Soup of the day,Pint Stout,Sparkling Water,Americano,Sticky Toffee,Chicken Wings,Side Fries",
    "it": "COPERTO,Pizza Margherita,Spaghetti Vongole,Tagliata,Acqua nat.,Vino rosso 1/2,Tiramisù,Caffè,Insalata mista,Birra media",
    "fr": "Plat du jour,Steak frites,Salade de chèvre,Café,Eau gazeuse,Verre de vin,Crème brûlée,Quiche,Menu midi,Bière pression",
}
PRICES = {"Großes": 480, "Mineral": 390, "Cola": 380, "Espresso": 290, "Melange": 480, "Radler": 450, "Pint": 650, "Acqua": 300, "Caffè": 180, "Café": 260, "COPERTO": 250, "Weißwein": 420}
FUELS = {"de": "Diesel,Super 95,Super E10,EuroSuper 95,Super Plus,MaxxMotion Diesel,Bleifrei 95,Ultimate Diesel".split(","), "en": ["Unleaded", "Diesel"], "it": ["GASOLIO", "SENZA PB"], "fr": ["GAZOLE", "SP95-E10"]}
MEDICINES = {
    "de": "Ibuprofen 400mg 20St,Aspirin C BTA 10,Nasenspray 10ml,Halstabletten,Wundsalbe 30g,Vitamin D3 Tropfen,Hustensaft 200ml,Pflaster 20St,Magnesium Sticks,Augentropfen 10ml,Paracetamol 500",
    "en": "Ibuprofen 200mg,Nasal Spray,Throat Lozenges,Vitamin C", "it": "TACHIPIRINA 500,FERMENTI LATTICI,SPRAY NASALE,CEROTTI", "fr": "DOLIPRANE 500,SPRAY NASAL,PANSEMENTS,VITAMINE C",
}
TOOLS = {
    "de": "Spax Schrauben 4x40,Dübel 8mm 50St,Wandfarbe weiß 10L,Acryllack 0,75,Pinselset,Silikon transp.,Holzleiste 2m,OSB Platte 15mm,Blumenerde 40L,Gartenschlauch,LED Spot GU10,Bohrer Set,Kabelbinder,Fliesenkleber 25kg,Malerkrepp,Steckdose 3f.",
    "en": "Wood Screws,Masking Tape,Wall Paint 5L,Drill Bits", "it": "VITI LEGNO,PITTURA BIANCA,SILICONE,LAMPADA LED", "fr": "VIS BOIS,PEINTURE BLANCHE,SILICONE,AMPOULE LED",
}
WORK = {
    "energy": ["Stromlieferung 3.482 kWh", "Grundgebühr", "Netznutzung", "Elektrizitätsabgabe"], "telecom": ["Mobilfunk Tarif L", "Internet 250 Mbit", "Grundentgelt", "Roaming Datenpaket"],
    "insurance": ["Haftpflichtversicherung", "Haushaltsversicherung Prämie", "Rechtsschutz"], "fees": ["Jahresbeitrag", "Beratung 1,5 Std.", "Gebühr"], "health": ["Behandlung", "Mundhygiene", "Einheiten Therapie", "Untersuchung"],
    "housing": ["Arbeitszeit Monteur 2,5 Std.", "Anfahrtspauschale", "Material", "Wartung Therme", "Kleinmaterial"], "transport": ["Ölwechsel", "Reifenwechsel 4 Stk", "Bremsbeläge vorne", "§57a Begutachtung", "Arbeitszeit"],
    "education": ["Kursgebühr Klavier", "Unterricht Semester"], "pet": ["Impfung Hund", "Untersuchung Katze", "Wurmkur"], "leisure": ["Mitgliedsbeitrag Monat", "Startpaket"],
}
GOODS = {
    "clothing": ["Sneaker Gr. 42", "Jacke wattiert", "Hose slim", "Pullover Wolle", "Socken 5er"], "household": ["Staubsauger X3", "Schreibtischlampe", "Regal weiß 80x200", "Geschirr Set", "Matratze 90x200", "Wasserkocher"],
    "leisure": ["Buch: Der lange Weg", "Roman Taschenbuch", "Spielzeug Kran", "Wanderstöcke", "Yogamatte"], "pet": ["Katzenfutter 12x400g", "Hundefutter 10kg", "Katzenstreu 20L"],
    "health": ["Kontaktlinsen 30er", "Brille Fassung"], "drugstore": ["Shampoo 250ml", "Kosmetik Set", "Parfum 50ml"], "transport": ["Fahrrad Schlauch 28", "Kette 9-fach", "Reifen 700x28"], "diy": ["Pflanzen Mix", "Blumenerde 20L", "Dünger 1kg"],
}
