-- Work that outlives a request. A global table of ids without contents: claimed with FOR UPDATE SKIP LOCKED, fair by
-- household; contents are loaded after the household is set.

CREATE TABLE job (
    id uuid PRIMARY KEY,
    household_id uuid NOT NULL REFERENCES household (id) ON DELETE CASCADE,
    -- read: read a receipt's files.
    kind text NOT NULL,
    subject_id uuid NOT NULL,
    not_before timestamptz NOT NULL DEFAULT now(),
    -- Held by a worker until then; a killed worker's job is free again afterwards.
    lease_until timestamptz,
    attempts integer NOT NULL DEFAULT 0,
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT job_kind_check CHECK (kind IN ('read')),
    CONSTRAINT job_subject_key UNIQUE (kind, subject_id)
);
CREATE INDEX job_due_idx ON job (not_before, id);
CREATE INDEX job_household_idx ON job (household_id);

GRANT SELECT, INSERT, UPDATE, DELETE ON job TO allesteurer_app;
