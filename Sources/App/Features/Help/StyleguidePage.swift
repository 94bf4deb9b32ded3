import Domain
import Templates

/// The model of the view `styleguide/index`.
struct StyleguidePage: PageModel {
    let language: Language

    static let fields = Fields<Self> { f in
        f.optional("problem") { _ in Problem(title: "Title", text: "What happened, what was not lost, what to do.") }
        f.list("states") { _ in ReceiptState.Name.allCases.map { State(state: ReceiptState($0)) } }
        f.list("changes") { page in
            [222, -95, 0].map { ChangeExample(change: Change(permille: $0, language: page.language)) }
        }
        f.list("colours") { _ in CategoryColour.allCases.map { Colour(name: $0.rawValue) } }
        f.list("icons") { _ in icons.map { Icon(name: $0) } }
        f.optional("chart") { _ in PriceChart.exampleChart() }
    }

    struct State: PageModel {
        let state: ReceiptState

        static let fields = Fields<Self> { f in f.model("state") { $0.state } }
    }

    struct ChangeExample: PageModel {
        let change: Change

        static let fields = Fields<Self> { f in f.optional("change") { $0.change } }
    }

    struct Colour: PageModel {
        let name: String

        static let fields = Fields<Self> { f in f.text("colour") { $0.name } }
    }

    struct Icon: PageModel {
        let name: String

        static let fields = Fields<Self> { f in f.text("icon") { $0.name } }
    }

    /// The symbols of `Public/icons/icons.svg`.
    static let icons = [
        "home", "receipt", "camera", "tag", "more", "check", "alert", "info", "close", "plus", "trash", "split",
        "join", "up", "down", "search", "filter", "upload", "download", "file", "images", "refresh", "undo",
        "left", "right", "chevron", "rise", "fall", "same", "user", "users", "lock", "link", "signout", "globe",
        "help", "phone", "store", "calendar", "zoomin", "zoomout", "settings", "scale", "clock", "keyboard",
        "shield", "drag", "edit", "table", "inbox", "star", "apple", "milk", "bread", "meat", "jar", "bottle",
        "candy", "snowflake", "broom", "soap", "baby", "paw", "recycle", "box", "basket", "fork", "car",
        "bolt", "heart", "shirt", "gift", "coins", "eye", "eyeoff",
    ]
}

extension PriceChart {
    /// The prices of two stores over a year, with an offer.
    fileprivate static func exampleChart() -> PriceChart {
        func series(_ number: Int, _ heights: [(x: Int, y: Int, isOffer: Bool)]) -> Series {
            let steps = heights.filter { !$0.isOffer }
            let path = steps.dropFirst().reduce("M\(steps[0].x) \(steps[0].y)") { "\($0)H\($1.x)V\($1.y)" }
            return Series(
                number: number, name: "Store \(number)", path: path,
                points: heights.map {
                    Point(
                        x: String($0.x), y: String($0.y), storeName: "Store \(number)", day: "1.\($0.x)",
                        price: "\(180 - $0.y) ct", isOffer: $0.isOffer)
                })
        }
        return PriceChart(
            sentence: "One sentence says what the chart shows.",
            gridlines: [15, 50, 85].map { Gridline(y: String($0), label: "\(180 - $0) ct") },
            ticks: [
                Tick(x: "0", label: "1", year: nil, isFirst: true, isLast: false, isExtra: false),
                Tick(x: "100", label: "12", year: nil, isFirst: false, isLast: true, isExtra: false),
            ],
            series: [
                series(1, [(2, 51, false), (30, 39, false), (46, 62, true), (62, 28, false), (98, 16, false)]),
                series(2, [(12, 74, false), (55, 63, false), (90, 63, false)]),
            ])
    }
}
