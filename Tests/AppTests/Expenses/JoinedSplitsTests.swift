import Domain
import HTTP
import Postgres
import TestSupport
import Testing

@testable import App

/// Receipts that are split by line, and are then joined.
@Suite(.timeLimit(.minutes(5))) struct JoinedSplitsTests {
    /// A receipt in review. `person` took its first line, and `people` share its other lines.
    private static func part(
        _ lines: [(String, Int64)], takenBy person: PersonID, sharedBy people: [PersonID], _ anna: Browser,
        _ harness: AppHarness
    ) async throws -> ReceiptID {
        let scene = try harness.scene(anna)
        let receipt = try await scene.receiptInChangeLog(harness, lines)
        try await harness.confirm(receipt, by: anna)
        let split = try await anna.post(
            "/expenses/\(receipt)/split",
            pairs: [
                ("method", "lines"), ("revision", "0"), ("paid-by", "\(anna.person)"),
                ("line-\(try scene.keys(receipt)[0])", "\(person)"),
            ] + people.map { ("with-\($0)", "1") })
        try #require(split.status == .seeOther, "\(split.text)")
        try await harness.database.write(anna.household, by: anna.person) { changes in
            try await ReceiptEdits(database: harness.database).reopen([receipt], changes)
        }
        return receipt
    }

    private static func weights(_ scene: ReceiptScene) throws -> [ReceiptID: [PersonID: Int64]] {
        try scene.owner.query(
            "SELECT e.receipt_id, x.person_id, x.weight FROM expense e JOIN expense_share x ON x.expense_id = e.id"
        ).decode((ReceiptID, PersonID, Int64).self).reduce(into: [:]) { $0[$1.0, default: [:]][$1.1] = $1.2 }
    }

    private static func lineCounts(_ scene: ReceiptScene) throws -> [ReceiptID: Int64] {
        try scene.owner.query(
            """
            SELECT e.receipt_id, count(*) FROM expense e JOIN expense_line x ON x.expense_id = e.id GROUP BY 1
            """
        ).decode((ReceiptID, Int64).self).reduce(into: [:]) { $0[$1.0] = $1.1 }
    }

    /// If the same people share the other lines of both receipts, the joined receipt is split by line. Otherwise it has
    /// the sum of each person's shares.
    @Test(.database, arguments: [true, false])
    func `a joined receipt has the splits of the receipts that were joined, until the join is undone`(
        isSharedBySame: Bool
    ) async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let paul = try await harness.join(anna, as: .member)
            let scene = try harness.scene(anna)
            let both = [anna.person, paul.person]
            let first = try await Self.part(
                [("WEIN", 900), ("BROT", 300)], takenBy: paul.person, sharedBy: both, anna, harness)
            let second = try await Self.part(
                [("KÄSE", 500), ("SEMMEL", 100)], takenBy: paul.person,
                sharedBy: isSharedBySame ? both : [anna.person], anna, harness)
            let (weights, lines) = (try Self.weights(scene), try Self.lineCounts(scene))
            #expect(weights[first] == [anna.person: 300, paul.person: 2_100])
            #expect(lines == [first: 1, second: 1])

            try await ReceiptJoining(database: harness.database).join(
                [first, second], agreed: [first, second], SyncScene(harness, anna).member)
            // The weights of a split by line are twice the amounts; the weights of the added shares are the amounts.
            let joined: [PersonID: Int64] =
                isSharedBySame ? [anna.person: 400, paul.person: 3_200] : [anna.person: 250, paul.person: 1_550]
            #expect(try Self.weights(scene) == [first: joined])
            #expect(try Self.lineCounts(scene) == (isSharedBySame ? [first: 2] : [:]))

            #expect(try await anna.post("/receipts/\(first)/join/removal").location == "/receipts")
            #expect(try Self.weights(scene) == weights)
            #expect(try Self.lineCounts(scene) == lines)
        }
    }
}
