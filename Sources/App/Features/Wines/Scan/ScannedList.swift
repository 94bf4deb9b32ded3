import Domain
import JSON
import Recognition
import Wines

/// The text that was read from a wine list: the sizes of its pages and its entries. Between requests, the browser
/// stores it as JSON; the server stores it only when a member saves it.
struct ScannedList: Sendable, Equatable {
    struct Page: Sendable, Equatable {
        /// The size in pixels of the picture to which the boxes refer.
        let width: Int
        let height: Int
        /// The position of this picture within the uploaded picture; nil if unknown.
        var placement: PagePlacement?
    }

    private(set) var pages: [Page]
    private(set) var entries: [WineListEntry]

    /// The maximum size of `json`, in bytes.
    static let maximumBytes = 768 << 10
    private static let maximumPages = 200

    init(_ document: RecognizedDocument) {
        pages = document.pages.map { Page(width: $0.width, height: $0.height, placement: $0.placement) }
        entries = WineList.read(document.pages)
    }

    // MARK: JSON

    var json: [UInt8] {
        var json = JSONWriter(capacity: 1 << 14)
        json.object { json in
            json.array("pages") { json in
                for page in pages {
                    json.array { json in
                        json.value(page.width)
                        json.value(page.height)
                        for value in page.placement?.numbers ?? [] { json.value(value) }
                    }
                }
            }
            json.array("entries") { json in for entry in entries { json.object { Self.write(entry, &$0) } } }
        }
        return json.bytes
    }

    private static func write(_ entry: WineListEntry, _ json: inout JSONWriter) {
        json.member("text", entry.text)
        json.member("page", entry.page)
        json.array("box") { json in
            for value in [entry.box.x, entry.box.y, entry.box.width, entry.box.height] { json.value(value) }
        }
        json.array("textBox") { json in
            for value in [entry.textBox.x, entry.textBox.y, entry.textBox.width, entry.textBox.height] {
                json.value(value)
            }
        }
        json.member("name", entry.name)
        for (name, value) in [
            ("heading", entry.heading), ("producer", entry.producer), ("region", entry.region),
            ("country", entry.country),
            ("grape", entry.grape), ("color", entry.color?.rawValue), ("bin", entry.bin),
        ] where value != nil { json.member(name, value) }
        if let vintage = entry.vintage { json.member("vintage", vintage) }
        if let other = entry.otherVintage { json.member("otherVintage", other) }
        if entry.isNonVintage { json.member("nv", true) }
        json.array("prices") { json in
            for price in entry.prices {
                json.object { json in
                    json.member("amount", price.amount)
                    json.member("serving", price.serving.rawValue)
                    if let size = price.size { json.member("size", size) }
                    if let currency = price.currency { json.member("currency", currency) }
                    json.member("sure", price.confidence)
                }
            }
        }
        json.array("sure") { json in
            let sure = entry.confidence
            for value in [
                sure.text, sure.producer, sure.name, sure.vintage, sure.region, sure.country, sure.grape, sure.color,
            ] { json.value(value) }
        }
    }

    /// Parses the output of `json`; nil if the JSON does not have that form.
    init?(json bytes: [UInt8]) {
        guard bytes.count <= Self.maximumBytes,
            let json = try? JSONValue(reading: bytes, limits: JSONLimits(size: Self.maximumBytes)),
            let pages = json["pages"]?.array, pages.count <= Self.maximumPages, let entries = json["entries"]?.array,
            entries.count <= WineList.maximumEntries
        else { return nil }
        self.pages = pages.compactMap { page in
            guard let all = page.array, let size = Self.numbers(.array(Array(all.prefix(2))), count: 2, 1...100_000),
                all.count == 2 || all.count == 8
            else { return nil }
            let corners = Self.numbers(.array(Array(all.dropFirst(2))), count: 6, -10_000_000...10_000_000)
            return Page(width: size[0], height: size[1], placement: corners.map(PagePlacement.init(numbers:)))
        }
        guard self.pages.count == pages.count else { return nil }
        let count = self.pages.count
        self.entries = entries.compactMap { Self.entry($0, pages: count) }
        guard self.entries.count == entries.count else { return nil }
    }

    private static func entry(_ json: JSONValue, pages: Int) -> WineListEntry? {
        func text(_ name: String) -> String? { json[name]?.string.map { $0.cut(to: 400) } }
        func year(_ name: String) -> Int? { json[name]?.integer.flatMap { (1800...2200).contains($0) ? Int($0) : nil } }
        guard let printed = text("text"), !printed.isEmpty, let page = json["page"]?.integer,
            (0..<Int64(pages)).contains(page),
            let box = json["box"].flatMap(Self.box), let textBox = json["textBox"].flatMap(Self.box),
            let prices = json["prices"]?.array, prices.count <= 12,
            let sure = json["sure"].flatMap({ numbers($0, count: 8, 0...1000) })
        else { return nil }
        var entry = WineListEntry(
            text: printed, page: Int(page), box: box, name: text("name"), prices: prices.compactMap(price))
        entry.textBox = textBox
        entry.heading = text("heading").flatMap { printed.hasPrefix($0) ? $0 : nil }
        entry.producer = text("producer")
        entry.region = text("region")
        entry.country = text("country")
        entry.grape = text("grape")
        entry.color = text("color").flatMap(WineColor.init(rawValue:))
        entry.bin = text("bin")
        entry.vintage = year("vintage")
        entry.otherVintage = year("otherVintage")
        entry.isNonVintage = json["nv"]?.bool ?? false
        var confidence = WineListEntry.Confidence()
        (confidence.text, confidence.producer, confidence.name, confidence.vintage) = (
            sure[0], sure[1], sure[2], sure[3]
        )
        (confidence.region, confidence.country, confidence.grape, confidence.color) = (
            sure[4], sure[5], sure[6], sure[7]
        )
        entry.confidence = confidence
        return entry
    }

    private static func price(_ json: JSONValue) -> WineListPrice? {
        guard let amount = json["amount"]?.integer, (0...Amount.limit).contains(amount),
            let serving = json["serving"]?.string.flatMap(WineListPrice.Serving.init(rawValue:))
        else { return nil }
        return WineListPrice(
            size: json["size"]?.integer.flatMap { (1...30_000).contains($0) ? Int($0) : nil }, serving: serving,
            amount: Int(amount), currency: json["currency"]?.string.flatMap { CurrencyCode($0)?.code },
            confidence: json["sure"]?.integer.flatMap { (0...1000).contains($0) ? Int($0) : nil } ?? 0)
    }

    private static func box(_ json: JSONValue) -> PixelBox? {
        numbers(json, count: 4, 0...100_000).map { PixelBox(x: $0[0], y: $0[1], width: $0[2], height: $0[3]) }
    }

    private static func numbers(_ json: JSONValue, count: Int, _ range: ClosedRange<Int64>) -> [Int]? {
        let numbers = (json.array ?? []).compactMap(\.integer).filter(range.contains)
        return numbers.count == count ? numbers.map { Int($0) } : nil
    }
}

extension PagePlacement {
    /// The coordinates of the corners: x and y of the upper left, upper right and lower left.
    var numbers: [Int] { [upperLeft, upperRight, lowerLeft].flatMap { [$0.x, $0.y] } }

    /// - Parameter numbers: six coordinates as in `numbers`.
    init(numbers: [Int]) {
        self.init(
            upperLeft: Point(x: numbers[0], y: numbers[1]), upperRight: Point(x: numbers[2], y: numbers[3]),
            lowerLeft: Point(x: numbers[4], y: numbers[5]))
    }
}
