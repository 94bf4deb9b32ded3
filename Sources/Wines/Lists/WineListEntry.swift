import Recognition

/// One wine on a list. Fields that the entry does not state come from its section.
package struct WineListEntry: Sendable, Equatable {
    /// The confidence of each field, in thousandths; 0 for an empty field.
    package struct Confidence: Sendable, Equatable {
        package var text = 0
        package var producer = 0
        package var name = 0
        package var vintage = 0
        package var region = 0
        package var country = 0
        package var grape = 0
        package var color = 0

        package init() {}
    }

    /// The printed text without prices, bin number and the dots before a price. Lines are joined by a blank. It begins
    /// with `heading`.
    package var text: String
    /// The heading that names the producer of several wines below it; nil if there is none.
    package var heading: String?
    /// The index of the page, from 0.
    package var page: Int
    /// The box around the text and the prices, in pixels of the page.
    package var box: PixelBox
    /// The box around the text only.
    package var textBox: PixelBox
    package var producer: String?
    package var name: String
    package var vintage: Int?
    /// The earlier of two printed years: for `2018/19`, this is 2018, and `vintage` is 2019.
    package var otherVintage: Int?
    /// Whether the list states that the wine has no vintage.
    package var isNonVintage: Bool
    package var region: String?
    package var country: String?
    package var grape: String?
    package var color: WineColor?
    /// The bin number, by which guests order the wine.
    package var bin: String?
    /// The prices in the order of the columns.
    package var prices: [WineListPrice]
    package var confidence: Confidence

    package init(text: String, page: Int = 0, box: PixelBox, name: String? = nil, prices: [WineListPrice] = []) {
        self.text = text
        self.page = page
        self.box = box
        textBox = box
        self.name = name ?? text
        isNonVintage = false
        self.prices = prices
        confidence = Confidence()
    }
}
