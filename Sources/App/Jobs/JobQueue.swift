import Domain
import Postgres

/// Work to be done later: rows of ids, claimed by whoever has time, fair by household.
struct JobQueue: Sendable {
    let database: Database

    enum Kind: String, Sendable, PostgresConvertible {
        case read
    }

    /// A job that this process holds until its lease is over.
    struct Claim: Sendable {
        let id: JobID
        let household: HouseholdID
        let kind: Kind
        let subject: Identifier<Void>
        /// This try included.
        let attempts: Int32
    }

    /// A killed server's job is free again after this time; whoever is at work renews it.
    static let leaseSeconds: Int64 = 45
    /// Three tries to renew before the lease is over.
    static let renewalInterval = Duration.seconds(12)
    static let maximumAttempts: Int32 = 3

    /// A statement that adds a job, for the transaction that makes it necessary. One job a subject.
    static func enqueue(_ kind: Kind, _ subject: Identifier<Void>, _ household: HouseholdID) -> SQL {
        """
        INSERT INTO job (id, household_id, kind, subject_id) VALUES (\(JobID.new()), \(household), \(kind), \(subject))
        ON CONFLICT (kind, subject_id) DO UPDATE SET not_before = now(), attempts = 0, lease_until = NULL
        """
    }

    /// The same for a subject whose job may still be there, even under way: then it stays as it is.
    static func ensure(_ kind: Kind, _ subject: Identifier<Void>, _ household: HouseholdID) -> SQL {
        """
        INSERT INTO job (id, household_id, kind, subject_id) VALUES (\(JobID.new()), \(household), \(kind), \(subject))
        ON CONFLICT (kind, subject_id) DO NOTHING
        """
    }

    /// A statement that takes a job back that nobody is at.
    static func withdraw(_ kind: Kind, _ subject: Identifier<Void>, _ household: HouseholdID) -> SQL {
        """
        DELETE FROM job WHERE household_id = \(household) AND kind = \(kind) AND subject_id = \(subject)
            AND (lease_until IS NULL OR lease_until < now())
        """
    }

    /// A statement that wakes the workers when its transaction commits. Only a hint; they also look by themselves.
    static let notify: SQL = "SELECT pg_notify('job', '')"

    /// Takes the next job: of the household that has the fewest under way, then the oldest.
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

    /// Holds the job longer. Without effect when it was finished, given back or taken by somebody else meanwhile.
    func renew(_ claim: Claim) async throws {
        try await database.query(
            """
            UPDATE job SET lease_until = now() + \(Self.leaseSeconds) * interval '1 second'
            WHERE id = \(claim.id) AND attempts = \(claim.attempts) AND lease_until IS NOT NULL
            """)
    }

    /// How far the work is.
    struct Progress: Sendable {
        /// words, sums or pictures.
        let step: String
        /// Pages whose words are known, and all of them; 0 where there is one.
        var pages: Int32 = 0
        var pageCount: Int32 = 0
    }

    /// Notes how far the work is, for whoever waits. Without effect when the job is somebody else's by now.
    func report(_ progress: Progress, of claim: Claim) async throws {
        try await database.query(
            """
            UPDATE job SET step = \(progress.step), pages = \(progress.pages), page_count = \(progress.pageCount)
            WHERE id = \(claim.id) AND attempts = \(claim.attempts)
            """)
    }

    /// A statement that ends the job, for the transaction that stores its result. Without effect when it is somebody else's.
    static func finish(_ claim: Claim) -> SQL {
        "DELETE FROM job WHERE id = \(claim.id) AND attempts = \(claim.attempts)"
    }

    /// Gives the job back, to be tried again after a pause. Without effect when it is somebody else's.
    ///
    /// - Parameter counts: whether this try was one of the subject's.
    func postpone(_ claim: Claim, seconds: Int64, counts: Bool = true) async throws {
        try await database.query(
            """
            UPDATE job SET lease_until = NULL, not_before = now() + \(seconds) * interval '1 second',
                attempts = attempts - \(counts ? 0 : 1 as Int32)
            WHERE id = \(claim.id) AND attempts = \(claim.attempts)
            """)
    }
}
