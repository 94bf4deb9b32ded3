import Domain

/// The JSON member `paper` of a `ReadingReport`: the values taken from a document, and the candidates for them.
package struct PaperReport {
    private let draft: ParsedReceipt
    private let paper: PaperReading

    /// - Parameter receipt: the parsed receipt, before values of the paper are added.
    package init(_ receipt: ParsedReceipt, _ paper: PaperReading) {
        var draft = receipt
        draft.complete(paper)
        (self.draft, self.paper) = (draft, paper)
    }

    private var merchant: String? { draft.chain ?? draft.store.name }

    /// The category suggested to a household that has not yet chosen categories or made rules.
    private var category: String? {
        let text = ExpenseText(what: paper.categoryText, payee: merchant ?? "")
        guard case .builtIn(let key)? = CategorizationChain(chosen: ChosenBefore([])).suggestion(for: text)?.category
        else { return nil }
        return key
    }

    var json: String {
        func plain(_ cents: Int64) -> String { DecimalText.plain(cents, decimals: 2) }
        func list<Value>(_ name: String, _ found: [PaperReading.Candidate<Value>], _ text: (Value) -> String) -> String
        {
            "\"\(name)\":[\(found.map { ReadingReport.quoted(text($0.value)) }.joined(separator: ","))]"
        }
        let fields = [
            "\"state\":\(ReadingReport.quoted(draft.state.rawValue))",
            "\"kind\":\(ReadingReport.optional(paper.kind?.rawValue))",
            "\"total\":\(ReadingReport.optional(draft.total?.value.plain))",
            "\"date\":\(ReadingReport.optional(draft.date?.value.iso))",
            "\"merchant\":\(ReadingReport.optional(merchant))",
            "\"category\":\(ReadingReport.optional(category))",
            "\"tip\":\(ReadingReport.optional(paper.tip.map { plain($0.value) }))",
            list("totals", paper.totals, plain), list("dates", paper.days) { $0.iso },
            list("merchants", paper.merchants) { $0 },
        ]
        return "{\(fields.joined(separator: ","))}"
    }
}
