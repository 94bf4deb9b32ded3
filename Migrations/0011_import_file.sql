-- A table that waits between its preview and the decision; taken over, discarded, or swept after a day.

CREATE TABLE import_file (
    household_id uuid NOT NULL REFERENCES household (id) ON DELETE CASCADE,
    id uuid NOT NULL,
    person_id uuid NOT NULL REFERENCES person (id) ON DELETE CASCADE,
    -- Shown, never used as a path.
    name text NOT NULL,
    content text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (household_id, id),
    CONSTRAINT import_file_name_check CHECK (length(name) <= 200),
    CONSTRAINT import_file_content_check CHECK (octet_length(content) <= 5242880)
);
ALTER TABLE import_file ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant ON import_file USING (household_id = NULLIF(current_setting('app.household', true), '')::uuid);
GRANT SELECT, INSERT, DELETE ON import_file TO allesteurer_app;
