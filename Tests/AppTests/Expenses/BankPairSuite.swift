import HTTP
import Postgres
import TestSupport
import Testing

@testable import App

/// A form that decides about a pair: the expense of a bank file, and a receipt or expense for the same payment.
struct BankPairForm: Sendable {
    /// The address that joins both entries. With `/refusal` at its end, the address refuses the pair.
    let action: String
    let fields: [(String, String)]

    /// The identifier of the receipt or of the other expense.
    var other: String { fields.first?.1 ?? "" }
}

/// Imports bank files and finds the proposed pairs on pages. For the suites about pairs.
protocol BankPairSuite: BankSuite {}

extension BankPairSuite {
    /// Imports a file. Lines that match an entry are left out.
    ///
    /// - Returns: the path of the import.
    @discardableResult
    func importLines(_ text: String, _ browser: Browser, personal: Bool = false) async throws -> String {
        let preview = try #require(try await upload(text, browser, personal: personal).location)
        let answer = try await browser.post("\(preview)/confirmation")
        try #require(answer.location == "/bank-files", "\(answer.text)")
        return preview
    }

    func forms(_ page: String) -> [BankPairForm] {
        let pattern =
            #/action="(\/expenses\/[0-9a-f-]{36}\/bank-pairs)">[\s\S]*?name="(receipt|other)" value="([0-9a-f-]{36})"><input type="hidden" name="back" value="([^"]+)"/#
        return page.matches(of: pattern).map { found in
            let fields = [(String(found.output.2), String(found.output.3)), ("back", String(found.output.4))]
            return BankPairForm(action: String(found.output.1), fields: fields)
        }
    }

    func forms(_ browser: Browser, _ path: String) async throws -> [BankPairForm] {
        forms(try await browser.get(path).text)
    }

    /// The address of the undo button in the message after a decision.
    func undoPath(_ page: String) -> String? {
        page.firstMatch(of: #/action="(\/bank-pairs\/[^"]+)"/#).map { String($0.output.1) }
    }

    /// The sum of all spending, in cents.
    func spent(_ owner: SynchronousConnection) throws -> Int64? {
        try owner.query("SELECT coalesce(sum(amount_minor), 0)::bigint FROM expense_day WHERE flow = 'spending'")
            .first(Int64.self)
    }
}
