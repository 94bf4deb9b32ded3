import Domain
import Postgres
import Templates

/// A printed name that was marked as not being a product. The mark can be removed.
struct IgnoredName: PageModel {
    let id: IgnoredNameID
    let printedName: String
    let chainName: String

    static let fields = Fields<Self> { f in
        f.text("action") { "/matching/ignored/\($0.id)/removal" }
        f.text("printedName") { $0.printedName }
        f.text("chainName") { $0.chainName }
    }

    /// Selects the ignored names, the last ignored name first, each as printed on the newest receipt with the name. If
    /// there is no such receipt, selects the matching key.
    static func query(_ member: Member) -> SQL {
        """
        SELECT i.id, i.chain, coalesce((
            SELECT l.printed_name FROM receipt_line l
            JOIN receipt r ON r.household_id = l.household_id AND r.id = l.receipt_id
            JOIN store s ON s.household_id = r.household_id AND s.id = r.store_id
            WHERE l.household_id = i.household_id AND l.alias_key = i.alias_key AND s.chain = i.chain
                AND \(Visibility.isPublished())
            ORDER BY r.purchase_day DESC NULLS LAST, l.id DESC LIMIT 1), i.alias_key)
        FROM ignored_name i WHERE i.household_id = \(member.household) ORDER BY i.created_at DESC, i.id LIMIT 200
        """
    }

    static func decode(_ rows: Rows, naming: Naming) throws -> [IgnoredName] {
        try rows.decode((IgnoredNameID, String, String).self).map { id, chain, name in
            IgnoredName(id: id, printedName: name, chainName: naming.chain(chain))
        }
    }
}
