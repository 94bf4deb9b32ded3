import Domain
import Postgres

/// The queue of jobs: rows of ids without contents, claimed by workers, fair by household.
struct JobQueue: Sendable {
    let database: Database

    enum Kind: String, Sendable, PostgresConvertible {
        case read
    }

    /// A job that this process holds until the lease expires.
    struct Claim: Sendable {
        let id: JobID
        let household: HouseholdID
        let kind: Kind
        let subject: Identifier<Void>
        /// Including the current one.
        let attempts: Int32
    }

    /// The job of a killed server can be claimed again after this time. Workers renew their leases.
    static let leaseSeconds: Int64 = 45
    /// Allows three renewals within a lease.
    static let renewalInterval = Duration.seconds(12)
    static let maximumAttempts: Int32 = 3

    /// A statement that adds a job, for the transaction that makes it necessary. A subject has at most one job; an existing
    /// one is restarted.
    static func enqueue(_ kind: Kind, _ subject: Identifier<Void>, _ household: HouseholdID) -> SQL {
        """
        INSERT INTO job (id, household_id, kind, subject_id) VALUES (\(JobID.new()), \(household), \(kind), \(subject))
        ON CONFLICT (kind, subject_id) DO UPDATE SET not_before = now(), attempts = 0, lease_until = NULL
        """
    }

    /// As `enqueue`, but an existing job is not changed.
    static func ensure(_ kind: Kind, _ subject: Identifier<Void>, _ household: HouseholdID) -> SQL {
        """
        INSERT INTO job (id, household_id, kind, subject_id) VALUES (\(JobID.new()), \(household), \(kind), \(subject))
        ON CONFLICT (kind, subject_id) DO NOTHING
        """
    }

    /// A statement that deletes a job that no worker holds.
    static func withdraw(_ kind: Kind, _ subject: Identifier<Void>, _ household: HouseholdID) -> SQL {
        """
        DELETE FROM job WHERE household_id = \(household) AND kind = \(kind) AND subject_id = \(subject)
            AND (lease_until IS NULL OR lease_until < now())
        """
    }

    /// A statement that wakes the workers when its transaction commits. A hint: workers also poll.
    static let notify: SQL = "SELECT pg_notify('job', '')"

    /// Claims the oldest job of the household with the fewest running jobs.
    func claim() async throws -> Claim? {
        let rows = try await database.pool.query(
            """
            UPDATE job SET lease_until = now() + \(Self.leaseSeconds) * interval '1 second', attempts = attempts + 1,
                step = 'words', pages = 0, page_count = 0
            WHERE id = (
                SELECT j.id FROM job j
                WHERE j.not_before <= now() AND (j.lease_until IS NULL OR j.lease_until < now())
                ORDER BY (SELECT count(*) FROM job busy
                    WHERE busy.household_id = j.household_id AND busy.lease_until >= now()), j.not_before, j.id
                LIMIT 1 FOR UPDATE SKIP LOCKED)
            RETURNING id, household_id, kind, subject_id, attempts
            """)
        guard
            let (id, household, kind, subject, attempts) = try rows.first(
                (JobID, HouseholdID, Kind, Identifier<Void>, Int32).self)
        else { return nil }
        return Claim(id: id, household: household, kind: kind, subject: subject, attempts: attempts)
    }

    /// Extends the lease. No effect if the job was finished, postponed or claimed by another worker.
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
        /// The number of finished pages, and of all; 0 for a single page.
        var pages: Int32 = 0
        var pageCount: Int32 = 0
    }

    /// Stores the progress. No effect if another worker has claimed the job.
    func report(_ progress: Progress, of claim: Claim) async throws {
        try await database.query(
            """
            UPDATE job SET step = \(progress.step), pages = \(progress.pages), page_count = \(progress.pageCount)
            WHERE id = \(claim.id) AND attempts = \(claim.attempts)
            """)
    }

    /// A statement that deletes the finished job, for the transaction that stores its result. No effect if another worker has
    /// claimed the job.
    static func finish(_ claim: Claim) -> SQL {
        "DELETE FROM job WHERE id = \(claim.id) AND attempts = \(claim.attempts)"
    }

    /// Releases the job, to be claimed again after `seconds`. No effect if another worker has claimed it.
    ///
    /// - Parameter counts: whether this attempt counts towards `maximumAttempts`.
    func postpone(_ claim: Claim, seconds: Int64, counts: Bool = true) async throws {
        try await database.query(
            """
            UPDATE job SET lease_until = NULL, not_before = now() + \(seconds) * interval '1 second',
                attempts = attempts - \(counts ? 0 : 1 as Int32)
            WHERE id = \(claim.id) AND attempts = \(claim.attempts)
            """)
    }
}
