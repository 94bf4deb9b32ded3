import Domain
import JSON

/// A price as the API returns it. Names and units are those of the database columns: thousandths of a minor unit per
/// unit.
struct PriceDocument {
    let price: StoredPrice
    let naming: Naming

    func write(_ json: inout JSONWriter) {
        json.object { json in
            json.member("day", price.day.iso)
            json.member("store_id", price.store.description)
            json.member("store", naming.store(price.store))
            json.member("currency", price.regular.currency.rawValue)
            json.member("unit", StoredUnit(price.regular.unit).rawValue)
            json.member("regular_thousandths", price.regular.thousandthsOfMinor)
            json.member("paid_thousandths", price.paid.thousandthsOfMinor)
            json.member("is_offer", price.isOffer)
            json.member("base_unit", price.base.map { StoredUnit($0.unit).rawValue })
            json.member("base_thousandths", price.base?.thousandthsOfMinor)
            json.member("receipt_id", price.receipt?.description)
        }
    }
}

extension JSONWriter {
    /// Writes an object member whose value is a price or `null`.
    mutating func price(_ name: String, _ price: StoredPrice?, _ naming: Naming) {
        guard let price else { return member(name, .null) }
        key(name) { PriceDocument(price: price, naming: naming).write(&$0) }
    }
}
