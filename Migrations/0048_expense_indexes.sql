-- Expenses without paper are found by their day and payee, which rows of receipts do not have. With a condition on receipt_id, a
-- database without statistics reads all of a household's expenses by expense_receipt_key instead.
DROP INDEX expense_payee_idx;
CREATE INDEX expense_payee_idx ON expense (household_id, payee_key, day DESC);
DROP INDEX expense_day_idx;
CREATE INDEX expense_day_idx ON expense (household_id, day DESC, id DESC) WHERE day IS NOT NULL AND discarded_at IS NULL;
