import Domain
import Postgres

/// A queue of jobs that outlive requests. Jobs are rows that workers claim; households take turns.
struct JobQueue: Sendable {
    let database: Database

    enum Kind: String, Sendable, PostgresConvertible {
        /// Read the files of a receipt.
        case read
        /// Send a message to a webhook.
        case deliver
    }

    /// A job that this process may work on until its lease ends.
    struct Claim: Sendable {
        let id: JobID
        let household: HouseholdID
        let kind: Kind
        /// The object to work on, such as a receipt.
        let subject: Identifier<Void>
        /// The number of attempts, including this one.
        let attempts: Int32
        /// The number of earlier attempts that an overloaded machine interrupted. They are not part of `attempts`.
        let overloads: Int32
    }

    /// The longest time between two queries of the queue, because notifications may be lost.
    static let pollInterval = Duration.seconds(3)
    /// The duration of a lease, which the worker renews. When the lease of a killed server ends, another server may
    /// claim the job.
    static let leaseSeconds: Int64 = 45
    /// The time between two renewals. Two renewals in a row can fail without losing the lease.
    static let renewalInterval = Duration.seconds(12)
    static let maximumAttempts: Int32 = 3
    /// The number of attempts that an overloaded machine may interrupt before the job fails.
    static let maximumOverloads: Int32 = 7

    /// A statement that adds a job. Run it in the transaction that makes the job necessary. If the subject already has
    /// a job of this kind, the statement restarts that job.
    static func enqueue(_ kind: Kind, _ subject: Identifier<Void>, _ household: HouseholdID) -> SQL {
        """
        \(insertion(kind, subject, household))
        ON CONFLICT (kind, subject_id) DO UPDATE SET
            not_before = now(), attempts = 0, overloads = 0, lease_until = NULL, size = excluded.size
        """
    }

    /// Like `enqueue`, but has no effect if the subject already has a job of this kind, waiting or running.
    static func enqueueIfAbsent(_ kind: Kind, _ subject: Identifier<Void>, _ household: HouseholdID) -> SQL {
        """
        \(insertion(kind, subject, household))
        ON CONFLICT (kind, subject_id) DO NOTHING
        """
    }

    /// Inserts a job, without an `ON CONFLICT` clause.
    private static func insertion(_ kind: Kind, _ subject: Identifier<Void>, _ household: HouseholdID) -> SQL {
        """
        INSERT INTO job (id, household_id, kind, subject_id, size)
        SELECT \(JobID.new()), \(household), \(kind), \(subject), coalesce(sum(f.size), 0)
        FROM receipt_file f WHERE f.household_id = \(household) AND f.receipt_id = \(subject)
        """
    }

    /// A statement that adds a job for each delivery to a webhook, or restarts the delivery's existing job.
    static func enqueue(deliveries: [DeliveryID], _ household: HouseholdID) -> SQL {
        let jobs = deliveries.map { _ in JobID.new() }
        return """
            INSERT INTO job (id, household_id, kind, subject_id)
            SELECT n.id, \(household), \(Kind.deliver), n.delivery FROM unnest(\(jobs), \(deliveries)) AS n (id, delivery)
            ON CONFLICT (kind, subject_id) DO UPDATE SET not_before = now(), attempts = 0, lease_until = NULL
            """
    }

    /// Selects the number of the household's jobs of a kind.
    static func count(_ kind: Kind, _ household: HouseholdID) -> SQL {
        "SELECT count(*) FROM job WHERE household_id = \(household) AND kind = \(kind)"
    }

    /// A statement that removes a job that no worker holds.
    static func removeUnlessHeld(_ kind: Kind, _ subject: Identifier<Void>, _ household: HouseholdID) -> SQL {
        """
        DELETE FROM job WHERE household_id = \(household) AND kind = \(kind) AND subject_id = \(subject)
            AND (lease_until IS NULL OR lease_until < now())
        """
    }

    /// A statement that wakes the workers when its transaction commits. They also poll.
    static let notify: SQL = "SELECT pg_notify('job', '')"

    /// Claims the next job. Sorts households by the number of their running jobs of this kind, then by their position
    /// in `served` (households that are not in it come first), then by the start of their last `read` job, the oldest
    /// first. Within a household, jobs that have waited for more than ten minutes come first, then those with the
    /// smallest files.
    ///
    /// - Parameter served: the households of the worker's last jobs, the latest at the end. Not needed for `read`,
    ///   because the start times of `read` jobs are stored.
    func claim(_ kind: Kind = .read, after served: [HouseholdID] = []) async throws -> Claim? {
        let rows = try await database.pool.query(Self.claiming(kind, after: served))
        guard
            let (id, household, kind, subject, attempts, overloads) = try rows.first(
                (JobID, HouseholdID, Kind, Identifier<Void>, Int32, Int32).self)
        else { return nil }
        return Claim(
            id: id, household: household, kind: kind, subject: subject, attempts: attempts, overloads: overloads)
    }

    /// Selects the job and starts its lease. Reads the queue once, so the cost is linear in the number of jobs.
    static func claiming(_ kind: Kind = .read, after served: [HouseholdID] = []) -> SQL {
        """
        WITH busy AS (
            SELECT household_id, count(*) AS jobs FROM job WHERE lease_until >= now() AND kind = \(kind)
            GROUP BY household_id),
        claimed AS (
            UPDATE job SET lease_until = now() + \(Self.leaseSeconds) * interval '1 second', attempts = attempts + 1,
                step = 'words', pages = 0, page_count = 0
            WHERE id = (
                SELECT j.id FROM job j LEFT JOIN job_turn t ON t.household_id = j.household_id
                LEFT JOIN busy ON busy.household_id = j.household_id
                WHERE j.kind = \(kind) AND j.not_before <= now() AND (j.lease_until IS NULL OR j.lease_until < now())
                ORDER BY coalesce(busy.jobs, 0), array_position(\(served)::uuid[], j.household_id) NULLS FIRST,
                    t.began_at NULLS FIRST, j.created_at > now() - interval '10 minutes', j.size, j.not_before, j.id
                LIMIT 1 FOR UPDATE OF j SKIP LOCKED)
            RETURNING id, household_id, kind, subject_id, attempts, overloads),
        turn AS (
            INSERT INTO job_turn (household_id, began_at) SELECT household_id, clock_timestamp() FROM claimed
            WHERE kind = 'read'
            ON CONFLICT (household_id) DO UPDATE SET began_at = excluded.began_at)
        SELECT id, household_id, kind, subject_id, attempts, overloads FROM claimed
        """
    }

    /// Extends the lease. Has no effect if the job was finished, released or claimed by another worker.
    func renew(_ claim: Claim) async throws {
        try await database.query(
            """
            UPDATE job SET lease_until = now() + \(Self.leaseSeconds) * interval '1 second'
            WHERE id = \(claim.id) AND attempts = \(claim.attempts) AND lease_until IS NOT NULL
            """)
    }

    struct Progress: Sendable {
        /// `words`, `sums` or `pictures`.
        let step: String
        /// The number of pages read and of all pages; 0 for a single page.
        var readPageCount: Int32 = 0
        var pageCount: Int32 = 0
    }

    /// Stores the progress for display. Has no effect if another worker has claimed the job.
    func report(_ progress: Progress, of claim: Claim) async throws {
        try await database.query(
            """
            UPDATE job
            SET step = \(progress.step), pages = \(progress.readPageCount), page_count = \(progress.pageCount)
            WHERE id = \(claim.id) AND attempts = \(claim.attempts)
            """)
    }

    /// A statement that removes the job, for the transaction that stores its result. Has no effect if another worker
    /// has claimed the job.
    static func finish(_ claim: Claim) -> SQL {
        "DELETE FROM job WHERE id = \(claim.id) AND attempts = \(claim.attempts)"
    }

    /// Releases the job, to be retried after a pause. Has no effect if another worker has claimed it.
    ///
    /// - Parameters:
    ///   - counts: whether this attempt counts towards `maximumAttempts`.
    ///   - isOverload: whether this attempt counts towards `maximumOverloads`.
    func postpone(_ claim: Claim, seconds: Int64, counts: Bool = true, isOverload: Bool = false) async throws {
        try await database.query(
            """
            UPDATE job SET lease_until = NULL, not_before = now() + \(seconds) * interval '1 second',
                attempts = attempts - \(counts ? 0 : 1 as Int32), overloads = overloads + \(isOverload ? 1 : 0 as Int32)
            WHERE id = \(claim.id) AND attempts = \(claim.attempts)
            """)
    }
}
