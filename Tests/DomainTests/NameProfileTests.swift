import Testing

@testable import Domain

@Suite(.timeLimit(.minutes(5))) struct NameProfileTests {
    @Test(
        "finds brand, product word and category in printed names",
        arguments: [
            ("JA! H-MILCH 3,5%", "ja!", "milch", "dairy"), ("MILFINA H-MILCH 3,5% 1L", "Milfina", "milch", "dairy"),
            ("S-BUDGET TEEBUTTER 250G", "S-BUDGET", "butter", "dairy"),
            ("GUT&GÜNSTIG MEHL 1KG", "GUT&GÜNSTIG", "mehl", "pantry"),
            ("K-CLASSIC TOASTBROT", "K-Classic", "toast", "bread"),
            ("CLEVER SPAGHETTI 500G", "clever", "spaghetti", "pantry"),
            ("PIZZA SALAMI", nil, "pizza", "frozen"), ("APFELSAFT 1L", nil, "apfelsaft", "drinks"),
            ("Bananen Chiquita", "Chiquita", "banane", "produce"), ("HACKFLEISCH GEM.", nil, "hackfleisch", "meat"),
            ("Hähnchen süß-sauer", nil, "huhn", "meat"),
            ("FASCHIERTES GEM. 500G", nil, "hackfleisch", "meat"), ("PARADEISER RISPEN", nil, "tomate", "produce"),
            ("PAMPERS WINDELN GR.4", "Pampers", "windeln", "baby"),
            ("WHISKAS KATZENFUTTER", "Whiskas", "katzenfutter", "pet"),
            ("PFAND 0,25 EURO", nil, "pfand", "deposit"), ("TOIL.PAP. 3LAGIG", nil, "toilettenpapier", "household"),
            ("BALEA DUSCHGEL", "Balea", "duschgel", "drugstore"), ("ERDBEERJOGHURT 3,6%", nil, "joghurt", "dairy"),
            ("XYZ 4711", nil, nil, nil),
        ] as [(String, String?, String?, String?)])
    func reads(name: String, brand: String?, productWord: String?, category: String?) {
        let profile = NameProfile(name)
        #expect(profile.brand == brand)
        #expect(profile.productWords.first == productWord)
        #expect(profile.categoryGuess == category)
    }

    @Test(
        "proposes categories for products in other languages",
        arguments: [
            ("WHOLE MILK 2L", "dairy"), ("Free Range Eggs x12", "dairy"), ("ORANGE JUICE 1L", "drinks"),
            ("Oat Milk", "drinks"), ("PEANUT BUTTER", "pantry"), ("Strawberry Yogurt", "dairy"),
            ("Chocolate Milk", "dairy"), ("Milk Chocolate", "sweets"), ("CHICKEN BREAST", "meat"),
            ("TOMATOES 6 PACK", "produce"), ("Toilet Roll", "household"), ("Cat food", "pet"), ("BREAD ROLLS", "bread"),
            ("JUS D'ORANGE", "drinks"), ("PAIN RELIEF GEL", "drugstore"), ("POULET FERMIER", "meat"),
            ("PAPIER TOILETTE", "household"), ("MELE GOLDEN", "produce"), ("Carta igienica", "household"),
            ("PROSCIUTTO COTTO", "meat"), ("JONGE KAAS", "dairy"), ("BROOD HALF WIT", "bread"),
            ("Sinaasappelsap", "drinks"), ("HUEVOS L", "dairy"), ("PATATAS FRITAS", "sweets"),
            ("Jamón serrano", "meat"), ("PAIN AU CHOCOLAT", "bread"), ("PERSIL", nil), ("Pepsi Zero Sugar", nil),
            ("PREIS", nil),
        ] as [(String, String?)])
    func foreignProductWords(name: String, category: String?) {
        #expect(NameProfile(name).categoryGuess == category)
    }

    @Test(
        "creme is food if another word or the beginning of the compound is food",
        arguments: [
            ("Oetk.Creme Fraiche", "dairy"), ("DR. OETKER CRÈME FRAÎCHE 150G", "dairy"),
            ("CREMEFRAICHE KRÄUTER 150G", "dairy"), ("CREME FRAICH", "dairy"), ("CREME LEGERE 15%", "dairy"),
            ("CREME DOUBLE 125G", "dairy"), ("CREME BRULEE 2X100G", "dairy"), ("VANILLE CREME", "dairy"),
            ("JOGHURTCREME PFIRSICH", "dairy"), ("TOPFENCREME", "dairy"), ("KÄSECREME 100G", "dairy"),
            ("IGLO CREMESPINAT 600G", "frozen"), ("EISCREME VANILLE 900ML", "frozen"), ("EIS-CREME SCHOKO", "frozen"),
            ("SCHOKOCREME 400G", "sweets"), ("SCHOKO CREME", "sweets"), ("NUSSCREME 400G", "pantry"),
            ("NUSS-NOUGAT-CREME", "pantry"), ("HASELNUSSCREME 350G", "pantry"), ("PISTAZIENCREME 200G", "pantry"),
            ("CREME HONIG 500G", "pantry"), ("BALSAMICO CREME", "pantry"), ("TOMATENCREMESUPPE", "pantry"),
            ("CREMESCHNITTEN 4ER", "bread"), ("CREME CHAMPIGNONS 250G", "produce"), ("ERDBEERCREME", nil),
            ("TOMATENCREME 150G", nil),
        ] as [(String, String?)])
    func creamsToEat(name: String, category: String?) {
        #expect(NameProfile(name).categoryGuess == category)
    }

    @Test(
        "creme is a drugstore product on its own, beside words for skin care, and beside brands of skin care",
        arguments: [
            ("CREME 75ML", "drugstore"), ("CREME RINGELBLUME", "drugstore"), ("NIVEA CREME 150ML", "drugstore"),
            ("NIVEA CREME MILCH & HONIG", "drugstore"), ("BALEA NACHTCREME OLIVE", "drugstore"),
            ("HANDCREME MANDEL 75ML", "drugstore"), ("GESICHTSCREME VANILLE", "drugstore"),
            ("KÖRPERCREME KOKOS", "drugstore"), ("TAGESCREME LSF 15", "drugstore"), ("FUSSCREME", "drugstore"),
            ("SONNENCREME LSF 30", "drugstore"), ("ZAHNCREME 125ML", "drugstore"),
            ("CREMESEIFE LAVENDEL", "drugstore"), ("CREME SOLAIRE", "drugstore"), ("BABYCREME", "baby"),
            ("WUNDSCHUTZCREME", "baby"), ("SCHUHCREME SCHWARZ", "household"),
        ])
    func creamsForTheSkin(name: String, category: String) {
        #expect(NameProfile(name).categoryGuess == category)
    }

    @Test(
        "foreign words do not change the category of German products",
        arguments: [
            ("BUTTER KEKSE", "sweets"), ("CHIPS CHEESE", "sweets"), ("Chips Sour Cream", "sweets"),
            ("SCHOKO PUDDING", "dairy"), ("BUTTER CROISSANT", "bread"), ("PIZZA FUNGHI", "frozen"),
            ("SCHWEPPES BITTER LEMON", "drinks"), ("DR PEPPER 0,33L", "drinks"),
        ])
    func germanAndForeignProductWords(name: String, category: String) {
        #expect(NameProfile(name).categoryGuess == category)
    }

    @Test(
        "an abbreviated name is more similar to its full name than to others",
        arguments: [
            ("H-MILCH 3,5%", "Haltbare Milch 3,5 % 1 l", "Buttermilch 1 l"),
            ("SCHW.SCHNITZEL", "Schweineschnitzel", "Putenschnitzel"),
            ("SPKART VWFK 2KG", "Speisekartoffeln 2 kg", "Karotten 1 kg"),
            ("BIRKEL SPAGHE", "Birkel Spaghetti 500 g", "Birkel Bandnudeln 500 g"),
            ("HAEHN.BRUSTFILET", "Hähnchenbrustfilet", "Rinderfilet"),
            ("NATURJOGH. 3,6%", "Naturjoghurt 3,6 %", "Erdbeerjoghurt"),
            ("TOIL.PAP.", "Toilettenpapier 8 Rollen", "Küchenrolle"), ("ORANGENS. 1L", "Orangensaft 1 l", "Orangen"),
            ("PARADEISER", "Tomaten", "Paprika"), ("TOPFEN 20%", "Speisequark 20 %", "Frischkäse"),
            ("MNERALWASSER", "Mineralwasser still", "Mehl"),
        ])
    func likeness(printed: String, right: String, wrong: String) {
        let profile = NameProfile(printed)
        let similarity = profile.wordSimilarity(to: NameProfile(right))
        #expect(similarity > profile.wordSimilarity(to: NameProfile(wrong)))
        #expect(similarity > 0.5)
    }

    @Test(
        "expands abbreviations in printed names without inventing words",
        arguments: [
            ("JA! H-MILCH 3,5%", "Ja! Haltbare Milch 3,5 %"), ("TK HAE.CORD.BLEU", "Tiefkühl Hähnchen Cord Bleu"),
            ("GOLDMAIS 2X150G", "Goldmais 2x150g"), ("EIER 10ER", "Eier 10er"), ("SPAGHETTI 500G", "Spaghetti 500 g"),
            ("Haribo Goldbären", "Haribo Goldbären"), ("OFENKAESE", "Ofenkaese"), ("", ""), ("***", "***"),
        ])
    func readable(printed: String, expected: String) {
        #expect(Vocabulary.german.readableName(printed) == expected)
    }

    @Test func `reads every line of the list of abbreviations`() {
        let lines = germanAbbreviations.split(separator: "\n").filter { !$0.hasPrefix("#") }
        #expect(lines.count > 150)
        for line in lines {
            let parts = line.split(separator: "=").map { String($0).split(separator: " ").joined(separator: " ") }
            #expect(parts.count == 2 && FoldedText.fold(parts[0]) == parts[0] && !parts[1].isEmpty, "\(line)")
        }
        #expect(Vocabulary.german.abbreviations["haehn"] == "Hähnchen")
    }

    @Test func `abbreviations can be added`() {
        let extended = Vocabulary.german.adding(abbreviations: "mb = Malzbonbon")
        #expect(extended.readableName("MB. 75G") == "Malzbonbon 75 g")
        #expect(Vocabulary.german.readableName("MB. 75G") == "MB 75 g")
    }

    private static let confirmedNames: [(printed: String, name: String)] = [
        ("WUERZL. BERGK. 200G", "Würziger Bergkäse"), ("SCHW.SCHNITZEL", "Schweineschnitzel 400 g"),
        ("ARGENT.RUMPSTEAK", "Argentinisches Rumpsteak"), ("MILFINA H-MLCH 1L", "Milfina H-Milch 1 l"),
        ("ZOTTARELLA MINIS", "Zottarella Minis"), ("OFENKAESE", "Ofenkäse"),
    ]

    @Test(
        "learns abbreviations from confirmed names",
        arguments: [
            ("ARGENT. HUEFTSTEAK", "Argentinisches Hueftsteak"), ("SCHW.FILET", "Schweine Filet"),
            ("GURKTALER BERGK. 300G", "Gurktaler Bergkäse 300 g"), ("SALZBURG H-MLCH 3,5%", "Salzburg H-Milch 3,5 %"),
            ("OFENKAESE KRAEUTER", "Ofenkäse Kraeuter"), ("MINIS TOMATEN", "Minis Tomaten"),
        ])
    func learned(printed: String, expected: String) {
        #expect(Vocabulary.german.learning(from: Self.confirmedNames).readableName(printed) == expected)
    }

    @Test func `learns nothing from contradictory names`() {
        let names: [(printed: String, name: String)] = [
            ("KRT.SALAT", "Karottensalat"), ("KRT.BROT", "Kräuterbrot"), ("KRT KNACKIG", "Karton knackig"),
        ]
        #expect(Vocabulary.german.learning(from: names).readableName("KRT. 1KG") == "Krt 1 kg")
        let unexpanded: [(printed: String, name: String)] = [("BUT. ECHT", "Butter echt"), ("BUT FISCH", "But Fisch")]
        #expect(Vocabulary.german.learning(from: unexpanded).readableName("BUT 200G") == "But 200 g")
    }

    @Test(arguments: [
        ("milch", "milhc", 1), ("milch", "milch", 0), ("abc", "xyz", nil), ("", "ab", 2), ("käse", "kase", 2),
    ])
    func editDistances(left: String, right: String, expected: Int?) {
        #expect(editDistance(Array(left.utf8), Array(right.utf8), atMost: 2) == expected)
    }
}
