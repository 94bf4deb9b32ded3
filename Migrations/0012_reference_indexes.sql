-- Deleting a line or a receipt looks for those that refer to it: without an index that reads the whole table each time.

CREATE INDEX receipt_line_bound_idx ON receipt_line (household_id, bound_line_id) WHERE bound_line_id IS NOT NULL;
CREATE INDEX receipt_duplicate_idx ON receipt (household_id, duplicate_of) WHERE duplicate_of IS NOT NULL;
