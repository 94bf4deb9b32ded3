-- The month whose roll-ups hold a receipt; NULL while it is not booked. When a receipt moves to another day, or out of
-- the books, this tells which month it has to leave.

ALTER TABLE receipt ADD COLUMN booked_month date;
ALTER TABLE receipt ADD CONSTRAINT receipt_booked_month_check CHECK (extract(day FROM booked_month) = 1);
CREATE INDEX receipt_booked_month_idx ON receipt (household_id, booked_month) WHERE booked_month IS NOT NULL;
-- Gifts whose day has come are booked by the next write.
CREATE INDEX receipt_hidden_idx ON receipt (household_id, hidden_until)
    WHERE hidden_until IS NOT NULL AND booked_month IS NULL;
