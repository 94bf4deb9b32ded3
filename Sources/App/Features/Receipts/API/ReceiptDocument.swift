import Domain
import JSON
import Postgres

/// A receipt with its lines and pages as the API returns it. Names and units are the same as in the database columns.
struct ReceiptDocument: Sendable {
    let receipt: StoredReceipt

    func write(_ json: inout JSONWriter) {
        let draft = receipt.draft
        json.object { json in
            json.member("id", receipt.id.description)
            json.member("revision", receipt.revision)
            json.member("state", receipt.state.name.rawValue)
            json.array("reasons") { json in for reason in receipt.reasons { json.value(reason.code.rawValue) } }
            json.member("store", draft.store)
            json.member("store_id", receipt.storeID?.description)
            json.member("purchase_day", draft.day?.iso)
            json.member("purchase_time", draft.time?.iso)
            json.member("currency", draft.currency.rawValue)
            json.member("total_minor", draft.total)
            json.member("hidden_until", draft.hiddenUntil?.iso)
            json.member("person", receipt.personName)
            json.member("duplicate_of", receipt.duplicateOf?.description)
            json.member("created_at", WallClock.iso(receipt.createdAt.microsecondsSince1970))
            json.member("confirmed_at", receipt.confirmedAt.map { WallClock.iso($0.microsecondsSince1970) })
            json.array("doubts") { json in for field in receipt.doubts { json.value(field.rawValue) } }
            writeLines(&json)
            json.array("pages") { json in for page in receipt.pages { write(page, &json) } }
        }
    }

    /// Writes the JSON member `lines`.
    func writeLines(_ json: inout JSONWriter) {
        json.array("lines") { json in for line in receipt.draft.lines { write(line, &json) } }
    }

    private func write(_ line: ReviewDraft.Line, _ json: inout JSONWriter) {
        let facts = receipt.facts[line.key]
        json.object { json in
            json.member("id", line.key)
            json.member("kind", line.kind.rawValue)
            json.member("printed_name", line.name)
            json.member("quantity_thousandths", line.quantity)
            json.member("unit", line.unit.rawValue)
            json.member("unit_price_thousandths", line.unitPrice)
            // Null when the amount was neither read nor typed in.
            json.member("total_minor", line.isUnread ? nil : line.total)
            json.member("vat_class", line.vatClass)
            json.member("category_id", line.category?.description)
            json.member("product_id", facts?.product?.description)
            json.member("product", facts?.productName)
            json.array("doubts") { json in for field in facts?.doubts ?? [] { json.value(field.rawValue) } }
        }
    }

    private func write(_ page: StoredReceipt.Page, _ json: inout JSONWriter) {
        json.object { json in
            // Pages count from 1 in addresses.
            json.member("page", page.n + 1)
            json.member("width", page.displayWidth)
            json.member("height", page.displayHeight)
            json.member("picture", "/api/v1/receipts/\(receipt.id)/pages/\(page.n + 1)/picture")
        }
    }
}
