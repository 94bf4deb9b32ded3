/// A category that every new household starts with. Households can rename and move it and add their own.
package struct CategoryTemplate: Hashable, Sendable {
    /// Stable and lower case. Category guesses return it.
    package let key: String
    /// The key of the parent category; nil at the top.
    package let parent: String?
    /// The initial names; the household can change them.
    package let german: String
    package let english: String
    /// Children have the colour of their parent.
    package let colour: CategoryColour
    /// A symbol of `Public/icons/icons.svg`.
    package let icon: String

    package func name(_ language: Language) -> String { language == .german ? german : english }

    /// The tree in display order, parents before their children.
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

    /// Nil for a category that a household added.
    package static func template(_ key: String) -> CategoryTemplate? { all.first { $0.key == key } }

    /// The top category that a product's name suggests. For lines other than items the kind decides.
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
