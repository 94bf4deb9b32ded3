import Postgres

extension SynchronousConnection {
    /// Keeps PostgreSQL from analysing and vacuuming the tables in the background, which would change plans during a
    /// test.
    func stopAutovacuum() throws {
        try run(
            script: """
                DO $$ DECLARE relation regclass; BEGIN
                    FOR relation IN SELECT c.oid::regclass FROM pg_class c
                        WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace
                    LOOP EXECUTE format('ALTER TABLE %s SET (autovacuum_enabled = false)', relation); END LOOP;
                END $$
                """)
    }
}
