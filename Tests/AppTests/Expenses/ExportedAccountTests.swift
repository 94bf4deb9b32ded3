import Domain
import Foundation
import HTTP
import Postgres
import TestSupport
import Testing

@testable import App

/// The accounts in exported files.
@Suite(.timeLimit(.minutes(5))) struct ExportedAccountTests: BankSuite {
    @Test(.database) func `exports for Firefly III and Actual name the bank account or cash, if known`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let paul = try await harness.join(anna, as: .member)
            let scene = try harness.scene(anna)
            let preview = try #require(
                try await upload(file("02.11.2026;;Kino;Karte;;-9,00;EUR"), anna, account: "Giro").location)
            let page = try await anna.get(preview).text
            _ = try await anna.post("\(preview)/confirmation", pairs: links(page))
            _ = try await anna.expense("5", "Zeitung", [("day", "2026-11-03")])
            _ = try await anna.expense("50", "Automat", [("day", "2026-11-04"), ("kind", "withdrawal")])
            for (total, change) in [(1_900, 100), (2_100, 0)] as [(Int64, Int64)] {
                let receipt = try scene.receipt([("Menü", total)], stage: "confirmed", person: anna.person)
                try scene.owner.query(
                    "UPDATE receipt SET evidence = jsonb_build_object('change', \(change)::bigint) WHERE id = \(receipt)"
                )
            }
            /// The account in the row with a text.
            func account(_ text: String, _ format: ExpenseExport, _ browser: Browser) async throws -> String? {
                let rows = try await browser.get("/expenses/export?format=\(format.rawValue)").text
                    .split(whereSeparator: \.isNewline)
                return rows.first { $0.contains(text) }?.split(separator: ",", omittingEmptySubsequences: false).last
                    .map { String($0) }
            }
            for format in [ExpenseExport.firefly, .actual] {
                #expect(try await account("Kino", format, anna) == "GIRO")
                #expect(try await account("Zeitung", format, anna) == "")
                #expect(try await account("-19.00", format, anna) == "Bargeld")
                #expect(try await account("-21.00", format, anna) == "")
                // The account of another member's bank file is private.
                #expect(try await account("Kino", format, paul) == "")
            }
            let firefly = try await anna.get("/expenses/export?format=firefly").text
            #expect(firefly.contains(",-50.00,EUR,Automat,Bargeld,"))
        }
    }

    @Test(.database) func `exports with postings book each entry to a bank account, to cash or to an unknown account`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let preview = try #require(
                try await upload(file("02.11.2026;;Kino;Karte;;-9,00;EUR"), anna, account: "Giro").location)
            _ = try await anna.post("\(preview)/confirmation")
            // Neither the file nor a person names the account.
            let unnamed = try #require(try await upload(file("05.11.2026;;Theater;Karte;;-7,00;EUR"), anna).location)
            _ = try await anna.post("\(unnamed)/confirmation")
            _ = try await anna.expense("5", "Zeitung", [("day", "2026-11-03")])
            _ = try await anna.expense("50", "Automat", [("day", "2026-11-04"), ("kind", "withdrawal")])
            for (total, payment) in [(1_900, "cash"), (2_100, "card")] as [(Int64, String)] {
                let receipt = try scene.receipt([("Menü", total)], stage: "confirmed", person: anna.person)
                try scene.owner.query(
                    """
                    UPDATE receipt SET evidence = jsonb_build_object('payment', \(payment)::text)
                    WHERE id = \(receipt)
                    """)
            }
            let journal = try await anna.get("/expenses/export?format=ledger").text
            let beancount = try await anna.get("/expenses/export?format=beancount").text
            for (account, amount) in [
                ("bank", "-9.00"), ("bank", "-7.00"), ("unknown", "-5.00"), ("bank", "-50.00"), ("cash", "-19.00"),
                ("bank", "-21.00"),
            ] {
                #expect(journal.contains("    assets:\(account)  \(amount) EUR\n"), "\(amount)")
                #expect(beancount.contains("  Assets:\(account.capitalized)  \(amount) EUR\n"), "\(amount)")
            }
            #expect(beancount.contains("\n  Assets:Bank  -50.00 EUR\n  Assets:Cash  50.00 EUR\n"))
            for account in ["Bank", "Cash", "Unknown"] {
                #expect(beancount.ranges(of: " open Assets:\(account)\n").count == 1)
            }
        }
    }
}
