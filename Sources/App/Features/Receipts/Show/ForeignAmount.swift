import Domain
import Postgres
import Templates

/// The amount of a receipt that is not in the household's currency, converted to that currency.
struct ForeignAmount: Sendable, RowDecodable {
    let home: Currency
    /// In minor units of the household's currency; nil if no exchange rate is known.
    let amount: Int64?
    /// The amount that a person has entered from a card slip or a statement, in minor units; nil if there is none.
    let stated: Int64?
    /// The amount that was read from a card slip, in minor units; nil if there is none.
    let slipAmount: Int64?
    /// The revision of the receipt's row in `expense`; 0 without a row.
    let revision: Int64

    /// Returns no row for a receipt in the household's currency.
    static func query(_ receipt: ReceiptID, _ household: HouseholdID) -> SQL {
        """
        SELECT h.currency, (SELECT \(HomeAmount.converted(RollUps.total)) FROM \(HomeAmount.factor) f),
            CASE WHEN e.stated_currency = h.currency THEN e.stated_minor END, \(StoredPaper.stated), coalesce(e.revision, 0)
        FROM receipt r JOIN household h ON h.id = \(household)
        LEFT JOIN expense e ON e.household_id = r.household_id AND e.receipt_id = r.id
        WHERE r.household_id = \(household) AND r.id = \(receipt) AND r.currency <> h.currency
        """
    }

    init(from row: inout RowReader) throws(PostgresError) {
        home = try row.next()
        amount = try row.next()
        stated = try row.next()
        slipAmount = try row.next()
        revision = try row.next()
    }

    /// The amount with its form on the page of a confirmed receipt.
    struct FormModel: PageModel {
        let foreign: ForeignAmount
        let language: Language
        /// The input of a refused form, with its error.
        var refused: (text: String, error: String)?

        static let fields = Fields<Self> { f in
            f.text("home") { $0.foreign.home.symbol }
            f.text("revision") { String($0.foreign.revision) }
            f.optionalText("amount") { page in page.foreign.amount.map { page.money($0).formatted(page.language) } }
            f.text("stated") { page in
                let amount = page.foreign.stated ?? page.foreign.slipAmount
                return page.refused?.text ?? amount.map { page.money($0).figure(page.language) } ?? ""
            }
            f.flag("isRead") { $0.isRead }
            f.flag("isOpen") { $0.foreign.amount == nil || $0.refused != nil || $0.isRead }
            f.optionalText("error") { $0.refused?.error }
        }

        /// Whether the form shows the amount of the card slip.
        private var isRead: Bool { foreign.stated == nil && foreign.slipAmount != nil && refused == nil }

        private func money(_ minorUnits: Int64) -> Money { Money(minorUnits: minorUnits, currency: foreign.home) }
    }
}
