-- The account of a statement line. Equal lines of two accounts are two payments, but some banks do not name the account in
-- their files, and the formats write it differently.

-- The name of the account that a person typed for a file; empty if the file names the account.
ALTER TABLE bank_import ADD COLUMN account text NOT NULL DEFAULT '',
    ADD CONSTRAINT bank_import_account_check CHECK (length(account) <= 100);

-- The account as the file names it, or the name that a person typed; empty for an unknown account. source_key no longer
-- depends on it. Older rows have no account; their source_key depends on the account if the file named it.
ALTER TABLE bank_booking ADD COLUMN account text NOT NULL DEFAULT '',
    ADD CONSTRAINT bank_booking_account_check CHECK (length(account) <= 100),
    DROP CONSTRAINT bank_booking_source_key,
    ADD CONSTRAINT bank_booking_source_key UNIQUE (household_id, source_key, account);
