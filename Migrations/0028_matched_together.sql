-- Printed names that were matched by one tap, so that one tap undoes all of them.

CREATE TABLE matching_batch (
    household_id uuid NOT NULL REFERENCES household (id) ON DELETE CASCADE,
    id uuid NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    -- Kept afterwards: undoing twice is answered as done already.
    undone_at timestamptz,
    PRIMARY KEY (household_id, id)
);
ALTER TABLE matching_batch ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant ON matching_batch USING (household_id = NULLIF(current_setting('app.household', true), '')::uuid);
GRANT SELECT, INSERT, UPDATE ON matching_batch TO allesteurer_app;

ALTER TABLE product_alias ADD COLUMN batch_id uuid,
    ADD CONSTRAINT product_alias_batch_fkey FOREIGN KEY (household_id, batch_id)
        REFERENCES matching_batch (household_id, id);
CREATE INDEX product_alias_batch_idx ON product_alias (household_id, batch_id);
