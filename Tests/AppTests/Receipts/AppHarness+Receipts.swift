import Domain
import HTTP
import Testing

@testable import App

/// Actions of members on receipts of a scene, through the API.
extension AppHarness {
    /// Changes a receipt; `fields` is JSON of the API.
    func change(_ receipt: ReceiptID, _ fields: String, by browser: Browser) async throws {
        try await send(.patch, "/api/v1/receipts/\(receipt)", fields, by: browser)
    }

    /// Confirms a receipt. Its printed store becomes a store of the household.
    func confirm(_ receipt: ReceiptID, by browser: Browser) async throws {
        try await send(
            .post, "/api/v1/receipts/\(receipt)/confirmation", #"{"accepts_unusual_amounts": true}"#, by: browser)
    }

    /// Sets the kinds of all lines, in their order. A discount applies to the item above it.
    func setKinds(_ kinds: [LineKind], of receipt: ReceiptID, by browser: Browser) async throws {
        let lines = zip(try scene(browser).keys(receipt), kinds).map { key, kind in
            #"{"id": "\#(key)", "kind": "\#(kind.rawValue)"}"#
        }
        try await change(receipt, #"{"lines": [\#(lines.joined(separator: ", "))]}"#, by: browser)
    }

    /// Discards a receipt.
    func discard(_ receipt: ReceiptID, by browser: Browser) async throws {
        try await send(.post, "/api/v1/receipts/\(receipt)/discard", "{}", by: browser)
    }

    /// Hides a receipt from the other members for 30 days.
    func hide(_ receipt: ReceiptID, by browser: Browser) async throws {
        try await change(
            receipt, #"{"hidden_until": "\#(WallClock.today().adding(days: 30).iso)"}"#, by: browser)
    }

    private func send(_ method: HTTP.Method, _ target: String, _ fields: String, by browser: Browser) async throws {
        let answer = try await caller(browser).send(
            method, target, type: "application/json", Array(fields.utf8), fields: ["If-Match": "*"])
        try #require(answer.status == .ok, "\(answer.text)")
    }
}
