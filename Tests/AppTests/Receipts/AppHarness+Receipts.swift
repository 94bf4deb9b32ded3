import Domain

@testable import App

/// Actions of members on receipts of a scene, through the API.
extension AppHarness {
    /// Changes a receipt; `fields` is JSON of the API.
    func change(_ receipt: ReceiptID, _ fields: String, by browser: Browser) async throws {
        try await caller(browser).patch(receipt, fields)
    }

    /// Confirms a receipt. Its printed store becomes a store of the household.
    func confirm(_ receipt: ReceiptID, by browser: Browser) async throws {
        try await caller(browser).confirm(receipt)
    }

    /// Sets the kinds of all lines, in their order. A discount applies to the item above it.
    func setKinds(_ kinds: [LineKind], of receipt: ReceiptID, by browser: Browser) async throws {
        let lines = zip(try scene(browser).keys(receipt), kinds).map { key, kind in
            #"{"id": "\#(key)", "kind": "\#(kind.rawValue)"}"#
        }
        try await change(receipt, #"{"lines": [\#(lines.joined(separator: ", "))]}"#, by: browser)
    }

    func discard(_ receipt: ReceiptID, by browser: Browser) async throws {
        try await caller(browser).discard(receipt)
    }

    /// Hides a receipt from the other members for 30 days.
    func hide(_ receipt: ReceiptID, by browser: Browser) async throws {
        try await change(
            receipt, #"{"hidden_until": "\#(WallClock.today().adding(days: 30).iso)"}"#, by: browser)
    }

    /// Computes the stored sums and prices of changed receipts.
    func updatePrices(_ receipts: [ReceiptID], _ household: HouseholdID) async throws {
        try await database.write(household, by: nil) { changes in try await PriceHistory.update(receipts, changes) }
    }
}
