import Recognition

/// One wine on a list. Fields that the entry leaves out are those of its section.
package struct WineListEntry: Sendable, Equatable {
    /// How certain the reading of each field is, in thousandths; 0 where the field is empty.
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

    /// As printed, without leaders, prices and bin number; lines are joined by a blank.
    package var text: String
    /// Counted from 0.
    package var page: Int
    /// Around the text and the prices, in the pixels of the page.
    package var box: PixelBox
    /// Around the text alone.
    package var textBox: PixelBox
    package var producer: String?
    package var name: String
    package var vintage: Int?
    /// The other year where two are printed: 2019 of `2018/19`.
    package var otherVintage: Int?
    /// Whether the list says that the wine has no vintage.
    package var isNonVintage: Bool
    package var region: String?
    package var country: String?
    package var grape: String?
    package var color: WineColor?
    /// The number of the wine on the list.
    package var bin: String?
    /// In the order of the columns.
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
