-- Every write of a household is numbered and kept: sync reads it, merging finds the common ancestor in it, and nothing
-- is lost in silence. Written by the statements of the same transaction (no triggers, so that the schema shards).

CREATE TABLE change_log (
    household_id uuid NOT NULL REFERENCES household (id) ON DELETE CASCADE,
    seq bigint NOT NULL,
    -- receipt (with its lines), store, category, product (with its packages), alias, comparison_group, …
    document_type text NOT NULL,
    document_id uuid NOT NULL,
    revision bigint NOT NULL,
    deleted boolean NOT NULL DEFAULT false,
    -- The document after the change; NULL for a tombstone.
    body jsonb,
    -- NULL: the server itself (a reading, an import of reference data).
    person_id uuid REFERENCES person (id),
    changed_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (household_id, seq)
);
CREATE INDEX change_log_document_idx ON change_log (household_id, document_id, revision DESC);

-- Operations already done, written in the transaction that did them: after a lost COMMIT the app looks here.
CREATE TABLE operation (
    household_id uuid NOT NULL REFERENCES household (id) ON DELETE CASCADE,
    id uuid NOT NULL,
    done_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (household_id, id)
);
CREATE INDEX operation_done_idx ON operation (household_id, done_at);

ALTER TABLE change_log ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant ON change_log USING (household_id = NULLIF(current_setting('app.household', true), '')::uuid);
ALTER TABLE operation ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant ON operation USING (household_id = NULLIF(current_setting('app.household', true), '')::uuid);

-- The log is appended to, never changed.
GRANT SELECT, INSERT ON change_log TO allesteurer_app;
GRANT SELECT, INSERT, DELETE ON operation TO allesteurer_app;
