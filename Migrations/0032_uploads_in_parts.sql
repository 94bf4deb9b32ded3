-- Files that arrive in parts, each of which survives an interruption. The bytes are in blob_chunk; a part is a chunk.

CREATE TABLE upload (
    household_id uuid NOT NULL REFERENCES household (id) ON DELETE CASCADE,
    -- Chosen by the browser: creating it again after a lost answer finds the same row.
    id uuid NOT NULL,
    person_id uuid NOT NULL REFERENCES person (id) ON DELETE CASCADE,
    -- Shown, never used as a path.
    name text NOT NULL,
    -- Bytes of the whole file, and how many of them are stored.
    size bigint NOT NULL,
    received bigint NOT NULL DEFAULT 0,
    -- The unreadable receipt whose place the file takes.
    instead_id uuid,
    -- NULL once the file is a receipt's or was refused.
    blob_id uuid,
    -- The outcome, kept for a client that repeats its last request: a receipt, or the code of a refusal.
    receipt_id uuid,
    is_duplicate boolean NOT NULL DEFAULT false,
    refusal text,
    touched_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (household_id, id),
    CONSTRAINT upload_blob_fkey FOREIGN KEY (household_id, blob_id)
        REFERENCES blob (household_id, id) ON DELETE CASCADE,
    CONSTRAINT upload_name_check CHECK (length(name) <= 200),
    CONSTRAINT upload_size_check CHECK (size BETWEEN 1 AND 26214400),
    CONSTRAINT upload_received_check CHECK (received BETWEEN 0 AND size)
);
CREATE INDEX upload_blob ON upload (household_id, blob_id);
CREATE INDEX upload_person ON upload (person_id);
ALTER TABLE upload ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant ON upload USING (household_id = NULLIF(current_setting('app.household', true), '')::uuid);
GRANT SELECT, INSERT, UPDATE, DELETE ON upload TO allesteurer_app;
