import Domain
import HTTP
import Templates
import Wines

/// The fields of the wine form as typed.
struct WineForm: Sendable {
    var producer = ""
    var name = ""
    var vintage = ""
    var country = ""
    var region = ""
    var colour = ""
    /// Separated by commas.
    var grapes = ""
    var price = ""
    var drinkFrom = ""
    var drinkUntil = ""
    /// The first score of a new wine.
    var score = ScoreForm()

    struct Values: Sendable, Equatable {
        let producer: String
        let name: String
        let vintage: Int?
        let country: String
        let region: String
        let colour: WineColor?
        let grapes: [String]
        let price: Amount?
        let drinkFrom: Int?
        let drinkUntil: Int?
        var score: WineScore?
    }

    init() {}

    /// - Throws: `Refusal.badRequest` for values that the page's form cannot send.
    init(_ form: FormFields) throws {
        producer = form.trimmed("producer") ?? ""
        name = try form.required("name")
        vintage = form.trimmed("vintage") ?? ""
        country = form.trimmed("country") ?? ""
        region = form.trimmed("region") ?? ""
        colour = form.trimmed("colour") ?? ""
        grapes = form.trimmed("grapes") ?? ""
        price = form.trimmed("price") ?? ""
        drinkFrom = form.trimmed("drink-from") ?? ""
        drinkUntil = form.trimmed("drink-until") ?? ""
        score = try ScoreForm(form)
        guard colour.isEmpty || WineColor(rawValue: colour) != nil else { throw Refusal.badRequest }
    }

    /// - Parameter home: the household's currency. `values` reads a price without a currency code as an amount in this
    ///   currency.
    init(_ wine: StoredWine, home: CurrencyCode, _ language: Language) {
        producer = wine.producer
        name = wine.name
        vintage = wine.vintage.map(String.init) ?? ""
        country = wine.country
        region = wine.region
        colour = wine.colour?.rawValue ?? ""
        grapes = wine.grapes.joined(separator: ", ")
        price =
            wine.releasePrice.map { price in
                price.currency == home ? price.field(language) : "\(price.field(language)) \(price.currency)"
            } ?? ""
        drinkFrom = wine.drinkFrom.map(String.init) ?? ""
        drinkUntil = wine.drinkUntil.map(String.init) ?? ""
    }

    func values(home: CurrencyCode, _ words: LanguageTexts) -> (values: Values?, errors: FieldErrors) {
        var errors = FieldErrors()
        errors["name"] = TextLimit.problem(name, TextLimit.wineName, words)
        errors["producer"] = TextLimit.excess(producer, TextLimit.wineName, words)
        errors["country"] = TextLimit.excess(country, TextLimit.country, words)
        errors["region"] = TextLimit.excess(region, TextLimit.region, words)
        let grapes = self.grapes.split(separator: ",").map { $0.trimmed }.filter { !$0.isEmpty }
        if grapes.count > 30 || self.grapes.length > TextLimit.grapes {
            errors["grapes"] = TextLimit.tooLong(TextLimit.grapes, words)
        }
        let vintage = Self.year(self.vintage, 1800...2200)
        if vintage == nil, !self.vintage.isEmpty { errors["vintage"] = words["server.wine.year"] }
        let from = Self.year(drinkFrom, 1800...2300)
        let until = Self.year(drinkUntil, 1800...2300)
        let hasInvalidYear = from == nil && !drinkFrom.isEmpty || until == nil && !drinkUntil.isEmpty
        if hasInvalidYear { errors["drink"] = words["server.wine.year"] }
        if let from, let until, from > until { errors["drink"] = words["server.wine.drink-order"] }
        let price = self.price.isEmpty ? nil : try? Amount(parsing: self.price, currency: home)
        if !self.price.isEmpty, (price?.minorUnits ?? -1) < 0 { errors["price"] = words["server.form.number"] }
        let score = score.value(words, &errors)
        guard errors.isEmpty else { return (nil, errors) }
        return (
            Values(
                producer: producer, name: name, vintage: vintage, country: country, region: region,
                colour: WineColor(rawValue: colour), grapes: grapes, price: price, drinkFrom: from, drinkUntil: until,
                score: score), errors
        )
    }

    /// Returns nil if the text is empty or not a year in the range.
    private static func year(_ text: String, _ range: ClosedRange<Int>) -> Int? {
        Int(text).flatMap { range.contains($0) ? $0 : nil }
    }
}

/// The fields of a score as typed: critic, points and their scale, note.
struct ScoreForm: Sendable {
    var critic = ""
    var points = ""
    var scale = ScoreScale.hundred
    var note = ""

    init() {}

    /// - Throws: `Refusal.badRequest` for a scale that the form does not offer.
    init(_ form: FormFields) throws {
        critic = form.trimmed("critic") ?? ""
        points = form.trimmed("points") ?? ""
        note = form.trimmed("note") ?? ""
        guard let scale = ScoreScale(rawValue: form.trimmed("scale") ?? "100") else { throw Refusal.badRequest }
        self.scale = scale
    }

    /// Returns nil if the points are missing or invalid. Adds an error for each invalid field.
    func value(_ words: LanguageTexts, _ errors: inout FieldErrors) -> WineScore? {
        guard !points.isEmpty else { return nil }
        guard let number = scale.points(points) else {
            errors["points"] = words["server.wine.points"]
            return nil
        }
        errors["critic"] = TextLimit.excess(critic, TextLimit.critic, words)
        errors["note"] = TextLimit.excess(note, TextLimit.note, words)
        return WineScore(critic: critic, points: number, note: note)
    }
}
