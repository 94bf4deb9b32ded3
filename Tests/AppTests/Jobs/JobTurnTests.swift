import Domain
import Postgres
import TestSupport
import Testing

@testable import App

/// The order in which jobs are claimed.
@Suite(.timeLimit(.minutes(5))) struct JobTurnTests {
    /// Adds a job without a receipt.
    private func add(_ household: HouseholdID, size: Int64 = 1000, _ harness: AppHarness) throws -> JobID {
        let job = JobID.new()
        try harness.owner().query(
            """
            INSERT INTO job (id, household_id, kind, subject_id, size)
            VALUES (\(job), \(household), 'read', \(Identifier<Void>.new()), \(size))
            """)
        return job
    }

    @Test(.database) func `reads a receipt of one household before the rest of a long batch of another household`()
        async throws
    {
        try await AppHarness.run { harness in
            let large = try await harness.signUp().household
            let small = try await harness.signUp().household
            for _ in 0..<20 { _ = try add(large, harness) }
            let single = try add(small, harness)
            let queue = JobQueue(database: harness.database)
            var order: [HouseholdID] = []
            for _ in 0..<4 {
                let claim = try #require(try await queue.claim())
                order.append(claim.household)
                if claim.household == small { #expect(claim.id == single) }
                try await harness.database.query(JobQueue.finish(claim))
            }
            #expect(order == [large, small, large, large] || order == [small, large, large, large])
        }
    }

    @Test(.database) func `reads small files first, but after files that have waited long`() async throws {
        try await AppHarness.run { harness in
            let household = try await harness.signUp().household
            let large = try add(household, size: 20_000_000, harness)
            let small = try add(household, size: 300_000, harness)
            let old = try add(household, size: 25_000_000, harness)
            try harness.owner().query("UPDATE job SET created_at = now() - interval '11 minutes' WHERE id = \(old)")
            let queue = JobQueue(database: harness.database)
            var order: [JobID] = []
            while let claim = try await queue.claim() {
                order.append(claim.id)
                try await harness.database.query(JobQueue.finish(claim))
            }
            #expect(order == [old, small, large])
        }
    }

    @Test(.database) func `a claim reads the queue once, whatever its length`() async throws {
        try await AppHarness.run { harness in
            let household = try await harness.signUp().household
            for _ in 0..<3 { _ = try add(household, harness) }
            let connection = try harness.owner()
            // A subplan in the query plan would run for each waiting job.
            let text = try connection.query("EXPLAIN \(JobQueue.claiming())").decode(String.self).joined(
                separator: "\n")
            #expect(text.contains("job_turn"))
            #expect(!text.contains("SubPlan"), "\(text)")
        }
    }
}
