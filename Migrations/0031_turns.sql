-- Reading takes turns by household: the household whose last job began first is next, and within it the smallest files.
-- `size`: bytes of the files to be read.
ALTER TABLE job ADD COLUMN size bigint NOT NULL DEFAULT 0;

-- When the last job of a household began. A global table, as job is: the worker reads it before a household is known.
CREATE TABLE job_turn (
    household_id uuid PRIMARY KEY REFERENCES household (id) ON DELETE CASCADE,
    began_at timestamptz NOT NULL
);
GRANT SELECT, INSERT, UPDATE, DELETE ON job_turn TO allesteurer_app;
