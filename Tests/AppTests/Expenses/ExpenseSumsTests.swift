import Domain
import Foundation
import Postgres
import TestSupport
import Testing

@testable import App

/// The number of random households to test. `ALLESTEURER_RANDOM_HOUSEHOLDS=1000 bin/test ExpenseSumsTests` tests 1,000.
/// Each of four successive seeds makes a quarter of the households. `ALLESTEURER_RANDOM_SEED=5` sets the first seed,
/// which is 1 by default.
private enum RandomHouseholds {
    static let perSeed = number("ALLESTEURER_RANDOM_HOUSEHOLDS").map { max(1, $0 / 4) } ?? 25
    static let seeds: [UInt64] = {
        let first = number("ALLESTEURER_RANDOM_SEED").flatMap(UInt64.init(exactly:)) ?? 1
        return (0..<4).map { first &+ $0 }
    }()
    static let minutes = 10 + perSeed / 2

    private static func number(_ name: String) -> Int? { ProcessInfo.processInfo.environment[name].flatMap(Int.init) }
}

/// The figures on pages equal a naive computation from all rows.
@Suite(.timeLimit(.minutes(RandomHouseholds.minutes))) struct ExpenseSumsTests {
    @Test(.database, arguments: RandomHouseholds.seeds)
    func `after edits, deletions, splits, settlements, new rates and merged categories every sum is right`(
        seed: UInt64
    ) async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            var random = SplitMix64(seed: seed)
            for _ in 0..<RandomHouseholds.perSeed {
                let scene = try await RandomExpenses(harness, anna.person, &random)
                try await scene.check("at first")
                for step in 0..<4 {
                    let change = try await scene.change(&random)
                    try await scene.check("\(change) in step \(step)")
                }
            }
        }
    }

    @Test(.database, arguments: [31, 32] as [UInt64])
    func `receipts count with their payers and categories, also after splits, rules and changes`(seed: UInt64)
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let owner = try harness.owner()
            var random = SplitMix64(seed: seed)
            let scene = try await RandomExpenses(harness, anna.person, &random)
            var drawn = try DrawnReceipts(seed: seed, scene.household, owner)
            var receipts: [ReceiptID] = []
            drawn.person = anna.person
            for _ in 0..<25 { receipts.append(try drawn.insert(owner)) }
            func update(_ touched: [ReceiptID]) async throws {
                try await harness.database.write(scene.household, by: nil) { changes in
                    try await PriceHistory.update(touched, changes)
                }
            }
            try await update(receipts)
            try await scene.check("after adding")
            for step in 0..<12 {
                let receipt = drawn.pick(receipts)
                switch step % 3 {
                case 0:
                    try drawn.edit(receipt, owner)
                    try await update([receipt])
                case 1: try await scene.split(receipt.relabelled(), &random)
                default: _ = try await scene.applyRule(containing: ["spar", "hofer"], &random)
                }
                try await scene.check("receipts in step \(step)")
            }
            scene.receipts += receipts
            for step in 0..<4 {
                let change = try await scene.categoriseReceipts(&random)
                try await scene.check("\(change) in step \(step)")
            }
            let labelled = try owner.query("SELECT 1 FROM expense WHERE receipt_id IS NOT NULL AND 'x' = ANY(labels)")
            #expect(!labelled.isEmpty)
        }
    }
}
