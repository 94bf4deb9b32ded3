-- What a merge of two wines moved, so that it can be undone.
CREATE TABLE wine_merge (
    household_id uuid NOT NULL,
    -- The wine that was deleted; it keeps what the other wine has as well.
    wine_id uuid NOT NULL,
    target_id uuid NOT NULL,
    critics text[] NOT NULL,
    person_ids uuid[] NOT NULL,
    -- Names that were moved, and the name that the merge added.
    alias_ids uuid[] NOT NULL,
    added_alias_id uuid,
    bottle_ids uuid[] NOT NULL,
    -- Keys of wine_sighting.
    scan_ids uuid[] NOT NULL,
    scan_numbers integer[] NOT NULL,
    PRIMARY KEY (household_id, wine_id),
    CONSTRAINT wine_merge_wine_fkey FOREIGN KEY (household_id, wine_id) REFERENCES wine (household_id, id) ON DELETE CASCADE,
    CONSTRAINT wine_merge_target_fkey FOREIGN KEY (household_id, target_id)
        REFERENCES wine (household_id, id) ON DELETE CASCADE
);
CREATE INDEX wine_merge_target_idx ON wine_merge (household_id, target_id);

ALTER TABLE wine_merge ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant ON wine_merge USING (household_id = NULLIF(current_setting('app.household', true), '')::uuid);
GRANT SELECT, INSERT, UPDATE, DELETE ON wine_merge TO allesteurer_app;

-- Scans a day with one key of the API; NULL: no limit but the household's.
ALTER TABLE wine_plan ADD COLUMN key_scans_a_day integer;
ALTER TABLE wine_plan ADD CONSTRAINT wine_plan_key_check CHECK (key_scans_a_day >= 0);
