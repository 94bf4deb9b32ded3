-- Files of the watched folder that became receipts, but that the server could not delete, for example because it lacks
-- the permission.
-- They are not imported again, even if the receipt was discarded since. A row is deleted with its file.
CREATE TABLE watched_file (
    household_id uuid NOT NULL REFERENCES household (id) ON DELETE CASCADE,
    -- Within the household's folder.
    name text NOT NULL,
    size bigint NOT NULL,
    -- Of the file, in seconds since 1970.
    changed_at bigint NOT NULL,
    PRIMARY KEY (household_id, name),
    CONSTRAINT watched_file_name_check CHECK (octet_length(name) <= 1024)
);
ALTER TABLE watched_file ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant ON watched_file USING (household_id = NULLIF(current_setting('app.household', true), '')::uuid);
GRANT SELECT, INSERT, UPDATE, DELETE ON watched_file TO allesteurer_app;
