/// A category that every new household starts with. Households can rename and move it and add their own.
package struct CategoryTemplate: Hashable, Sendable {
    /// A stable identifier in lower case, used by category guesses.
    package let key: String
    /// The key of the parent category; nil at the top.
    package let parent: String?
    /// The initial names; the household can change them.
    package let german: String
    package let english: String
    /// Children have the colour of their parent, except below groceries.
    package let colour: CategoryColour
    /// A symbol of `Public/icons/icons.svg`.
    package let icon: String

    package func name(_ language: Language) -> String { language == .german ? german : english }

    /// The tree in display order, parents before their children.
    package static let all: [CategoryTemplate] = items + otherExpenses

    /// The categories of the items on receipts.
    private static let items: [CategoryTemplate] =
        top("groceries", "Lebensmittel", "Groceries", .green, "basket")
        + branch("groceries", .green, "apple", ("produce", "Obst & Gemüse", "Fruit & vegetables"))
        + branch("produce", .green, "apple", ("fruit", "Obst", "Fruit"), ("vegetables", "Gemüse", "Vegetables"))
        + branch("groceries", .sky, "milk", ("dairy", "Milchprodukte & Eier", "Dairy & eggs"))
        + branch("dairy", .sky, "milk", ("milk", "Milch & Joghurt", "Milk & yoghurt"), ("cheese", "Käse", "Cheese"))
        + branch("groceries", .amber, "bread", ("bread", "Brot & Gebäck", "Bread & pastries"))
        + branch("groceries", .red, "meat", ("meat", "Fleisch & Fisch", "Meat & fish"))
        + branch("meat", .red, "meat", ("sausage", "Wurst & Schinken", "Sausage & ham"), ("fish", "Fisch", "Fish"))
        + branch("groceries", .brown, "jar", ("pantry", "Vorrat", "Pantry"))
        + branch("groceries", .blue, "bottle", ("drinks", "Getränke", "Drinks"))
        + branch(
            "drinks", .blue, "bottle", ("coffee", "Kaffee & Tee", "Coffee & tea"),
            ("alcohol", "Bier, Wein & Spirituosen", "Beer, wine & spirits"))
        + branch("groceries", .pink, "candy", ("sweets", "Süßes & Knabbern", "Sweets & snacks"))
        + branch("groceries", .indigo, "snowflake", ("frozen", "Tiefkühl", "Frozen"))
        + top("household", "Haushalt", "Household", .teal, "broom")
        + branch("household", .teal, "broom", ("diy", "Baumarkt & Garten", "Home & garden"))
        + top("drugstore", "Drogerie", "Personal care", .violet, "soap")
        + top("baby", "Baby & Kind", "Baby & child", .rose, "baby")
        + top("pet", "Tier", "Pets", .orange, "paw")
        + top("deposit", "Pfand", "Deposit", .lime, "recycle")

    /// The categories of other expenses.
    private static let otherExpenses: [CategoryTemplate] =
        top("dining", "Restaurant & Café", "Restaurants & cafés", .orange, "fork")
        + top("transport", "Verkehr", "Transport", .blue, "car")
        + branch(
            "transport", .blue, "car", ("fuel", "Tanken", "Fuel"), ("transit", "Bus & Bahn", "Public transport"),
            ("parking", "Parken", "Parking"))
        + top("housing", "Wohnen", "Housing", .brown, "home")
        + top("energy", "Energie", "Energy", .amber, "bolt")
        + top("telecom", "Internet & Telefon", "Internet & phone", .sky, "phone")
        + top("health", "Gesundheit", "Health", .red, "heart")
        + branch("health", .red, "heart", ("pharmacy", "Apotheke", "Pharmacy"))
        + top("clothing", "Kleidung & Schuhe", "Clothes & shoes", .violet, "shirt")
        + top("leisure", "Freizeit & Kultur", "Leisure & culture", .pink, "star")
        + branch("leisure", .pink, "star", ("subscriptions", "Abos", "Subscriptions"))
        + top("travel", "Reisen", "Travel", .teal, "globe")
        + top("education", "Bildung", "Education", .indigo, "table")
        + top("insurance", "Versicherung", "Insurance", .slate, "shield")
        + top("fees", "Gebühren & Steuern", "Fees & taxes", .slate, "receipt")
        + top("gifts", "Geschenke & Spenden", "Gifts & donations", .rose, "gift")
        + top("income", "Einkommen", "Income", .lime, "coins")
        + top("other", "Sonstiges", "Other", .slate, "box")

    /// A category at the top of the tree.
    private static func top(
        _ key: String, _ german: String, _ english: String, _ colour: CategoryColour, _ icon: String
    ) -> [CategoryTemplate] {
        [CategoryTemplate(key: key, parent: nil, german: german, english: english, colour: colour, icon: icon)]
    }

    /// The children of `parent`: key, German name, English name.
    private static func branch(
        _ parent: String, _ colour: CategoryColour, _ icon: String, _ children: (String, String, String)...
    ) -> [CategoryTemplate] {
        children.map { key, german, english in
            CategoryTemplate(key: key, parent: parent, german: german, english: english, colour: colour, icon: icon)
        }
    }

    /// The template with a key; nil for the key of a category that a household added.
    package static func template(_ key: String) -> CategoryTemplate? { all.first { $0.key == key } }

    /// The category that a product's name suggests. For lines other than items, the kind of the line decides.
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
