import Testing

@testable import Domain

@Suite(.timeLimit(.minutes(5))) struct CategorizationTests {
    private func suggestion(_ what: String, payee: String = "", _ chosen: [ChosenBefore.Choice] = [])
        -> CategorySuggestion?
    {
        CategorizationChain(chosen: ChosenBefore(chosen)).suggestion(for: ExpenseText(what: what, payee: payee))
    }

    @Test(arguments: [
        ("BILLA DANKT 1020 WIEN", "groceries"), ("OMV Tankstelle", "fuel"), ("dm drogerie markt", "drugstore"),
        ("ÖBB-Ticket Wien Linz", "transit"), ("Apotheke zum Löwen", "pharmacy"), ("Netflix.com", "subscriptions"),
        ("Stromrechnung Oktober", "energy"), ("Pizza", "dining"), ("Rezeptgebühr", "pharmacy"),
        ("Miete November", "housing"), ("Hornbach", "diy"), ("Haftpflichtversicherung", "insurance"),
        ("Parkhaus", "parking"), ("Migros Genossenschaft", "groceries"), ("H&M", "clothing"),
        ("Wiener Städtische", "insurance"), ("Zahnarzt", "health"), ("Friseur", "drugstore"),
    ])
    func `finds the category by the lexicons`(text: String, category: String) {
        #expect(suggestion(text)?.category == .builtIn(category))
    }

    @Test func `does not match a payee whose name is only a part of another name`() {
        #expect(suggestion("Restaurant", payee: "Zum Goldenen Anker")?.category == .builtIn("dining"))
        #expect(suggestion("Hotel", payee: "Gasthof zur Post")?.category == .builtIn("travel"))
        #expect(suggestion("Tanken", payee: "OMV Wien")?.reason == .payee("OMV"))
        #expect(suggestion("Einkauf", payee: "Herzlich willkommen bei Billa")?.category == .builtIn("groceries"))
    }

    @Test func `suggests nothing for an unknown text`() {
        #expect(suggestion("Qwrtz") == nil)
        #expect(suggestion("") == nil)
    }

    @Test func `an earlier choice takes precedence, even if the text is longer`() {
        let own = CategoryID(high: 1, low: 2)
        let chosen = [ChosenBefore.Choice(key: ExpenseText.key("Billa"), category: own, payee: "Billa", text: "Billa")]
        let foundSuggestion = suggestion("billa 1020", chosen)
        #expect(foundSuggestion?.category == .own(own))
        #expect(foundSuggestion?.reason == .chosenBefore("Billa"))
        #expect(suggestion("Hofer", chosen)?.category == .builtIn("groceries"))
    }

    @Test func `a suggestion names the payee or the word on which it is based`() {
        #expect(suggestion("Billa")?.reason == .payee("Billa"))
        #expect(suggestion("Diesel 40 l")?.reason == .word("diesel"))
    }

    @Test func `the lines of a receipt suggest a category if most of the amount has it`() {
        let cues = LineCues()
        let food = ExpenseText(what: "x", lines: [("groceries", 900), ("household", 300)])
        #expect(cues.suggestion(for: food)?.category == .builtIn("groceries"))
        #expect(cues.suggestion(for: ExpenseText(what: "x", lines: [("groceries", 5), ("household", 5)])) == nil)
    }

    @Test func `every category in the lexicons exists`() {
        for entry in PayeeLexicon.shared.all {
            #expect(CategoryTemplate.template(entry.category) != nil, "\(entry.name)")
        }
        for (category, words) in LexiconText.lines(String(decoding: PackageResources.keywords_txt, as: UTF8.self)) {
            #expect(CategoryTemplate.template(category) != nil && !words.isEmpty, "\(category)")
        }
        #expect(PayeeLexicon.shared.all.count > 300)
    }

    @Test func `texts that differ only in digits and case have the same key`() {
        #expect(ExpenseText.key("Miete 11/2026") == ExpenseText.key("miete 12/2026"))
        #expect(ExpenseText.key("2026") == "")
    }
}
