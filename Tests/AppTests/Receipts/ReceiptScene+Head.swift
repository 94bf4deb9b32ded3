import Domain
import Postgres

@testable import App

extension ReceiptScene {
    /// The values that the reader stores with a receipt, except its lines.
    struct Head: Sendable {
        enum Total: Sendable {
            case sumOfLines
            /// In minor units; nil if it was not read.
            case printed(Int64?)
        }

        var verdict = Verdict.review
        var reasons: [String] = []
        var doubts: [String] = []
        /// JSON of the column `printed_store`.
        var store = #"{"name": "HOFER"}"#
        var day: String? = "2026-11-02"
        var time: String?
        var total = Total.sumOfLines
        /// The printed number of articles.
        var articles: Int64?
        /// JSON of the payment data in the column `evidence`.
        var paper: String?
        var purchaseKey: String?
        /// The positions of the values on the pictures, as JSON of the column `marks`.
        var marks = "{}"
        /// The receipt of which this receipt is a duplicate.
        var duplicateOf: ReceiptID?

        func totalMinor(of lines: [(String, Int64)]) -> Int64? {
            switch total {
            case .sumOfLines: lines.reduce(0) { $0 + $1.1 }
            case .printed(let total): total
            }
        }

        var printedStore: PostgresJSON { PostgresJSON(Array(store.utf8)) }
        var storedMarks: PostgresJSON { PostgresJSON(Array(marks.utf8)) }
        var evidence: PostgresJSON {
            let members = [articles.map { #""articles": \#($0)"# }, paper.map { #""paper": \#($0)"# }]
            return PostgresJSON(Array("{\(members.compactMap { $0 }.joined(separator: ", "))}".utf8))
        }
    }
}
