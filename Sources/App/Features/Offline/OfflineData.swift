import Domain
import JSON
import Postgres
import Templates

/// The data that a browser stores for offline use, formatted in the member's language.
struct OfflineData: Sendable {
    let asOf: PostgresInstant
    let language: Language
    let spending: OverviewPage.SpendingModel
    let moves: [OverviewPage.Move]
    /// The number of receipts in the inbox.
    let waiting: Int64
    let prices: [Price]
    let receipts: [Receipt]
    let wines: [OfflineWines.Wine]

    struct Price: Sendable {
        let product: String
        let group: String?
        let store: String
        let price: String
        let base: String?
        let day: String
        let isOffer: Bool
    }

    struct Receipt: Sendable {
        let id: ReceiptID
        let store: String
        let day: String
        let total: String?
        let lines: [(name: String, amount: String)]
    }

    func json(owner: String) -> [UInt8] {
        var json = JSONWriter(capacity: 1 << 16)
        json.object { json in
            json.member("owner", owner)
            json.member("language", language.rawValue)
            json.member("asOf", DisplayDate.dayAndTime(asOf, language))
            json.member("waiting", waiting)
            writeOverview(&json)
            json.array("prices") { json in for price in prices { json.array { price.write(&$0) } } }
            json.array("receipts") { json in for receipt in receipts { json.object { receipt.write(&$0) } } }
            OfflineWines.write(wines, &json)
        }
        return json.bytes
    }

    private func writeOverview(_ json: inout JSONWriter) {
        json.object("overview") { json in
            json.member("month", "\(spending.words["server.month.\(spending.month.number)"]) \(spending.month.year)")
            json.member("total", spending.total.formatted(language))
            json.array("categories") { json in
                for category in spending.categories where !category.amount.isZero {
                    json.array { json in
                        json.value(category.name)
                        json.value(category.amount.formatted(language))
                    }
                }
            }
            json.array("moves") { json in
                for move in moves {
                    json.array { json in
                        json.value(move.name)
                        json.value(move.chainName)
                        json.value(move.before)
                        json.value(move.now)
                        json.value(PriceChange.formatted(permille: move.change.permille, language))
                    }
                }
            }
        }
    }
}

extension OfflineData.Price {
    /// Writes the elements of an array: product, comparison group, store, price, base price, date and offer.
    fileprivate func write(_ json: inout JSONWriter) {
        json.value(product)
        json.value(group ?? "")
        json.value(store)
        json.value(price)
        json.value(base ?? "")
        json.value(day)
        json.value(isOffer)
    }
}

extension OfflineData.Receipt {
    fileprivate func write(_ json: inout JSONWriter) {
        json.member("id", id.description)
        json.member("store", store)
        json.member("day", day)
        json.member("total", total)
        json.array("lines") { json in
            for line in lines {
                json.array { json in
                    json.value(line.name)
                    json.value(line.amount)
                }
            }
        }
    }
}
