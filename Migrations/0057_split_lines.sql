-- A split by line keeps who took which line, so that it can be shown and changed, and the shares recomputed when the lines
-- change. Splits that were made before have shares only.

CREATE TABLE expense_line (
    household_id uuid NOT NULL,
    expense_id uuid NOT NULL,
    line_id uuid NOT NULL,
    -- The person who took the line.
    person_id uuid NOT NULL REFERENCES person (id),
    PRIMARY KEY (household_id, expense_id, line_id),
    CONSTRAINT expense_line_expense_fkey FOREIGN KEY (household_id, expense_id)
        REFERENCES expense (household_id, id) ON DELETE CASCADE,
    CONSTRAINT expense_line_line_fkey FOREIGN KEY (household_id, line_id)
        REFERENCES receipt_line (household_id, id) ON DELETE CASCADE
);
CREATE INDEX expense_line_line_idx ON expense_line (household_id, line_id);

-- The people who share all lines without a row in expense_line.
ALTER TABLE expense ADD COLUMN shared_by uuid[] NOT NULL DEFAULT '{}';

ALTER TABLE expense_line ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant ON expense_line USING (household_id = NULLIF(current_setting('app.household', true), '')::uuid);
GRANT SELECT, INSERT, UPDATE, DELETE ON expense_line TO allesteurer_app;
