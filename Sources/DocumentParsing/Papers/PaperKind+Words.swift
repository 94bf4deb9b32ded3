extension PaperKind {
    /// Folded words of each kind with their weights. A final `*` matches any further letters.
    var words: [(String, Int)] {
        switch self {
        case .restaurant:
            [
                ("restaurant*", 3), ("gasthaus", 3), ("gasthof", 2), ("wirtshaus", 3), ("pizzeria", 3),
                ("ristorante", 3), ("trattoria", 3), ("osteria", 3), ("brasserie", 3), ("cafe", 2), ("kaffeehaus", 2),
                ("konditorei", 2), ("heuriger", 3), ("tisch", 3), ("tischnr", 3), ("table", 3), ("tavolo", 3),
                ("kellner*", 2), ("bedienung", 1), ("bediente", 2), ("server", 2), ("served", 2), ("serveur", 2),
                ("servi", 2), ("cameriere", 2), ("bewirtung*", 2), ("bewirtete", 2), ("trinkgeld", 2), ("speisen", 2),
                ("getraenke", 1), ("gedeck", 2), ("coperto", 3), ("imbiss", 2), ("beisl", 3), ("bistro", 2),
                ("grill*", 1), ("schnitzel", 2), ("espresso", 2), ("melange", 2), ("menue", 1), ("tagesmenue", 2),
                ("dessert", 1), ("burger", 1), ("pommes", 1), ("spritzer", 2), ("seidel", 2), ("tip", 1),
            ]
        case .fuel:
            [
                ("diesel", 3), ("eurosuper", 3), ("super", 1), ("benzin", 3), ("bleifrei", 3), ("zapfsaeule", 3),
                ("zapfpunkt", 3), ("saeule", 2), ("tankstelle", 3), ("tanken", 2), ("adblue", 2), ("liter", 1),
                ("e10", 2), ("kraftstoff", 2), ("unleaded", 3), ("gasolio", 3), ("pompa", 2), ("gazole", 3),
                ("sp95", 3), ("pompe", 2), ("pump", 2), ("carburant", 3), ("litro", 1), ("benzina", 3), ("fuels", 2),
                ("senza", 2), ("pb", 2),
                ("stazione", 1),
            ]
        case .parking:
            [
                ("parkschein*", 3), ("parkhaus", 3), ("parkgarage", 3), ("tiefgarage", 3), ("parkdauer", 3),
                ("parkgebuehr*", 3), ("parkentgelt", 3), ("einfahrt", 2), ("ausfahrt", 2), ("garage", 2),
                ("parkplatz", 2), ("kurzpark*", 3), ("parkticket", 3), ("parkquittung", 3), ("parken", 2),
                ("parking", 3), ("parcheggio", 3), ("sosta", 2), ("stationnement", 3), ("entry", 1), ("exit", 1),
                ("entrata", 1), ("uscita", 1), ("entree", 1), ("sortie", 1), ("kennzeichen", 1), ("plate", 1),
                ("duration", 1), ("durata", 1), ("duree", 1),
            ]
        case .pharmacy:
            [
                ("apotheke*", 3), ("rezept*", 3), ("pzn", 3), ("rezeptgebuehr", 3), ("zuzahlung", 3),
                ("arzneimittel", 2), ("mag", 1), ("pharm", 1), ("farmacia", 4), ("pharmacie", 4), ("pharmacy", 4),
                ("nasenspray", 2), ("ibuprofen", 2), ("paracetamol", 2), ("aspirin", 2), ("hustensaft", 2),
                ("tropfen", 1), ("salbe", 1), ("tabletten", 2), ("filmtabletten", 2),
            ]
        case .diy:
            [
                ("baumarkt*", 3), ("obi", 3), ("hornbach", 3), ("bauhaus", 3), ("hagebau*", 3), ("toom", 3),
                ("lagerhaus", 2), ("schrauben", 2), ("gartencenter", 4), ("hellweg", 3), ("eisenwaren", 4),
                ("holzmarkt", 4), ("baustoffe", 4), ("werkzeug*", 3), ("ferramenta", 4), ("bricolage", 4),
                ("hardware", 3), ("fliesen*", 2), ("farben", 2), ("wandfarbe", 2), ("duebel", 2), ("silikon", 2),
                ("holz*", 1), ("blumenerde", 2), ("screws", 2), ("paint", 2), ("malerkrepp", 2), ("kabelbinder", 2),
                ("lack*", 1), ("acryllack", 2), ("bohrer", 2), ("pinsel*", 1), ("steckdose", 2), ("gartenschlauch", 2),
            ]
        case .invoice:
            [
                ("rechnungsnummer", 3), ("rechnungsnr", 3), ("rechnungsdatum", 2), ("kundennummer", 2), ("iban", 1),
                ("zahlungsziel", 3), ("faellig*", 3), ("zahlbar", 3), ("rechnungsbetrag", 2),
                ("rechnung", 1), ("verwendungszweck", 2), ("ueberweisen", 2), ("ueberweisung", 1), ("mahnung", 2),
                ("invoice", 2), ("fattura", 2), ("facture", 1), ("scadenza", 2), ("echeance", 2), ("skonto", 3),
                ("abgebucht", 3), ("bankverbindung", 2),
            ]
        case .ticket:
            [
                ("fahrkarte*", 3), ("fahrschein*", 3), ("ticket", 2), ("onlineticket", 3), ("einzelfahrt", 3),
                ("einzelfahrschein", 4), ("hinfahrt", 3), ("rueckfahrt", 2), ("abfahrt", 2), ("ankunft", 2),
                ("reisende*", 2), ("sitzplatz", 2), ("bahnhof", 1), ("hbf", 2), ("zug", 1), ("klasse", 2),
                ("tageskarte", 3), ("monatskarte", 3), ("eintrittskarte*", 4), ("kinokarte", 4), ("vorstellung", 3),
                ("reihe", 1), ("platz", 1), ("saal", 2), ("skipass", 3), ("geltungstag", 3), ("buchungscode", 2),
                ("biglietto", 4), ("billet", 4), ("eticket", 4), ("reisedatum", 3), ("ticketnummer", 3),
                ("gueltig", 1), ("adult", 1), ("erwachsene*", 2),
                ("online", 1), ("buchungsdatum", 3), ("auftragsnummer", 1), ("konzert*", 3), ("kinofilm*", 3),
                ("theater*", 3), ("kategorie", 1), ("partenza", 1), ("acquisto", 1), ("classe", 2), ("class", 2),
                ("depart", 1), ("reservation", 1), ("single", 1), ("train*", 2), ("return", 1), ("print", 1),
                ("seilbahn", 2), ("bergbahn*", 2), ("ermaessigt", 1), ("booked", 2), ("achat", 1),
            ]
        case .hotel:
            [
                ("hotel*", 3), ("zimmer", 2), ("naechte", 3), ("naechtigung*", 3), ("uebernachtung*", 4),
                ("anreise", 3), ("abreise", 3), ("ortstaxe", 3), ("kurtaxe", 3), ("logis", 3), ("pension", 2),
                ("check", 1), ("gast", 1), ("fruehstueck", 1), ("hostel", 3), ("citytax", 2), ("albergo", 3),
                ("arrival", 2), ("departure", 1), ("nights", 3), ("room", 2), ("camera", 2), ("notti", 3),
                ("pernottamento", 4), ("soggiorno", 2), ("arrivo", 2), ("partenza", 1), ("chambre", 2), ("nuits", 3),
                ("nuitee", 4), ("sejour", 2), ("arrivee", 2), ("accommodation", 4), ("inn", 2), ("city", 1),
            ]
        case .taxi:
            [
                ("taxi*", 4), ("fahrpreis", 2), ("fahrgast", 2), ("konzession*", 3), ("kennzeichen", 1), ("fahrer", 2),
                ("wagen", 2), ("uber", 4), ("bolt", 4), ("fahrt", 1), ("freenow", 4), ("cab", 2), ("cabs", 3),
                ("fare", 2), ("corsa", 2), ("course", 2), ("funktaxi", 4), ("fahrstrecke", 3), ("vettura", 2),
                ("licenza", 1), ("seetaxi", 4),
            ]
        case .order:
            [
                ("bestellnummer", 5), ("bestellnr", 5), ("bestellung*", 3), ("bestelldatum", 5),
                ("bestellbestaetigung", 4), ("bestellsumme", 2), ("auftragsbestaetigung", 2), ("versand*", 2),
                ("versandkosten", 2), ("lieferadresse", 3), ("lieferung", 1), ("lieferdatum", 2), ("order", 3),
                ("artikelnummer", 1), ("sendung*", 1), ("warenkorb", 2), ("rechnungsadresse", 2), ("ordine", 3),
                ("commande", 3), ("spedizione", 2), ("shipping", 2), ("frais", 1), ("consegna", 1), ("livraison", 1),
                ("zahlungsart", 2), ("klarna", 1), ("paypal", 2),
            ]
        }
    }
}
