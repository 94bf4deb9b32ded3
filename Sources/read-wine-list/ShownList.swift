import Recognition
import Wines

struct ShownList: Encodable {
    var file: String
    var entries: [ShownEntry]
    var readMilliseconds: Double
    var matchMilliseconds: Double
}

struct ShownMatch: Encodable {
    /// The row of the catalogue, from 0.
    var wine: Int
    var confidence: Int
    var kind: String

    init(wine: Int, match: WineMatch) {
        self.wine = wine
        confidence = match.confidence
        kind = match.kind.rawValue
    }
}

struct ShownPrice: Encodable {
    var serving: String
    var size: Int?
    var amount: Int
    var currency: String?
}

struct ShownEntry: Encodable {
    var text: String
    var box: PixelBox
    var producer: String?
    var name: String
    var vintage: Int?
    var isNonVintage: Bool
    var region: String?
    var country: String?
    var grape: String?
    var color: String?
    var bin: String?
    var prices: [ShownPrice]
    var matches: [ShownMatch]

    init(_ entry: WineListEntry, _ matches: [ShownMatch]) {
        text = entry.text
        box = entry.box
        producer = entry.producer
        name = entry.name
        vintage = entry.vintage
        isNonVintage = entry.isNonVintage
        region = entry.region
        country = entry.country
        grape = entry.grape
        color = entry.color?.rawValue
        bin = entry.bin
        prices = entry.prices.map {
            ShownPrice(serving: $0.serving.rawValue, size: $0.size, amount: $0.amount, currency: $0.currency)
        }
        self.matches = matches
    }
}
