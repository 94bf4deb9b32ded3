-- Printed names that are no product, by a person's word: nobody asks about them again.

CREATE TABLE ignored_name (
    household_id uuid NOT NULL REFERENCES household (id) ON DELETE CASCADE,
    chain text NOT NULL,
    alias_key text NOT NULL,
    PRIMARY KEY (household_id, chain, alias_key),
    CONSTRAINT ignored_name_chain_check CHECK (length(chain) BETWEEN 1 AND 80),
    CONSTRAINT ignored_name_key_check CHECK (length(alias_key) BETWEEN 1 AND 200)
);
ALTER TABLE ignored_name ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant ON ignored_name USING (household_id = NULLIF(current_setting('app.household', true), '')::uuid);
GRANT SELECT, INSERT, DELETE ON ignored_name TO allesteurer_app;
