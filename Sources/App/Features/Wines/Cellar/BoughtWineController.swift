import Domain
import HTTP
import Postgres
import Templates

/// Adds bottles to the cellar from lines of receipts.
struct BoughtWineController: Sendable {
    private let database: Database
    private let edits: CellarEdits
    private let page: View<BoughtWinePage>

    private static let maximumLines: Int64 = 50

    init(_ database: Database, _ views: Views) throws {
        self.database = database
        edits = CellarEdits(database: database)
        page = try views.page("wines/bought", BoughtWinePage.self)
    }

    func register(_ routes: inout Routes) throws {
        try routes.member(.get, "/wines/{wine}/receipt-lines", "BoughtWineController.show", role: .member, show)
        try routes.member(.post, "/wines/{wine}/receipt-lines", "BoughtWineController.add", add)
    }

    /// A line of a confirmed receipt.
    struct Line: Sendable, RowDecodable {
        let id: ReceiptLineID
        let name: String
        let store: String
        let day: LocalDate
        let quantityThousandths: Int64
        /// In minor units of `currency`.
        let total: Int64
        let currency: Currency

        init(from row: inout RowReader) throws(PostgresError) {
            id = try row.next()
            name = try row.next()
            store = try row.next()
            day = try row.next()
            quantityThousandths = try row.next()
            total = try row.next()
            currency = try row.next()
        }

        /// The quantity in whole bottles, at least one.
        var count: Int64 { max(1, quantityThousandths / 1_000) }
        /// The price of one bottle, rounded down.
        var price: Amount { Amount(minorUnits: max(0, total) / count, currency: CurrencyCode(currency)) }
    }

    /// Returns lines that the member may see and that are not in the cellar yet; `condition` refers to the table alias
    /// `l`.
    private func lines(_ member: Member, _ condition: SQL) async throws -> [Line] {
        let household = member.household
        return try await database.read(
            household,
            """
            SELECT l.id, l.printed_name, coalesce(s.name, ''), r.purchase_day, l.quantity_thousandths, l.total_minor, r.currency
            FROM receipt r
            JOIN receipt_line l ON l.household_id = r.household_id AND l.receipt_id = r.id AND l.kind = 'item'
            LEFT JOIN store s ON s.household_id = r.household_id AND s.id = r.store_id
            WHERE r.household_id = \(household) AND r.stage = \(Stage.confirmed.sql) AND r.discarded_at IS NULL
                AND r.purchase_day IS NOT NULL AND l.total_minor IS NOT NULL AND \(Visibility.condition(member))
                AND NOT EXISTS (SELECT 1 FROM wine_bottle b WHERE b.household_id = l.household_id
                    AND b.receipt_line_id = l.id)
                AND \(condition)
            ORDER BY r.purchase_day DESC, l.id LIMIT \(Self.maximumLines)
            """
        ).decode(Line.self)
    }

    private func show(_ request: MemberRequest) async throws -> Response {
        let wine = try await storedWine(request)
        let typed = request.head.queryText("search", limit: TextLimit.search)
        // Receipts abbreviate names, so search for the longest word, which is probably printed in full.
        let words = wine.fullName.split { $0 == " " }
        let longest = words.max { $0.count < $1.count }.map { String($0) } ?? ""
        let search = typed.isEmpty ? longest : typed
        let pattern = ReceiptFilter.pattern(search)
        let matchingLines = try await lines(request.member, "l.printed_name ILIKE \(pattern)")
        return page.response(
            BoughtWinePage(wine: wine, search: search, lines: matchingLines, language: request.language), for: request)
    }

    private func add(_ request: MemberRequest) async throws -> Response {
        let wine = try await storedWine(request)
        guard let id = ReceiptLineID(try request.form.required("line")),
            let line = try await lines(request.member, "l.id = \(id)").first
        else { return .redirect(to: "/wines/\(wine.id)").flashing(Flash("already")) }
        let values = CellarEdits.BottleValues(
            count: min(line.count, 10_000), place: "", boughtOn: line.day, price: line.price)
        return try await .withinWineQuota(elseTo: "/wines/\(wine.id)") {
            try await edits.add(values, of: wine.id, line: line.id, by: request.member)
            return .redirect(to: "/wines/\(wine.id)").flashing(Flash("saved"))
        }
    }

    private func storedWine(_ request: MemberRequest) async throws -> StoredWine {
        try await StoredWine.find(request.identifier("wine"), request.household, database)
    }
}

/// The model of the view `wines/bought`.
struct BoughtWinePage: PageModel {
    let wine: StoredWine
    let search: String
    let lines: [BoughtWineController.Line]
    let language: Language

    static let fields = Fields<Self> { f in
        f.text("title") { $0.wine.title }
        f.text("href") { "/wines/\($0.wine.id)" }
        f.text("search") { $0.search }
        f.list("lines") { page in page.lines.map { BoughtLineRow(line: $0, language: page.language) } }
    }
}

/// A line that can be added to the cellar.
struct BoughtLineRow: PageModel {
    let line: BoughtWineController.Line
    let language: Language

    static let fields = Fields<Self> { f in
        f.text("id") { $0.line.id.description }
        f.text("name") { $0.line.name }
        f.text("detail") { row in
            [row.line.store, row.line.day.formatted(row.language)].filter { !$0.isEmpty }.joined(separator: " · ")
        }
        f.text("count") { String($0.line.count) }
        f.text("price") { $0.line.price.formatted($0.language) }
    }
}
