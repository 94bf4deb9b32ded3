/// Colours that categories may take: the names of design tokens, used as classes (`colour-green`).
package enum CategoryColour: String, Sendable, CaseIterable, Codable {
    case green, lime, blue, sky, amber, orange, brown, red, rose, pink, violet, indigo, teal, slate
}

/// A category that a new household starts with; households rename, move and add their own.
package struct CategoryTemplate: Hashable, Sendable {
    /// Stable, lower case; what category guesses speak of.
    package let key: String
    /// The key of the category above; nothing at the top.
    package let parent: String?
    /// The name a German household begins with; afterwards it is the household's own.
    package let german: String
    /// The name an English household begins with.
    package let english: String
    /// Children have their parent's.
    package let colour: CategoryColour
    /// The name of an icon in the icon sheet.
    package let icon: String

    /// The name in that language.
    package func name(_ language: Language) -> String { language == .german ? german : english }

    /// The tree in the order in which it is shown, parents before their children.
    package static let all: [CategoryTemplate] =
        top("produce", "Obst & Gemüse", "Fruit & vegetables", .green, "apple")
        + branch("produce", .green, "apple", ("fruit", "Obst", "Fruit"), ("vegetables", "Gemüse", "Vegetables"))
        + top("dairy", "Milchprodukte & Eier", "Dairy & eggs", .sky, "milk")
        + branch("dairy", .sky, "milk", ("milk", "Milch & Joghurt", "Milk & yoghurt"), ("cheese", "Käse", "Cheese"))
        + top("bread", "Brot & Gebäck", "Bread & pastries", .amber, "bread")
        + top("meat", "Fleisch & Fisch", "Meat & fish", .red, "meat")
        + branch("meat", .red, "meat", ("sausage", "Wurst & Schinken", "Sausage & ham"), ("fish", "Fisch", "Fish"))
        + top("pantry", "Vorrat", "Pantry", .brown, "jar")
        + top("drinks", "Getränke", "Drinks", .blue, "bottle")
        + branch(
            "drinks", .blue, "bottle", ("coffee", "Kaffee & Tee", "Coffee & tea"),
            ("alcohol", "Bier, Wein & Spirituosen", "Beer, wine & spirits"))
        + top("sweets", "Süßes & Knabbern", "Sweets & snacks", .pink, "candy")
        + top("frozen", "Tiefkühl", "Frozen", .indigo, "snowflake")
        + top("household", "Haushalt", "Household", .teal, "broom")
        + top("drugstore", "Drogerie", "Personal care", .violet, "soap")
        + top("baby", "Baby & Kind", "Baby & child", .rose, "baby")
        + top("pet", "Tier", "Pets", .orange, "paw")
        + top("deposit", "Pfand", "Deposit", .lime, "recycle")
        + top("other", "Sonstiges", "Other", .slate, "box")

    private static func top(
        _ key: String, _ german: String, _ english: String, _ colour: CategoryColour, _ icon: String
    ) -> [CategoryTemplate] {
        [CategoryTemplate(key: key, parent: nil, german: german, english: english, colour: colour, icon: icon)]
    }

    private static func branch(
        _ parent: String, _ colour: CategoryColour, _ icon: String, _ children: (String, String, String)...
    ) -> [CategoryTemplate] {
        children.map {
            CategoryTemplate(key: $0.0, parent: parent, german: $0.1, english: $0.2, colour: colour, icon: icon)
        }
    }

    /// The template of that key; nothing for a category of a household's own.
    package static func template(_ key: String) -> CategoryTemplate? { all.first { $0.key == key } }

    /// The top category that a product's name suggests; lines that are no goods go by their kind.
    package static func guess(
        name: some StringProtocol, kind: LineKind = .item, vocabulary: Vocabulary = .german
    ) -> CategoryTemplate? {
        switch kind {
        case .deposit, .depositReturn: template("deposit")
        case .item: NameProfile(name, vocabulary: vocabulary).categoryGuess.flatMap(template)
        case .discount, .coupon, .rounding: nil
        }
    }
}
