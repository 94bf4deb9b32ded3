-- The normalised printed name of a line (Domain: alias key), so that binding a name to a product is one statement over
-- all lines that carry it.

ALTER TABLE receipt_line ADD COLUMN alias_key text NOT NULL DEFAULT '';
ALTER TABLE receipt_line ADD CONSTRAINT receipt_line_alias_key_check CHECK (length(alias_key) <= 200);
CREATE INDEX receipt_line_alias_idx ON receipt_line (household_id, alias_key) WHERE kind = 'item';
