import Postgres

extension SynchronousConnection {
    /// Turns off autovacuum for all tables. Analysing or vacuuming tables in the background would change plans during a
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
