// Runs every function of SyncManager against a server: main SERVER HOUSEHOLD KEY PICTURE

import Foundation

func check(_ condition: Bool, _ name: String) {
    guard !condition else { return }
    print("failed: \(name)")
    exit(1)
}

let arguments = CommandLine.arguments
func client() -> SyncManager {
    SyncManager(
        server: URL(string: arguments[1])!, household: arguments[2], key: arguments[3],
        backups: URL(fileURLWithPath: arguments[4]).deletingLastPathComponent().appendingPathComponent("copies"))
}

let (phone, tablet) = (client(), client())
try phone.syncProductsFromCloud()
check(!phone.rows("categories").isEmpty, "categories")

let (receipt, line) = (UUID().uuidString.lowercased(), UUID().uuidString.lowercased())
phone.save(
    ["id": receipt, "stage": "confirmed", "store": "Greissler", "day": "2026-03-05", "total_minor": 129], in: "receipts"
)
phone.save(
    ["id": line, "receipt_id": receipt, "position": 0, "name": "MILCH", "total_minor": 129, "kind": "item"],
    in: "receipt_lines")
try phone.syncReceiptsToCloud()
try tablet.syncProductsFromCloud()
check(tablet.tables["receipts"]?[receipt]?["stage"] as? String == "confirmed", "the receipt on the other device")
check(tablet.tables["receipt_lines"]?[line]?["total_minor"] as? Int == 129, "the line on the other device")

var mine = phone.rows("preferences")[0]
mine["language"] = "en"
phone.save(mine, in: "preferences")
try phone.syncUserPreferences()
try tablet.syncUserPreferences()
check(tablet.rows("preferences")[0]["language"] as? String == "en", "preferences")

let brokenPicture = phone.addPicture(Data("no picture".utf8))
let pending = phone.addPicture(try Data(contentsOf: URL(fileURLWithPath: arguments[4])))
check(try phone.uploadPendingReceipts() == [pending], "uploaded receipts")
check(phone.refusedPictures[brokenPicture] != nil, "the refused picture")
check(try phone.uploadPendingReceipts().isEmpty, "no receipt waits for its upload any more")
try tablet.pull()
check(["reading", "review"].contains(tablet.tables["receipts"]?[pending]?["stage"] as? String), "the uploaded receipt")

// Two devices change different columns of a row.
try phone.pull()
var (street, town) = (phone.rows("stores")[0], phone.rows("stores")[0])
let store = street["id"] as? String ?? ""
street["street"] = "Hauptplatz 1"
phone.save(street, in: "stores")
try phone.push(["stores"])
town["town"] = "Krems"
tablet.save(town, in: "stores")
try tablet.push(["stores"])
try phone.pull()
let mergedStore = phone.tables["stores"]?[store]
check(mergedStore?["street"] as? String == "Hauptplatz 1", "the street of the store")
check(mergedStore?["town"] as? String == "Krems", "the town of the store")

phone.save(["id": UUID().uuidString.lowercased(), "name": "", "chain": "greissler"], in: "stores")
try phone.push(["stores"])
check(phone.rejections.values.contains { $0.hasPrefix("name") }, "the reason for a rejected row")

// A rejected row is sent again when the reason no longer applies.
let (first, second) = (UUID().uuidString.lowercased(), UUID().uuidString.lowercased())
try tablet.pull()
tablet.save(["id": first, "name": "Luxus"], in: "categories")
try tablet.push(["categories"])
phone.save(["id": second, "name": "Luxus"], in: "categories")
try phone.push(["categories"])
check(phone.rejections["category:\(second)"] != nil, "the reason for a rejected category")
tablet.save(["id": first, "name": "Feinkost"], in: "categories")
try tablet.push(["categories"])
try phone.push(["categories"])
check(phone.rejections.isEmpty, "no rejected category")
try tablet.pull()
check(tablet.tables["categories"]?[second]?["name"] as? String == "Luxus", "the category that was rejected first")

// A line that was deleted together with a rejected change of its receipt is deleted with the next push.
let (purchase, bread, cheese) = (
    UUID().uuidString.lowercased(), UUID().uuidString.lowercased(), UUID().uuidString.lowercased()
)
phone.save(
    ["id": purchase, "stage": "review", "store": "Greissler", "day": "2026-03-05", "total_minor": 100], in: "receipts")
for (position, part) in [(bread, "BROT"), (cheese, "KÄSE")].enumerated() {
    phone.save(
        [
            "id": part.0, "receipt_id": purchase, "position": position, "name": part.1, "total_minor": 50,
            "kind": "item",
        ], in: "receipt_lines")
}
try phone.syncReceiptsToCloud()
var purchased = phone.tables["receipts"]![purchase]!
purchased["day"] = "2099-01-01"
phone.save(purchased, in: "receipts")
phone.delete(cheese, from: "receipt_lines")
try phone.syncReceiptsToCloud()
check(phone.rejections["receipt:\(purchase)"] != nil, "the reason for a rejected receipt")
purchased["day"] = "2026-03-06"
phone.save(purchased, in: "receipts")
try phone.syncReceiptsToCloud()
try tablet.pull()
check(tablet.tables["receipts"]?[purchase]?["day"] as? String == "2026-03-06", "the date of the corrected receipt")
check(tablet.tables["receipt_lines"]?[bread] != nil, "the line that was not deleted")
check(tablet.tables["receipt_lines"]?[cheese] == nil, "the line that was deleted with a rejected receipt")

_ = try phone.downloadLatestPriceData()

let copy = try phone.backupUserData()
var changed = tablet.tables["receipts"]![receipt]!
changed["total_minor"] = 500
tablet.save(changed, in: "receipts")
try tablet.syncReceiptsToCloud()
try phone.restoreUserData(copy)
try tablet.pull()
check(tablet.tables["receipts"]?[receipt]?["total_minor"] as? Int == 129, "the restored receipt")

// A line remains if it is restored before its deletion was sent.
let withLine = try phone.backupUserData()
phone.delete(line, from: "receipt_lines")
try phone.restoreUserData(withLine)
try tablet.pull()
check(phone.tables["receipt_lines"]?[line] != nil, "the restored line")
check(tablet.tables["receipt_lines"]?[line] != nil, "the restored line on the other device")
print("ok")
