-- Receipts from abroad keep the currency that is printed on them. Households still count in euros or francs.
ALTER TABLE receipt DROP CONSTRAINT receipt_currency_check;
ALTER TABLE receipt ADD CONSTRAINT receipt_currency_check CHECK (currency ~ '^[A-Z]{3}$');
