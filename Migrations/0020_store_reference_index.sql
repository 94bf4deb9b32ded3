-- A store's receipts: counted on its page, and looked for when it goes.
CREATE INDEX receipt_store_idx ON receipt (household_id, store_id) WHERE store_id IS NOT NULL;
